// GPT-2's pre-tokenizer: cuts a text into the words inside which bytes are merged. No token reaches over a word's edge.
//
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// Source: openai/gpt-2, src/encoder.py (Radford et al. 2019). The contractions are lower case only, as there.
#pragma once

#include <cstddef>
#include <string_view>

namespace lookback {

// The end of the word that begins at byte `begin`, which must be the edge of a character inside `text`.
// Words laid end to end give the text. `text` must be well-formed UTF-8.
std::size_t word_end(std::string_view text, std::size_t begin);

}  // namespace lookback
