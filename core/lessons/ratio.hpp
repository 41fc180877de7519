// Two tokens of a row: how their shares compare, whatever else the row holds.
#pragma once

#include <optional>
#include <vector>

#include "core/result.hpp"

namespace lookback::lessons {

struct RatioInput {
  float first = 0;  // scores, each within ±limits::score
  float second = 0;
  std::vector<float> others;  // [n], at most limits::scores − 2: the rest of the row
};

struct RatioOutput {
  float lead = 0;                 // first − second, Δ
  std::optional<float> e_lead;    // e^Δ; none beyond a float's range
  std::vector<float> shares;      // [2 + n]: first, second, others
  std::vector<int> per_mille;     // [2 + n], add up to 1000
  float rest = 0;                 // the others' shares together
  std::optional<float> measured;  // share of first / share of second; none where a share is too small for a float
  std::vector<float> of_two;      // [2]: their parts of what the two have together
};

// a_i / a_j = e^(s_i − s_j): softmax's sum stands below both and cancels (Vaswani et al. 2017, equation 1). Fails on a
// score or a number of scores outside the limits.
Result<RatioOutput> ratio(const RatioInput& input);

}  // namespace lookback::lessons
