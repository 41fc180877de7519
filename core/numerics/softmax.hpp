// Softmax: scores to shares that sum to 1. Vaswani et al. 2017, equation 1.
#pragma once

#include <span>

namespace lookback {

// What a softmax went through, for showing its arithmetic: share[i] = exp(score[i] - maximum) / sum.
template <class Real>
struct BasicSoftmaxSteps {
  Real maximum = 0;
  Real sum = 0;
};
using SoftmaxSteps = BasicSoftmaxSteps<float>;

// In place over a row of finite scores; an empty row stays empty. The sum is taken in four strided lanes (positions
// i mod 4), then (lane 0 + lane 1) + (lane 2 + lane 3): an order that depends on the row alone.
SoftmaxSteps softmax(std::span<float> row);
BasicSoftmaxSteps<double> softmax(std::span<double> row);

}  // namespace lookback
