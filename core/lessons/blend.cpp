#include "core/lessons/blend.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/lessons/limits.hpp"
#include "core/lessons/shares.hpp"

namespace lookback::lessons {

namespace {

std::optional<std::string> problem_with(const BlendInput& input) {
  if (input.meanings.empty() || input.meanings.size() > limits::meanings) return "A map takes 1 to 64 meanings.";
  for (const MeaningPoint& meaning : input.meanings) {
    if (!(meaning.at.abs() <= limits::coordinate).all())
      return "A meaning's x and y must be numbers from -1000 to 1000.";
  }
  if (input.values.empty() || input.values.size() > limits::meanings) return "A blend takes 1 to 64 values.";
  if (std::any_of(input.values.begin(), input.values.end(),
                  [&](std::size_t v) { return v >= input.meanings.size(); })) {
    return "A value must be one of the map's meanings.";
  }
  if (input.weights.size() != input.values.size()) return "A blend takes one weight for each value.";
  if (!std::all_of(input.weights.begin(), input.weights.end(), [](float w) { return w >= 0 && w <= limits::score; })) {
    return "A weight must be a number from 0 to 1000.";
  }
  if (!std::any_of(input.weights.begin(), input.weights.end(), [](float w) { return w > 0; }))
    return "At least one weight must be above 0.";
  return std::nullopt;
}

float distance(const Eigen::Array2f& a, const Eigen::Array2f& b) {
  const Eigen::Array2f d = a - b;
  return std::sqrt(d[0] * d[0] + d[1] * d[1]);
}

}  // namespace

Result<BlendOutput> blend(const BlendInput& input) {
  if (auto problem = problem_with(input)) return fail(ErrorCode::bad_argument, *std::move(problem));

  double total = 0;  // double, so that tiny weights still divide to shares
  for (const float weight : input.weights) total += weight;
  BlendOutput output;
  std::vector<float> shares;
  for (std::size_t i = 0; i < input.values.size(); ++i) {
    shares.push_back(static_cast<float>(input.weights[i] / total));
    output.values.push_back({shares[i], shares[i] * input.meanings[input.values[i]].at});
    output.blend += output.values[i].contribution;
  }
  output.percents = apportion(shares, 100);
  for (std::size_t m = 0; m < input.meanings.size(); ++m) {
    const bool blended = std::find(input.values.begin(), input.values.end(), m) != input.values.end();
    output.distances.push_back({m, distance(output.blend, input.meanings[m].at), blended});
  }
  const auto begin = output.distances.begin(), end = output.distances.end();
  std::sort(begin, end, [](const Distance& a, const Distance& b) { return std::tie(a.distance, a.meaning) < std::tie(b.distance, b.meaning); });
  const auto other = std::find_if(begin, end, [](const Distance& d) { return !d.blended; });
  if (other != end) output.nearest_other = other->meaning;
  return output;
}

}  // namespace lookback::lessons
