// The order of tokens by their scores, likeliest first: one order for sampling and lenses.
#pragma once

#include <limits>
#include <span>

namespace lookback {

// Of equal scores the lower id comes first; NaN comes last, so that the order is total whatever a broken model gives.
struct Likelier {
  std::span<const float> scores;

  bool operator()(int a, int b) const {
    const float score_a = size(a), score_b = size(b);
    return score_a != score_b ? score_a > score_b : a < b;
  }

 private:
  float size(int id) const {
    const float score = scores[static_cast<std::size_t>(id)];
    return score != score ? -std::numeric_limits<float>::infinity() : score;
  }
};

}  // namespace lookback
