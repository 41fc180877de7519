// GPT-2's alphabet of bytes: vocab.json and merges.txt write each byte as one printable character.
//
// Bytes that print (! to ~, ¡ to ¬, ® to ÿ) stand for themselves; the other 68 are numbered from U+0100 in order, so a
// space is Ġ and a newline Ċ. Source: bytes_to_unicode in openai/gpt-2, src/encoder.py.
#pragma once

#include <array>

namespace lookback {

constexpr bool stands_for_itself(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

// letter[b] is the code point that writes byte b.
constexpr std::array<char32_t, 256> kByteLetters = [] {
  std::array<char32_t, 256> letters{};
  char32_t next = 0x100;
  for (int byte = 0; byte < 256; ++byte) letters[byte] = stands_for_itself(byte) ? static_cast<char32_t>(byte) : next++;
  return letters;
}();

// The byte that a code point writes, or -1.
constexpr int byte_of_letter(char32_t letter) {
  constexpr auto bytes = [] {
    std::array<short, 0x100 + 68> table{};
    table.fill(-1);
    for (short byte = 0; byte < 256; ++byte) table[kByteLetters[byte]] = byte;
    return table;
  }();
  return letter < bytes.size() ? bytes[letter] : -1;
}

}  // namespace lookback
