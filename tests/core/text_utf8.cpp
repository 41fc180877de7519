#include <doctest/doctest.h>

#include <string>

#include "core/text/unicode_classes.hpp"
#include "core/text/utf8.hpp"

using namespace lookback;

TEST_CASE("utf8: every scalar value is read as it was written") {
  std::string text;
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    text.clear();
    append_utf8(text, code);
    const Utf8Step step = read_utf8(text, 0);
    if (!step.well_formed || step.code_point != code || step.length != text.size()) FAIL("U+", std::to_string(code));
  }
}

TEST_CASE("utf8: bad parts become U+FFFD by maximal subparts") {
  const struct {
    std::string bytes, text;
  } cases[] = {
      // Unicode Standard, tables 3-8 to 3-11.
      {"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", "��������A"},
      {"\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", "��������A"},
      {"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", "�����A��B"},
      {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", "����A"},
      // A text that ends inside a character.
      {"a\xE2\x80", "a�"},
      {"a\xF0\x9F\x98", "a�"},
      {"\xF5", "�"},
      // A byte order mark and a real U+FFFD stay; a NUL is a character like others.
      {"\xEF\xBB\xBF�", "\xEF\xBB\xBF�"},
      {std::string("a\0b", 3), std::string("a\0b", 3)},
      {"", ""},
  };
  for (const auto& [bytes, text] : cases) CHECK(well_formed(bytes) == text);
}

TEST_CASE("unicode classes: edges of the tables, and white space as in Python's regex") {
  CHECK(kind_of('A') == CharacterKind::letter);
  CHECK(kind_of('@') == CharacterKind::other);
  CHECK(kind_of('[') == CharacterKind::other);
  CHECK(kind_of(U'ß') == CharacterKind::letter);
  CHECK(kind_of(U'中') == CharacterKind::letter);
  CHECK(kind_of(0x323AF) == CharacterKind::letter);
  CHECK(kind_of(0x10FFFF) == CharacterKind::other);
  for (const char32_t code : {U'0', U'²', U'½', U'Ⅷ', U'٣', U'७', U'〇'}) CHECK(kind_of(code) == CharacterKind::number);
  // Combining marks, joiners, emoji and the replacement character are neither letters nor numbers.
  for (const char32_t code : {0x301, 0x94D, 0x200D, 0xFE0F, 0x1F600, 0xFFFD})
    CHECK(kind_of(code) == CharacterKind::other);
  for (const char32_t code :
       {0x9, 0xB, 0xD, 0x20, 0x85, 0xA0, 0x1680, 0x2003, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000}) {
    CHECK(kind_of(code) == CharacterKind::space);
  }
  for (const char32_t code : {0x8, 0xE, 0x1C, 0x1F, 0x180E, 0x200B, 0x2060, 0xFEFF}) {
    CHECK(kind_of(code) == CharacterKind::other);
  }
}
