// Layer normalisation, Ba et al. 2016, equation 4, with biased variance as in GPT-2.
#pragma once

#include <cstddef>
#include <span>

namespace lookback {

// out = (x - mean) / sqrt(variance + eps) * weight + bias for one row; all spans [d_model]. out may be x.
void layer_norm(std::span<const float> x, std::span<const float> weight, std::span<const float> bias, float eps,
                std::span<float> out);
void layer_norm(std::span<const double> x, std::span<const double> weight, std::span<const double> bias, double eps,
                std::span<double> out);

// The way back through layer_norm of one row. upstream [d_model] is the loss's slope by `out`; adds its slopes by x,
// weight and bias to d_x, d_weight and d_bias, all [d_model]. With x̂ = (x - mean) / σ and g = upstream · weight:
// d_x = (g - mean(g) - x̂ mean(g x̂)) / σ.
void layer_norm_backward(std::span<const float> x, std::span<const float> weight, float eps,
                         std::span<const float> upstream, std::span<float> d_x, std::span<float> d_weight,
                         std::span<float> d_bias);
void layer_norm_backward(std::span<const double> x, std::span<const double> weight, double eps,
                         std::span<const double> upstream, std::span<double> d_x, std::span<double> d_weight,
                         std::span<double> d_bias);

}  // namespace lookback
