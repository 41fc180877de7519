// Small readers for the tests of the little language.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lookback::testing {

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The runs of letters.
inline std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_letter(text[i])) continue;
    const std::size_t begin = i;
    while (i < text.size() && is_letter(text[i])) ++i;
    words.push_back(text.substr(begin, i - begin));
  }
  return words;
}

// Parts that end with a full stop, a mark or a new line, or with the text.
inline std::vector<std::string_view> sentences_of(std::string_view text) {
  std::vector<std::string_view> sentences;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(".?!\n"), text.size() - 1) + 1;
    sentences.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return sentences;
}

}  // namespace lookback::testing
