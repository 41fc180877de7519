// Why scores are divided: dot products of random queries and keys, how far they spread, and what softmax makes of them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/result.hpp"

namespace lookback::lessons {

struct SpreadInput {
  std::size_t d = 64;      // numbers in a query or key, 1 to limits::spread_d
  std::uint64_t seed = 1;  // of the random numbers
};

inline constexpr std::size_t spread_rows = 250;  // queries, each with keys of its own
inline constexpr std::size_t spread_keys = 8;    // keys of one query

// How the scores of all rows lie, before the division or after it.
struct SpreadScores {
  std::vector<float> scores;  // [spread_rows * spread_keys], a query's scores beside each other
  float mean = 0;
  float spread = 0;     // standard deviation
  float top_share = 0;  // the largest share of a row, on average over all rows
  // How many scores lie in [low + i * width, low + (i + 1) * width).
  std::vector<int> counts;  // [n_bins]
};

inline constexpr float spread_low = -50, spread_width = 1;
inline constexpr std::size_t spread_bins = 100;  // what lies beyond is counted in the outermost bins

// The same for one length of the lists.
struct SpreadRow {
  std::size_t d;
  float root;  // √d
  float spread, top_share;
  float divided_spread, divided_top_share;
};

struct SpreadOutput {
  float root = 0;  // √d
  SpreadScores raw;
  SpreadScores divided;
  std::vector<float> shares;          // [spread_keys], of the first query's raw scores
  std::vector<float> divided_shares;  // [spread_keys]
  std::vector<SpreadRow> lengths;     // d = 1, 4, 16, 64, 256
};

// Entries of queries and keys are independent, with mean 0 and spread 1; then a dot product of d of them has spread √d:
// Vaswani et al. 2017, section 3.2.1, footnote 4. An entry does not depend on d: a longer list continues a shorter one.
// Fails on a d outside the limits.
Result<SpreadOutput> spread(const SpreadInput& input);

}  // namespace lookback::lessons
