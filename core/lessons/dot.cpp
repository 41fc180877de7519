#include "core/lessons/dot.hpp"

#include <algorithm>
#include <cmath>

#include "core/lessons/elementary.hpp"
#include "core/lessons/limits.hpp"

namespace lookback::lessons {

namespace {

float direction(const Eigen::Array2f& arrow) { return static_cast<float>(angle_degrees(arrow[1], arrow[0])); }

}  // namespace

Result<DotOutput> dot(const DotInput& input) {
  const auto& [q, k] = input;
  for (const float component : {q[0], q[1], k[0], k[1]}) {
    if (!(std::fabs(component) <= limits::coordinate)) {
      return fail(ErrorCode::bad_argument, "An arrow's x and y must be numbers from -1000 to 1000.");
    }
  }
  // Lengths and angles in double: squares of small components do not vanish, and the angle keeps its digits near 0.
  const double qx = q[0], qy = q[1], kx = k[0], ky = k[1];
  const double q_length = std::sqrt(qx * qx + qy * qy);
  const double k_length = std::sqrt(kx * kx + ky * ky);
  const double dot = qx * kx + qy * ky;

  DotOutput output;
  output.q_length = static_cast<float>(q_length);
  output.k_length = static_cast<float>(k_length);
  output.products = q * k;
  output.dot = output.products[0] + output.products[1];
  if (q_length > 0) output.q_direction_degrees = direction(q);
  if (k_length > 0) output.k_direction_degrees = direction(k);
  if (q_length > 0 && k_length > 0) {
    output.cosine = static_cast<float>(std::clamp(dot / q_length / k_length, -1.0, 1.0));
    output.angle_degrees = static_cast<float>(angle_degrees(std::fabs(qx * ky - qy * kx), dot));
    output.lengths_times_cosine = output.q_length * output.k_length * *output.cosine;
  }
  return output;
}

}  // namespace lookback::lessons
