#include <doctest/doctest.h>

#include <string>

#include "core/text/bpe.hpp"
#include "core/text/display.hpp"
#include "tests/core/text_fixtures.hpp"

using namespace lookback;

TEST_CASE("display: text as it is, everything invisible made visible, half characters as bytes") {
  const struct {
    std::string bytes, shown;
  } cases[] = {
      {"", ""},
      {" the", " the"},
      {"Ġ", "Ġ"},
      {"<script>", "<script>"},
      {"\n", "↵"},
      {"\r\n", "⟨U+000D⟩↵"},
      {"\ta", "⇥a"},
      {std::string(1, '\0'), "⟨U+0000⟩"},
      {"\x1B[0m\x7F", "⟨U+001B⟩[0m⟨U+007F⟩"},
      {"\u0085", "⟨U+0085⟩"},
      {"a\u00A0b", "a⟨U+00A0⟩b"},
      {"\u00AD", "⟨U+00AD⟩"},
      {"\u200B\u200D", "⟨U+200B⟩⟨U+200D⟩"},
      {"❤\uFE0F", "❤⟨U+FE0F⟩"},
      {"\u202E", "⟨U+202E⟩"},
      {"\u2028", "⟨U+2028⟩"},
      {"\u3000", "⟨U+3000⟩"},
      {"\uFEFF", "⟨U+FEFF⟩"},
      {"\U000E0041", "⟨U+E0041⟩"},
      {"\xE2\x80", "⟨E2 80⟩"},
      {" \xE2\x80", " ⟨E2 80⟩"},
      {"\x9D.", "⟨9D⟩."},
      {"\x80\x81\xF0\x9F", "⟨80 81 F0 9F⟩"},
      {"é\xCC", "é⟨CC⟩"},
      {"\x0A\xE2", "↵⟨E2⟩"},
      {"�", "�"},
  };
  for (const auto& [bytes, shown] : cases) CHECK(display(bytes) == shown);
}

TEST_CASE("display: pieces tell marks from text that looks like them") {
  std::string kinds;
  for (const DisplayPiece& piece : display_pieces(" a↵\n\t\u00A0\u00A0\xE2\x80")) {
    kinds += std::string(name_of(piece.kind)) + "=" + piece.shown + ";";
  }
  CHECK(kinds == "space= ;text=a↵;newline=↵;tab=⇥;code_point=⟨U+00A0⟩;code_point=⟨U+00A0⟩;bytes=⟨E2 80⟩;");
}

TEST_CASE("display: a token of a vocabulary, and an id that has none") {
  const Vocabulary vocabulary = lookback::testing::small_vocabulary({{"\xE2", "\x80"}, {" ", "a"}});
  CHECK(token_display(vocabulary, 256) == "⟨E2 80⟩");
  CHECK(token_display(vocabulary, 257) == " a");
  CHECK(token_display(vocabulary, '\n') == "↵");
  CHECK(token_display(vocabulary, 258) == "⟨no token 258⟩");
  CHECK(token_display(vocabulary, -1) == "⟨no token -1⟩");
}

TEST_CASE("display: quotes in sentences are cut between characters") {
  CHECK(in_quotes("a\nb") == "“a↵b”");
  CHECK(in_quotes(std::string(40, 'x')) == "“" + std::string(40, 'x') + "”");
  CHECK(in_quotes(std::string(39, 'x') + "éé") == "“" + std::string(39, 'x') + "é…”");
}
