#include "core/train/chains.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/language/dice.hpp"

namespace lookback {

void fill_chain(std::uint64_t number, std::span<const int> words, const ChainShape& shape, std::span<int> ids) {
  language::Dice dice(language::mixed(number ^ 0xC4A1ull << 40));
  const std::size_t n = shape.fewest + dice.below(shape.most - shape.fewest + 1);
  std::vector<int> chain;
  while (chain.size() < n) {
    const int word = words[dice.below(words.size())];
    if (std::find(chain.begin(), chain.end(), word) == chain.end()) chain.push_back(word);
  }
  std::vector<std::size_t> next(n);  // Sattolo's shuffle makes one ring
  for (std::size_t i = 0; i < n; ++i) next[i] = i;
  for (std::size_t i = n - 1; i > 0; --i) std::swap(next[i], next[dice.below(i)]);
  std::size_t at = dice.below(n);
  for (int& id : ids) {
    id = chain[at];
    at = dice.below(100) < shape.jump_percent ? dice.below(n) : next[at];
  }
}

}  // namespace lookback
