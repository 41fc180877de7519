// AdamW: Loshchilov & Hutter 2019, "Decoupled Weight Decay Regularization", algorithm 2, with the learning rate's
// warm-up and cosine, and clipping of the whole gradient's length (Pascanu et al. 2013, algorithm 1).
#pragma once

#include <cstdint>

#include "core/model/weights.hpp"

namespace lookback {

// The learning rate climbs in a straight line, falls along a cosine, and may fall along a second one from a new peak:
// a warm restart, Loshchilov & Hutter 2017, "SGDR", equation 5.
struct Schedule {
  float peak = 1e-3f;           // after the warm-up
  float last = 1e-4f;           // at the end of each cosine
  std::uint64_t warm_up = 0;    // steps from 0 to the peak
  std::uint64_t n_steps = 1;    // steps to the end of the first cosine, the warm-up among them
  float second_peak = 0;        // where the second cosine begins
  std::uint64_t second_steps = 0;  // how long it is; 0: there is none

  std::uint64_t steps_in_all() const { return n_steps + second_steps; }
};

// The learning rate of step number `step`, from 0.
float learning_rate(const Schedule& schedule, std::uint64_t step);

struct AdamW {
  float beta_1 = 0.9f, beta_2 = 0.99f, epsilon = 1e-8f;
  float decay = 0.1f;    // of matrices and tables, times the learning rate
  float clip = 1.0f;     // gradients longer than this are shortened to it; 0: never
  Weights mean, square;  // running means of the gradient and of its square, [as the weights]; start at 0
  std::uint64_t steps = 0;
};

// One update. The gradient is not changed. Returns its length before clipping.
float update(AdamW& optimizer, Weights& weights, Weights& gradient, float rate);

}  // namespace lookback
