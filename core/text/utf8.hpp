// Reading and writing UTF-8, with the repair that browsers use (WHATWG Encoding Standard, "utf-8 decoder"; Unicode
// Standard 3.9, "substitution of maximal subparts").
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lookback {

constexpr char32_t kReplacement = 0xFFFD;

// One step of reading: the code point and the count of bytes that it took, at least 1. Where the bytes are no UTF-8,
// `well_formed` is false, the code point is U+FFFD, and the bytes are the longest start of a character that stands
// there, or a single byte.
struct Utf8Step {
  char32_t code_point;
  std::size_t length;
  bool well_formed;
};

// Reads the code point at byte `at`, which must lie inside `bytes`.
Utf8Step read_utf8(std::string_view bytes, std::size_t at);

// Appends a code point, which must be a Unicode scalar value.
void append_utf8(std::string& text, char32_t code_point);

// The bytes with every ill-formed part replaced by U+FFFD: what a browser's TextDecoder makes of them, but that a
// leading byte order mark stays. Well-formed text comes back as it is.
std::string well_formed(std::string_view bytes);

}  // namespace lookback
