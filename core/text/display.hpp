// How bytes are shown to people: exactly, and with nothing invisible.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lookback {

enum class PieceKind {
  text,        // visible characters, as they are
  space,       // U+0020, as it is: the view marks it
  newline,     // U+000A, shown as ↵
  tab,         // U+0009, shown as ⇥
  code_point,  // a character that nobody would see, shown as ⟨U+00A0⟩
  bytes,       // part of a character or no UTF-8 at all, shown as ⟨E2 80⟩
};

struct DisplayPiece {
  PieceKind kind;
  std::string shown;
};

// The kind's name, as the command line and the page receive it.
std::string_view name_of(PieceKind kind);

// The bytes in pieces, in order; neighbours of one kind `text` or `bytes` form one piece, others stand alone.
// Every byte is in exactly one piece. A view that styles pieces by kind keeps a real ↵ apart from a newline.
std::vector<DisplayPiece> display_pieces(std::string_view bytes);

// The pieces laid end to end.
std::string display(std::string_view bytes);

// The bytes in curly quotes for an error sentence, cut after 40 characters.
std::string in_quotes(std::string_view bytes);

}  // namespace lookback
