// A naive double-precision GPT-2, written from the formulas without regard to speed or to the core's code: what the
// core's f32 numbers are held against. Also random weights of any shape.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "core/model/weights.hpp"

namespace reference {

using lookback::Config;
using lookback::LayerNormWeights;
using lookback::LinearWeights;
using lookback::PackedMatrix;
using lookback::Weights;
using Matrix = std::vector<std::vector<double>>;  // [rows][columns]

struct Layer {
  Matrix resid_pre, ln1, q, k, v, z, attn_out, resid_mid, ln2, mlp_pre, mlp_post, mlp_out;
  std::vector<Matrix> scores_raw, pattern;  // [n_heads] of [n][n]
};

struct Pass {
  std::vector<Layer> layers;
  Matrix resid_final, logits;
};

inline Matrix norm(const Matrix& x, const LayerNormWeights& w, double eps) {
  Matrix y = x;
  for (auto& row : y) {
    double mean = 0, variance = 0;
    for (double value : row) mean += value / row.size();
    for (double value : row) variance += (value - mean) * (value - mean) / row.size();
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = (row[i] - mean) / std::sqrt(variance + eps) * w.weight[i] + w.bias[i];
  }
  return y;
}

inline Matrix times(const Matrix& x, const PackedMatrix& w, const std::vector<float>& bias) {
  Matrix y(x.size(), std::vector<double>(w.n_columns));
  for (std::size_t t = 0; t < x.size(); ++t)
    for (std::size_t n = 0; n < w.n_columns; ++n) {
      double sum = bias.empty() ? 0.0 : bias[n];
      for (std::size_t k = 0; k < w.k_rows; ++k) sum += x[t][k] * w.at(k, n);
      y[t][n] = sum;
    }
  return y;
}

inline Matrix plus(const Matrix& a, const Matrix& b) {
  Matrix y = a;
  for (std::size_t t = 0; t < y.size(); ++t)
    for (std::size_t i = 0; i < y[t].size(); ++i) y[t][i] += b[t][i];
  return y;
}

inline double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
}

inline Pass run(const Weights& w, const std::vector<int>& ids) {
  const Config& c = w.config;
  const std::size_t n = ids.size(), d = c.d_model, d_head = d / c.n_heads;
  Pass pass;
  Matrix x(n, std::vector<double>(d));
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t i = 0; i < d; ++i) x[t][i] = double(w.wte.at(i, ids[t])) + double(w.wpe[t * d + i]);

  for (const auto& block : w.blocks) {
    Layer layer;
    layer.resid_pre = x;
    layer.ln1 = norm(x, block.ln_1, c.layer_norm_eps);
    const Matrix qkv = times(layer.ln1, block.c_attn.weight, block.c_attn.bias);
    layer.q = layer.k = layer.v = layer.z = Matrix(n, std::vector<double>(d));
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t i = 0; i < d; ++i) {
        layer.q[t][i] = qkv[t][i];
        layer.k[t][i] = qkv[t][d + i];
        layer.v[t][i] = qkv[t][2 * d + i];
      }
    for (std::size_t h = 0; h < c.n_heads; ++h) {
      Matrix raw(n, std::vector<double>(n)), shares(n, std::vector<double>(n, 0.0));
      for (std::size_t t = 0; t < n; ++t) {
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t i = h * d_head; i < (h + 1) * d_head; ++i) raw[t][j] += layer.q[t][i] * layer.k[j][i];
        double largest = -1e300, sum = 0;
        for (std::size_t j = 0; j <= t; ++j) largest = std::max(largest, raw[t][j] / std::sqrt(double(d_head)));
        for (std::size_t j = 0; j <= t; ++j) sum += std::exp(raw[t][j] / std::sqrt(double(d_head)) - largest);
        for (std::size_t j = 0; j <= t; ++j) {
          shares[t][j] = std::exp(raw[t][j] / std::sqrt(double(d_head)) - largest) / sum;
          for (std::size_t i = h * d_head; i < (h + 1) * d_head; ++i) layer.z[t][i] += shares[t][j] * layer.v[j][i];
        }
      }
      layer.scores_raw.push_back(raw);
      layer.pattern.push_back(shares);
    }
    layer.attn_out = times(layer.z, block.c_proj.weight, block.c_proj.bias);
    layer.resid_mid = plus(x, layer.attn_out);
    layer.ln2 = norm(layer.resid_mid, block.ln_2, c.layer_norm_eps);
    layer.mlp_pre = times(layer.ln2, block.mlp_fc.weight, block.mlp_fc.bias);
    layer.mlp_post = layer.mlp_pre;
    for (auto& row : layer.mlp_post)
      for (double& value : row) value = gelu(value);
    layer.mlp_out = times(layer.mlp_post, block.mlp_proj.weight, block.mlp_proj.bias);
    x = plus(layer.resid_mid, layer.mlp_out);
    pass.layers.push_back(std::move(layer));
  }
  pass.resid_final = x;
  pass.logits = times(norm(x, w.ln_f, c.layer_norm_eps), w.head(), {});
  return pass;
}

// Random weights of a shape; the same seed gives the same bits everywhere (the engine is the standard's, the
// conversion to floats is ours).
inline Weights random_weights(const Config& c, unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](float size) { return (static_cast<float>(random() >> 8) * 0x1p-23f - 1.0f) * size; };
  const auto list = [&](std::size_t n, float middle, float size) {
    std::vector<float> values(n);
    for (float& value : values) value = middle + draw(size);
    return values;
  };
  const auto matrix = [&](std::size_t k, std::size_t n, float size) {
    PackedMatrix m(k, n);
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t j = 0; j < n; ++j) m.full(i, j) = draw(size);
    return m;
  };
  const auto norm_weights = [&] { return LayerNormWeights{list(c.d_model, 1.0f, 0.3f), list(c.d_model, 0.0f, 0.2f)}; };
  const auto linear = [&](std::size_t in, std::size_t out) {
    const float size = 1.5f / std::sqrt(static_cast<float>(in));
    PackedMatrix weight = matrix(in, out, size);
    return LinearWeights{std::move(weight), list(out, 0.0f, 0.1f)};
  };
  Weights w;
  w.config = c;
  w.wte = matrix(c.d_model, c.d_vocab, 0.8f);
  w.wpe = list(c.n_positions * c.d_model, 0.0f, 0.5f);
  for (std::size_t layer = 0; layer < c.n_layers; ++layer) {
    lookback::BlockWeights b;
    b.ln_1 = norm_weights();
    b.c_attn = linear(c.d_model, 3 * c.d_model);
    b.c_proj = linear(c.d_model, c.d_model);
    b.ln_2 = norm_weights();
    b.mlp_fc = linear(c.d_model, c.d_mlp);
    b.mlp_proj = linear(c.d_mlp, c.d_model);
    w.blocks.push_back(std::move(b));
  }
  w.ln_f = norm_weights();
  if (!c.tied_head) w.lm_head = matrix(c.d_model, c.d_vocab, 0.8f);
  return w;
}

inline std::vector<int> random_ids(const Config& c, std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> ids(n);
  for (int& id : ids) id = static_cast<int>(random() % c.d_vocab);
  return ids;
}

}  // namespace reference
