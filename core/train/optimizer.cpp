#include "core/train/optimizer.hpp"

#include <cmath>

#include "core/numerics/functions.hpp"
#include "core/train/parameters.hpp"

namespace lookback {
namespace {

double power(double base, std::uint64_t exponent) {
  double result = 1;
  for (; exponent; exponent >>= 1, base *= base)
    if (exponent & 1) result *= base;
  return result;
}

// The gradient's length. Each array is summed in double in its own order.
double length(const std::vector<Parameter<float>>& gradient) {
  double sum = 0;
  for (const Parameter<float>& part : gradient) {
    double lanes[4] = {};
    for (std::size_t i = 0; i < part.values.size(); ++i) {
      const double value = part.values[i];
      lanes[i % 4] += value * value;
    }
    sum += (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  }
  return std::sqrt(sum);
}

}  // namespace

float learning_rate(const Schedule& s, std::uint64_t step) {
  if (step < s.warm_up) return s.peak * static_cast<float>(step + 1) / static_cast<float>(s.warm_up);
  if (step >= s.steps_in_all()) return s.last;
  const bool second = step >= s.n_steps;
  const std::uint64_t done = step - (second ? s.n_steps : s.warm_up);
  const std::uint64_t length = second ? s.second_steps : s.n_steps - s.warm_up;
  const double way = static_cast<double>(done) / static_cast<double>(length), peak = second ? s.second_peak : s.peak;
  return static_cast<float>(s.last + 0.5 * (1 + cosine(3.14159265358979323846 * way)) * (peak - s.last));
}

float update(AdamW& optimizer, Weights& weights, Weights& gradient, float rate) {
  const auto w = parameters(weights), g = parameters(gradient);
  const auto mean = parameters(optimizer.mean), square = parameters(optimizer.square);
  const double size = length(g);
  const float shorten = optimizer.clip > 0 && size > optimizer.clip ? static_cast<float>(optimizer.clip / size) : 1.0f;
  ++optimizer.steps;
  const float correction_1 = static_cast<float>(1 / (1 - power(optimizer.beta_1, optimizer.steps)));
  const float correction_2 = static_cast<float>(1 / (1 - power(optimizer.beta_2, optimizer.steps)));
  const float beta_1 = optimizer.beta_1, beta_2 = optimizer.beta_2, epsilon = optimizer.epsilon;

  for (std::size_t p = 0; p < w.size(); ++p) {
    const float kept = w[p].decays ? 1.0f - rate * optimizer.decay : 1.0f;
    float* weight = w[p].values.data();
    const float* slope = g[p].values.data();
    float* m = mean[p].values.data();
    float* v = square[p].values.data();
    for (std::size_t i = 0; i < w[p].values.size(); ++i) {
      const float s = slope[i] * shorten;
      m[i] = beta_1 * m[i] + (1.0f - beta_1) * s;
      v[i] = beta_2 * v[i] + (1.0f - beta_2) * (s * s);
      weight[i] = weight[i] * kept - rate * (m[i] * correction_1) / (std::sqrt(v[i] * correction_2) + epsilon);
    }
  }
  return static_cast<float>(size);
}

}  // namespace lookback
