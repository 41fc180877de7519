// Scores to shares, with every step of the arithmetic kept for showing.
#pragma once

#include <optional>
#include <vector>

#include "core/result.hpp"

namespace lookback::lessons {

struct SoftmaxInput {
  std::vector<float> scores;  // [n], 1 to limits::scores, each within ±limits::score
  float stretch = 1;          // 0 to limits::stretch
};

struct TopTwo {
  std::size_t first;
  std::size_t second;
  float difference;            // stretched[first] − stretched[second]
  std::optional<float> ratio;  // e^difference = share of first / share of second; none beyond a float's range
};

struct SoftmaxDialOutput {
  std::vector<float> stretched;  // [n], score * stretch
  float maximum = 0;             // of stretched
  std::vector<float> exps;       // [n], exp(stretched − maximum)
  float sum = 0;                 // of exps, as the core's softmax adds them
  std::vector<float> shares;     // [n], exps / sum
  std::vector<int> percents;     // [n], add up to 100
  std::vector<int> per_mille;    // [n], add up to 1000: percentages with one decimal
  float entropy_bits = 0;
  std::optional<TopTwo> top_two;  // none for a single score
};

// Softmax: Vaswani et al. 2017, equation 1. The ratio of two shares is e^Δ whatever else the row holds, since the sum
// cancels. Fails on a number of scores, a score or a stretch outside the limits.
Result<SoftmaxDialOutput> softmax_dial(const SoftmaxInput& input);

}  // namespace lookback::lessons
