#include "core/text/utf8.hpp"

namespace lookback {

namespace {

// What a lead byte announces: the count of bytes after it, its own bits, and the range of the first byte after it.
// The narrower ranges keep out overlong forms, surrogates and what lies past U+10FFFF.
struct Lead {
  int following;
  char32_t bits;
  unsigned char lowest, highest;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {0, byte, 0, 0};
  if (byte >= 0xC2 && byte <= 0xDF) return {1, byte & 0x1Fu, 0x80, 0xBF};
  if (byte == 0xE0) return {2, 0, 0xA0, 0xBF};
  if (byte == 0xED) return {2, 0xD, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {2, byte & 0xFu, 0x80, 0xBF};
  if (byte == 0xF0) return {3, 0, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {3, byte & 0x7u, 0x80, 0xBF};
  if (byte == 0xF4) return {3, 4, 0x80, 0x8F};
  return {-1, 0, 0, 0};
}

}  // namespace

Utf8Step read_utf8(std::string_view bytes, std::size_t at) {
  const Lead lead = lead_of(static_cast<unsigned char>(bytes[at]));
  if (lead.following < 0) return {kReplacement, 1, false};
  char32_t code_point = lead.bits;
  std::size_t length = 1;
  unsigned char lowest = lead.lowest, highest = lead.highest;
  for (int i = 0; i < lead.following; ++i) {
    if (at + length >= bytes.size()) return {kReplacement, length, false};
    const auto byte = static_cast<unsigned char>(bytes[at + length]);
    if (byte < lowest || byte > highest) return {kReplacement, length, false};
    code_point = code_point << 6 | (byte & 0x3Fu);
    lowest = 0x80, highest = 0xBF;
    ++length;
  }
  return {code_point, length, true};
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto put = [&text](char32_t byte) { text.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
  if (code_point < 0x80) return put(code_point);
  if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
  } else {
    if (code_point < 0x10000) {
      put(0xE0 | code_point >> 12);
    } else {
      put(0xF0 | code_point >> 18);
      put(0x80 | (code_point >> 12 & 0x3F));
    }
    put(0x80 | (code_point >> 6 & 0x3F));
  }
  put(0x80 | (code_point & 0x3F));
}

std::string well_formed(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const Utf8Step step = read_utf8(bytes, at);
    if (step.well_formed) {
      text.append(bytes.substr(at, step.length));
    } else {
      append_utf8(text, kReplacement);
    }
    at += step.length;
  }
  return text;
}

}  // namespace lookback
