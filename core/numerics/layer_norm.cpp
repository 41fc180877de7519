#include "core/numerics/layer_norm.hpp"

#include <cmath>

#include "core/numerics/vector.hpp"

namespace lookback {
namespace {

// Sums terms over i in four strided lanes, then (0 + 1) + (2 + 3): a fixed order. `four(i)` gives the terms
// i … i + 3, `one(i)` a single one.
template <class Real, class FourTerms, class OneTerm>
Real strided_sum(std::size_t n, FourTerms four, OneTerm one) {
  auto lanes = splat(Real(0));
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) lanes += four(i);
  for (std::size_t lane = 0; i < n; ++i, ++lane) lanes[lane] += one(i);
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

template <class Real>
struct Moments {
  Real mean;
  Real scale;  // 1 / sqrt(variance + eps)
};

template <class Real>
Moments<Real> moments(std::span<const Real> x, Real eps) {
  const Real count = static_cast<Real>(x.size());
  const Real mean = strided_sum<Real>(
                        x.size(), [&](std::size_t i) { return load4(&x[i]); }, [&](std::size_t i) { return x[i]; }) /
                    count;
  const auto square = [](auto value, auto middle) { return (value - middle) * (value - middle); };
  const Real variance = strided_sum<Real>(
                            x.size(), [&](std::size_t i) { return square(load4(&x[i]), splat(mean)); },
                            [&](std::size_t i) { return square(x[i], mean); }) /
                        count;
  return {mean, Real(1) / std::sqrt(variance + eps)};  // IEEE division and square root: the same bits everywhere
}

template <class Real>
void norm_row(std::span<const Real> x, std::span<const Real> weight, std::span<const Real> bias, Real eps,
              std::span<Real> out) {
  const auto [mean, scale] = moments(x, eps);
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = (x[i] - mean) * scale * weight[i] + bias[i];
}

template <class Real>
void norm_row_backward(std::span<const Real> x, std::span<const Real> weight, Real eps, std::span<const Real> upstream,
                       std::span<Real> d_x, std::span<Real> d_weight, std::span<Real> d_bias) {
  const Moments<Real> m = moments(x, eps);
  const Real count = static_cast<Real>(x.size());
  const auto normalized = [&](std::size_t i) { return (x[i] - m.mean) * m.scale; };
  const auto slopes = [&](std::size_t i) { return load4(&upstream[i]) * load4(&weight[i]); };
  const Real mean_g =
      strided_sum<Real>(x.size(), slopes, [&](std::size_t i) { return upstream[i] * weight[i]; }) / count;
  const Real mean_gx = strided_sum<Real>(
                           x.size(),
                           [&](std::size_t i) { return slopes(i) * ((load4(&x[i]) - splat(m.mean)) * splat(m.scale)); },
                           [&](std::size_t i) { return upstream[i] * weight[i] * normalized(i); }) /
                       count;
  for (std::size_t i = 0; i < x.size(); ++i) {
    d_x[i] += (upstream[i] * weight[i] - mean_g - normalized(i) * mean_gx) * m.scale;
    d_weight[i] += upstream[i] * normalized(i);
    d_bias[i] += upstream[i];
  }
}

}  // namespace

void layer_norm(std::span<const float> x, std::span<const float> weight, std::span<const float> bias, float eps,
                std::span<float> out) {
  norm_row(x, weight, bias, eps, out);
}
void layer_norm(std::span<const double> x, std::span<const double> weight, std::span<const double> bias, double eps,
                std::span<double> out) {
  norm_row(x, weight, bias, eps, out);
}
void layer_norm_backward(std::span<const float> x, std::span<const float> weight, float eps,
                         std::span<const float> upstream, std::span<float> d_x, std::span<float> d_weight,
                         std::span<float> d_bias) {
  norm_row_backward(x, weight, eps, upstream, d_x, d_weight, d_bias);
}
void layer_norm_backward(std::span<const double> x, std::span<const double> weight, double eps,
                         std::span<const double> upstream, std::span<double> d_x, std::span<double> d_weight,
                         std::span<double> d_bias) {
  norm_row_backward(x, weight, eps, upstream, d_x, d_weight, d_bias);
}

}  // namespace lookback
