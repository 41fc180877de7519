// Learns a byte-level BPE vocabulary from texts (Sennrich et al. 2016, algorithm 1), in the layout of GPT-2's files.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/result.hpp"

namespace lookback {

struct LearnedVocabulary {
  std::string vocab_json, merges_txt;  // as Vocabulary::parse reads them
};

// The texts are cut into words (words.hpp). Again and again the pair of neighbours that occurs most often in all words
// becomes one token; of pairs that occur equally often, the one whose bytes come first, the left token's before the
// right one's. Ids as in GPT-2: 0–255 the bytes, those that print first; then the merged tokens in their order; last
// <|endoftext|>. Ill-formed UTF-8 is repaired first, as encode() does.
//
// At most `n_entries` tokens in all; fewer where no pair occurs twice any more. Errors: bad_argument for n_entries
// below 257, the bytes and <|endoftext|>; out_of_memory.
Result<LearnedVocabulary> learn_merges(std::span<const std::string> texts, std::size_t n_entries);

}  // namespace lookback
