// The dot product of two arrows in the plane, both ways: as a sum of products, and as lengths times cosine.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/result.hpp"

namespace lookback::lessons {

struct DotInput {
  Eigen::Array2f q;
  Eigen::Array2f k;
};

struct DotOutput {
  float q_length = 0;
  float k_length = 0;
  Eigen::Array2f products = Eigen::Array2f::Zero();  // q[i] * k[i]
  float dot = 0;                                     // products[0] + products[1]
  std::optional<float> cosine;                       // dot / (lengths); none when an arrow has no length
  std::optional<float> angle_degrees;                // 0 to 180, between the arrows; none likewise
  std::optional<float> q_direction_degrees;          // −180 to 180, counterclockwise from the x axis
  std::optional<float> k_direction_degrees;
  float lengths_times_cosine = 0;  // equals dot up to rounding; 0 when an arrow has no length
};

// q·k = Σ q_i k_i = |q| |k| cos(angle). Fails on a component beyond ±limits::coordinate or not finite.
Result<DotOutput> dot(const DotInput& input);

}  // namespace lookback::lessons
