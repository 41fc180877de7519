#include "core/lessons/softmax_dial.hpp"

#include <algorithm>
#include <cmath>

#include "core/lessons/limits.hpp"
#include "core/lessons/shares.hpp"
#include "core/numerics/functions.hpp"
#include "core/numerics/softmax.hpp"

namespace lookback::lessons {

namespace {

// The first of the largest values, passing over `skip`.
std::size_t largest(const std::vector<float>& values, std::size_t skip) {
  std::size_t best = skip == 0 ? 1 : 0;
  for (std::size_t i = best + 1; i < values.size(); ++i) {
    if (i != skip && values[i] > values[best]) best = i;
  }
  return best;
}

TopTwo top_two(const std::vector<float>& stretched) {
  TopTwo top{};
  top.first = largest(stretched, stretched.size());
  top.second = largest(stretched, top.first);
  top.difference = stretched[top.first] - stretched[top.second];
  const float ratio = lookback::exp(top.difference);
  if (std::isfinite(ratio)) top.ratio = ratio;
  return top;
}

}  // namespace

Result<SoftmaxDialOutput> softmax_dial(const SoftmaxInput& input) {
  if (input.scores.empty() || input.scores.size() > limits::scores) {
    return fail(ErrorCode::bad_argument,
                "Softmax takes 1 to 256 scores, not " + std::to_string(input.scores.size()) + ".");
  }
  if (!std::all_of(input.scores.begin(), input.scores.end(), [](float s) { return std::fabs(s) <= limits::score; })) {
    return fail(ErrorCode::bad_argument, "A score must be a number from -1000 to 1000.");
  }
  if (!(input.stretch >= 0 && input.stretch <= limits::stretch)) {
    return fail(ErrorCode::bad_argument, "The stretch must be a number from 0 to 100.");
  }
  SoftmaxDialOutput output;
  for (const float score : input.scores) output.stretched.push_back(score * input.stretch);
  output.shares = output.stretched;
  const SoftmaxSteps steps = lookback::softmax(output.shares);
  output.maximum = steps.maximum;
  output.sum = steps.sum;
  for (const float s : output.stretched) output.exps.push_back(lookback::exp(s - steps.maximum));
  output.percents = apportion(output.shares, 100);
  output.per_mille = apportion(output.shares, 1000);
  output.entropy_bits = entropy_bits(output.shares);
  if (input.scores.size() > 1) output.top_two = top_two(output.stretched);
  return output;
}

}  // namespace lookback::lessons
