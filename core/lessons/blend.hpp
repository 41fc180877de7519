// Values as points on a map: attention returns their weighted mean, and the map says what lies near it.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace lookback::lessons {

struct MeaningPoint {
  std::string name;
  Eigen::Array2f at;
};

struct BlendInput {
  std::vector<MeaningPoint> meanings;  // names differ; 1 to limits::meanings
  std::vector<std::size_t> values;     // [n], into meanings; 1 to limits::meanings
  std::vector<float> weights;          // [n], not negative, not all 0; divided by their sum
};

struct Blended {
  float share;
  Eigen::Array2f contribution;  // share * point
};

struct Distance {
  std::size_t meaning;
  float distance;
  bool blended;  // whether it stands in values
};

struct BlendOutput {
  std::vector<Blended> values;                    // [n]
  std::vector<int> percents;                      // [n], add up to 100
  Eigen::Array2f blend = Eigen::Array2f::Zero();  // the contributions added up
  std::vector<Distance> distances;                // [n_meanings], nearest first
  std::optional<std::size_t> nearest_other;       // the nearest meaning that is not blended
};

// blend = Σ share_i value_i: Vaswani et al. 2017, section 3.2. Fails on a size, index, weight or coordinate outside the
// limits.
Result<BlendOutput> blend(const BlendInput& input);

}  // namespace lookback::lessons
