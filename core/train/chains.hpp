// Chains: sequences of a few words in which a hidden rule says which word follows which. Nothing but a look back at what
// followed the last time can tell the next word, so they teach a model to look back before it learns to read.
#pragma once

#include <cstdint>
#include <span>

namespace lookback {

struct ChainShape {
  std::size_t fewest = 8, most = 10;  // words in a chain
  std::size_t jump_percent = 15;      // how often the next word comes by chance instead of by the rule
};

// Fills ids with the chain of this number, over words drawn from `words`, no two the same. The rule is one ring through
// all words of the chain, so no word follows itself. words must hold at least shape.most ids.
void fill_chain(std::uint64_t number, std::span<const int> words, const ChainShape& shape, std::span<int> ids);

}  // namespace lookback
