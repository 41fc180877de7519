// Every slope that the way back gives, against central differences in double precision by the same templates.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/model/transformer.hpp"
#include "core/train/backward.hpp"
#include "core/train/parameters.hpp"

using namespace lookback;

namespace {

double number(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; }  // [-1, 1)

// All weights at random; norms' weights around 1.
BasicWeights<double> random_model(const Config& config, std::mt19937_64& random) {
  BasicWeights<double> weights = zero_weights<double>(config);
  const auto fill_matrix = [&](BasicPackedMatrix<double>& m) {
    for (std::size_t k = 0; k < m.k_rows; ++k)
      for (std::size_t n = 0; n < m.n_columns; ++n) m.full(k, n) = 0.6 * number(random);
  };
  const auto fill = [&](std::vector<double>& v, double around) {
    for (double& x : v) x = around + 0.3 * number(random);
  };
  fill_matrix(weights.wte);
  fill(weights.wpe, 0);
  for (BasicBlockWeights<double>& block : weights.blocks) {
    for (BasicLinearWeights<double>* linear : {&block.c_attn, &block.c_proj, &block.mlp_fc, &block.mlp_proj}) {
      fill_matrix(linear->weight);
      fill(linear->bias, 0);
    }
    for (BasicLayerNormWeights<double>* norm : {&block.ln_1, &block.ln_2}) fill(norm->weight, 1), fill(norm->bias, 0);
  }
  fill(weights.ln_f.weight, 1);
  fill(weights.ln_f.bias, 0);
  if (!config.tied_head) fill_matrix(weights.lm_head);
  return weights;
}

double loss_of(const BasicWeights<double>& weights, const std::vector<int>& ids, const std::vector<int>& targets) {
  Pool pool(1);
  BasicTrace<double> trace;
  REQUIRE(run(weights, ids, trace, pool));
  return next_token_loss(weights, trace, targets);
}

// Differences of fourth order: (8 (f(x+h) - f(x-h)) - (f(x+2h) - f(x-2h))) / 12h.
double slope_by(double& weight, const BasicWeights<double>& weights, const std::vector<int>& ids,
                const std::vector<int>& targets) {
  const double h = 2e-4, at = weight;
  const auto loss_at = [&](double x) {
    weight = x;
    const double loss = loss_of(weights, ids, targets);
    weight = at;
    return loss;
  };
  return (8 * (loss_at(at + h) - loss_at(at - h)) - (loss_at(at + 2 * h) - loss_at(at - 2 * h))) / (12 * h);
}

void check_every_slope(const Config& config, const std::vector<int>& ids, const std::vector<int>& targets) {
  std::mt19937_64 random(7);
  BasicWeights<double> weights = random_model(config, random);
  Pool pool(1);
  BasicTrace<double> trace;
  REQUIRE(run(weights, ids, trace, pool));
  TransposedWeights<double> transposed;
  transpose(weights, transposed);
  BasicWeights<double> gradient = zero_weights<double>(config);
  BackwardScratch<double> scratch;
  const double loss = add_gradient(weights, transposed, trace, targets, 1.0, gradient, scratch);
  CHECK(loss == doctest::Approx(loss_of(weights, ids, targets)).epsilon(1e-13));

  double worst = 0;
  std::size_t checked = 0, zeros = 0;
  const auto w = parameters(weights), g = parameters(gradient);
  for (std::size_t p = 0; p < w.size(); ++p) {
    for (std::size_t i = 0; i < w[p].values.size(); ++i) {
      const double expected = slope_by(w[p].values[i], weights, ids, targets), got = g[p].values[i];
      worst = std::max(worst, std::fabs(got - expected) / std::max({std::fabs(got), std::fabs(expected), 1e-3}));
      zeros += got == 0;
      ++checked;
    }
  }
  CHECK(worst <= 1e-6);
  CHECK(zeros < checked / 2);
  MESSAGE("slopes checked: " << checked << ", worst relative error " << worst);
}

}  // namespace

TEST_CASE("gradients: every weight of a tied model of odd sizes") {
  const Config config{.n_layers = 2, .n_heads = 3, .d_model = 9, .d_mlp = 13, .n_positions = 7, .d_vocab = 11};
  check_every_slope(config, {3, 1, 4, 1, 5, 10}, {1, 4, 1, 5, 10, 2});
}

TEST_CASE("gradients: untied head, heads of 8 and 10 positions, targets that do not count") {
  const Config config{.n_layers = 1, .n_heads = 2, .d_model = 16, .d_mlp = 20, .n_positions = 11, .d_vocab = 17,
                      .tied_head = false};
  check_every_slope(config, {0, 1, 2, 3, 16, 5, 0, 7, 8, 9}, {-1, 2, 3, -1, 5, 0, 7, 8, 9, 16});
}

TEST_CASE("gradients: adding twice doubles, scale scales, float agrees with double") {
  const Config config{.n_layers = 2, .n_heads = 2, .d_model = 8, .d_mlp = 32, .n_positions = 70, .d_vocab = 19};
  std::mt19937_64 random(11);
  BasicWeights<double> weights = random_model(config, random);
  Weights floats = zero_weights<float>(config);
  const auto from = parameters(weights);
  const auto to = parameters(floats);
  for (std::size_t p = 0; p < from.size(); ++p)
    for (std::size_t i = 0; i < from[p].values.size(); ++i) {
      to[p].values[i] = static_cast<float>(from[p].values[i]);
      from[p].values[i] = to[p].values[i];
    }
  std::vector<int> ids, targets;  // 70 tokens: more than one chunk of logits
  for (int t = 0; t < 70; ++t) ids.push_back(t * 5 % 19), targets.push_back((t + 1) * 5 % 19);

  Pool pool(1);
  BasicTrace<double> trace;
  Trace float_trace;
  REQUIRE(run(weights, ids, trace, pool));
  REQUIRE(run(floats, ids, float_trace, pool));
  TransposedWeights<double> transposed;
  TransposedWeights<float> float_transposed;
  transpose(weights, transposed);
  transpose(floats, float_transposed);
  BasicWeights<double> once = zero_weights<double>(config), twice = zero_weights<double>(config);
  Weights gradient = zero_weights<float>(config);
  BackwardScratch<double> scratch;
  BackwardScratch<float> float_scratch;
  const double loss = add_gradient(weights, transposed, trace, targets, 1.0, once, scratch);
  add_gradient(weights, transposed, trace, targets, 0.5, twice, scratch);
  add_gradient(weights, transposed, trace, targets, 0.5, twice, scratch);
  const float float_loss = add_gradient(floats, float_transposed, float_trace, targets, 1.0f, gradient, float_scratch);
  CHECK(float_loss == doctest::Approx(loss).epsilon(1e-5));
  const auto a = parameters(once), b = parameters(twice);
  const auto f = parameters(gradient);
  double worst = 0, worst_float = 0;
  for (std::size_t p = 0; p < a.size(); ++p) {
    double size = 1e-3;
    for (const double x : a[p].values) size = std::max(size, std::fabs(x));
    for (std::size_t i = 0; i < a[p].values.size(); ++i) {
      worst = std::max(worst, std::fabs(a[p].values[i] - b[p].values[i]) / size);
      worst_float = std::max(worst_float, std::fabs(a[p].values[i] - f[p].values[i]) / size);
    }
  }
  CHECK(worst < 1e-13);
  CHECK(worst_float < 1e-4);
}
