#include "core/lens/places.hpp"

#include <algorithm>
#include <cmath>

namespace lookback {
namespace {

double dot(const float* a, const float* b, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

}  // namespace

std::vector<float> place_cosines(const Weights& weights, std::size_t place) {
  const std::size_t d = weights.config.d_model;
  const auto row = [&](std::size_t at) { return &weights.wpe[at * d]; };
  const auto length = [&](std::size_t at) { return std::sqrt(dot(row(at), row(at), d)); };
  const double own = length(place);
  std::vector<float> cosines(weights.config.n_positions);
  for (std::size_t other = 0; other < cosines.size(); ++other) {
    const double lengths = own * length(other);
    if (lengths > 0) cosines[other] = static_cast<float>(std::clamp(dot(row(place), row(other), d) / lengths, -1.0, 1.0));
  }
  return cosines;
}

}  // namespace lookback
