#include "core/text/display.hpp"

#include <cstdint>

#include "core/text/unicode_classes.hpp"
#include "core/text/utf8.hpp"

namespace lookback {

namespace {

constexpr std::string_view kOpen = "⟨", kClose = "⟩";

// At least `digits` upper-case hexadecimal digits.
std::string hexadecimal(std::uint32_t number, std::size_t digits) {
  std::string text;
  for (; number != 0 || text.size() < digits; number >>= 4) text.insert(text.begin(), "0123456789ABCDEF"[number & 15]);
  return text;
}

PieceKind kind_of_piece(const Utf8Step& step) {
  if (!step.well_formed) return PieceKind::bytes;
  switch (step.code_point) {
    case ' ': return PieceKind::space;
    case '\n': return PieceKind::newline;
    case '\t': return PieceKind::tab;
    default: return is_invisible(step.code_point) ? PieceKind::code_point : PieceKind::text;
  }
}

std::string hexadecimal_bytes(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    if (!text.empty()) text += ' ';
    text += hexadecimal(static_cast<unsigned char>(byte), 2);
  }
  return text;
}

std::string bracketed(std::string_view inside) {
  std::string text(kOpen);
  return text.append(inside).append(kClose);
}

std::string shown(PieceKind kind, std::string_view bytes) {
  switch (kind) {
    case PieceKind::newline: return "↵";
    case PieceKind::tab: return "⇥";
    case PieceKind::code_point: return bracketed("U+" + hexadecimal(read_utf8(bytes, 0).code_point, 4));
    case PieceKind::bytes: return bracketed(hexadecimal_bytes(bytes));
    default: return std::string(bytes);
  }
}

}  // namespace

std::string_view name_of(PieceKind kind) {
  constexpr std::string_view names[] = {"text", "space", "newline", "tab", "code_point", "bytes"};
  return names[static_cast<int>(kind)];
}

std::vector<DisplayPiece> display_pieces(std::string_view bytes) {
  std::vector<DisplayPiece> pieces;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const Utf8Step first = read_utf8(bytes, begin);
    const PieceKind kind = kind_of_piece(first);
    const bool grows = kind == PieceKind::text || kind == PieceKind::bytes;
    std::size_t end = begin + first.length;
    while (grows && end < bytes.size()) {
      const Utf8Step next = read_utf8(bytes, end);
      if (kind_of_piece(next) != kind) break;
      end += next.length;
    }
    pieces.push_back({kind, shown(kind, bytes.substr(begin, end - begin))});
    begin = end;
  }
  return pieces;
}

std::string display(std::string_view bytes) {
  std::string text;
  for (const DisplayPiece& piece : display_pieces(bytes)) text += piece.shown;
  return text;
}

std::string in_quotes(std::string_view bytes) {
  constexpr int most = 40;
  std::size_t end = 0;
  for (int count = 0; end < bytes.size() && count < most; ++count) end += read_utf8(bytes, end).length;
  const bool cut = end < bytes.size();
  return "“" + display(bytes.substr(0, end)) + (cut ? "…”" : "”");
}

}  // namespace lookback
