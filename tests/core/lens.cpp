#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "core/lens/activations.hpp"
#include "core/lens/heads.hpp"
#include "core/lens/logit_lens.hpp"
#include "core/numerics/pack_matrix.hpp"
#include "tests/core/reference.hpp"

using namespace lookback;

namespace {

const Config config{3, 4, 20, 80, 16, 23, 1e-5f, true};

struct World {
  Weights weights = reference::random_weights(config, 11);
  Trace trace;
  Pool pool;
  World() { REQUIRE(run(weights, reference::random_ids(config, 10, 12), trace, pool)); }
};

}  // namespace

TEST_CASE("the stages of a head lead to one another") {
  const World w;
  const std::size_t n = 10;
  for (std::size_t layer = 0; layer < config.n_layers; ++layer)
    for (std::size_t head = 0; head < config.n_heads; ++head) {
      const HeadIndex at{layer, head};
      const auto raw = scores_raw(w.trace, at), scaled = scores_scaled(w.trace, at), masked = scores_masked(w.trace, at),
                 shares = pattern(w.trace, at), q = queries(w.trace, at), k = keys(w.trace, at);
      for (std::size_t row = 0; row < n; ++row) {
        double sum = 0;
        for (std::size_t column = 0; column < n; ++column) {
          const std::size_t cell = row * n + column;
          double dot = 0;
          for (std::size_t i = 0; i < 5; ++i) dot += double(q[row * 5 + i]) * k[column * 5 + i];
          CHECK(raw[cell] == doctest::Approx(dot).epsilon(1e-4));
          CHECK(scaled[cell] == raw[cell] / std::sqrt(5.0f));
          CHECK((column > row ? masked[cell] == -INFINITY && shares[cell] == 0 : masked[cell] == scaled[cell]));
          sum += shares[cell];

          const CellArithmetic c = cell_arithmetic(w.trace, at, row, column);
          CHECK(c.raw == raw[cell]);
          CHECK(c.scaled == scaled[cell]);
          CHECK(c.masked == (column > row));
          CHECK(c.share == shares[cell]);
          CHECK(c.raw == std::accumulate(c.products.begin(), c.products.end(), 0.0f));
          if (!c.masked) CHECK(c.share == c.exponential / c.sum);
        }
        CHECK(sum == doctest::Approx(1.0).epsilon(1e-5));
        const auto one_row = pattern_row(w.trace, at, row);
        CHECK(std::equal(one_row.begin(), one_row.end(), &shares[row * n]));
      }
    }
}

TEST_CASE("the heads' outputs and the bias add up to the layer's attention output") {
  World w;
  for (std::size_t layer = 0; layer < config.n_layers; ++layer) {
    const Result<Activation> whole =
        activation(w.weights, w.trace, "blocks." + std::to_string(layer) + ".hook_attn_out", w.pool);
    REQUIRE(whole);
    std::vector<double> sum(whole->data.size());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = w.weights.blocks[layer].c_proj.bias[i % config.d_model];
    for (std::size_t head = 0; head < config.n_heads; ++head) {
      const auto part = head_output(w.weights, w.trace, {layer, head});
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    }
    for (std::size_t i = 0; i < sum.size(); ++i) CHECK(whole->data[i] == doctest::Approx(sum[i]).epsilon(1e-4));
  }
}

TEST_CASE("the arithmetic of a blend and of what is written ends in the very numbers of the head") {
  World w;
  const std::size_t n = 10, d_head = config.d_head(), d_model = config.d_model;
  const auto check_sum = [](const SumArithmetic& sum, std::size_t terms) {
    REQUIRE(sum.products.size() == terms);
    for (std::size_t i = 0; i < terms; ++i) CHECK(sum.products[i] == sum.left[i] * sum.right[i]);
    CHECK(sum.sum == std::accumulate(sum.products.begin(), sum.products.end(), 0.0f));
  };
  for (const Precision precision : {Precision::f32, Precision::f16, Precision::int8}) {
    PackedMatrix& w_o = w.weights.blocks[2].c_proj.weight;
    w_o = PackedMatrix(config.d_model, config.d_model, precision);
    place_matrix(w_o, reference::random_weights(config, 11).blocks[2].c_proj.weight);
    const HeadIndex at{2, 3};
    const auto shares = pattern(w.trace, at), v = values(w.trace, at), z = blends(w.trace, at),
               out = head_output(w.weights, w.trace, at);
    for (std::size_t row = 0; row < n; ++row) {
      for (std::size_t i = 0; i < d_head; ++i) {
        const SumArithmetic blend = blend_arithmetic(w.trace, at, row, i);
        check_sum(blend, row + 1);
        CHECK(blend.sum == z[row * d_head + i]);
        for (std::size_t j = 0; j <= row; ++j) {
          CHECK(blend.left[j] == shares[row * n + j]);
          CHECK(blend.right[j] == v[j * d_head + i]);
        }
      }
      for (std::size_t column = 0; column < d_model; ++column) {
        const SumArithmetic written = write_arithmetic(w.weights, w.trace, at, row, column);
        check_sum(written, d_head);
        CHECK(written.sum == out[row * d_model + column]);
        for (std::size_t i = 0; i < d_head; ++i) {
          CHECK(written.left[i] == z[row * d_head + i]);
          CHECK(written.right[i] == w_o.at(at.head * d_head + i, column));
        }
      }
    }
  }
}

TEST_CASE("the logit lens ends where the model ends") {
  World w;
  const auto last = logit_lens(w.weights, w.trace, 3, 9, w.pool);
  const auto direct = logits(w.weights, {&w.trace.resid_final[9 * config.d_model], config.d_model}, w.pool);
  CHECK(last == direct);
  const auto first = logit_lens(w.weights, w.trace, 0, 9, w.pool);
  CHECK(first == logits(w.weights, {&w.trace.blocks[0].resid_pre[9 * config.d_model], config.d_model}, w.pool));
  CHECK(first != last);
}

TEST_CASE("top-k and standing agree, ties go to the lower id") {
  const std::vector<float> scores = {1, 5, 5, -3, 2};
  const auto guesses = top_k(scores, 3);
  REQUIRE(guesses.size() == 3);
  CHECK(guesses[0].id == 1);
  CHECK(guesses[1].id == 2);
  CHECK(guesses[2].id == 4);
  CHECK(guesses[0].probability == guesses[1].probability);
  CHECK(top_k(scores, 99).size() == 5);
  for (std::size_t rank = 0; rank < 3; ++rank) {
    CHECK(standing_of(scores, guesses[rank].id).rank == rank);
    CHECK(standing_of(scores, guesses[rank].id).probability == guesses[rank].probability);
  }
  CHECK(standing_of(scores, 3).rank == 4);
}

TEST_CASE("the head finder and the mean look at every head") {
  const World w;
  const std::size_t from = 8, to = 3;
  FoundHead best{{0, 0}, -1};
  std::vector<double> mean(from + 1, 0.0);
  for (std::size_t layer = 0; layer < config.n_layers; ++layer) {
    float best_here = -1;
    for (std::size_t head = 0; head < config.n_heads; ++head) {
      const auto row = pattern_row(w.trace, {layer, head}, from);
      for (std::size_t j = 0; j <= from; ++j) mean[j] += row[j] / 12.0;
      best_here = std::max(best_here, row[to]);
      if (row[to] > best.share) best = {{layer, head}, row[to]};
    }
    CHECK(hardest_looking_head(w.trace, layer, from, to).share == best_here);
  }
  const FoundHead found = hardest_looking_head(w.trace, from, to);
  CHECK(found.at.layer == best.at.layer);
  CHECK(found.at.head == best.at.head);
  CHECK(found.share == best.share);
  const auto got = mean_pattern_row(w.trace, from);
  for (std::size_t j = 0; j <= from; ++j) CHECK(got[j] == doctest::Approx(mean[j]).epsilon(1e-5));
}

TEST_CASE("one token's shares in every head, and their mean, go by name") {
  World w;
  for (const std::size_t from : {std::size_t{0}, std::size_t{6}, std::size_t{9}}) {
    const auto every = activation(w.weights, w.trace, "shares." + std::to_string(from), w.pool);
    const auto mean = activation(w.weights, w.trace, "mean_shares." + std::to_string(from), w.pool);
    REQUIRE(every);
    REQUIRE(mean);
    CHECK(every->shape == std::vector<std::size_t>{config.n_layers, config.n_heads, from + 1});
    CHECK(mean->shape == std::vector<std::size_t>{from + 1});
    CHECK(mean->data == mean_pattern_row(w.trace, from));
    std::size_t at = 0;
    for (std::size_t layer = 0; layer < config.n_layers; ++layer)
      for (std::size_t head = 0; head < config.n_heads; ++head)
        for (const float share : pattern_row(w.trace, {layer, head}, from)) CHECK(every->data[at++] == share);
    CHECK(at == every->data.size());
  }
}

TEST_CASE("what is not finite is found, and never wins") {
  World w;
  CHECK_FALSE(first_not_finite(w.trace));
  w.trace.blocks[1].resid_mid[3] = std::nanf("");
  CHECK(first_not_finite(w.trace) == 1);
  w.trace.blocks[0].q.assign(w.trace.blocks[0].q.size(), std::nanf(""));
  CHECK(hardest_looking_head(w.trace, 0, 8, 3).share == 0);
  const std::vector<float> scores = {std::nanf(""), 1, std::nanf(""), 2};
  const auto guesses = top_k(scores, 4);
  CHECK(guesses[0].id == 3);
  CHECK(guesses[1].id == 1);
  CHECK(guesses[2].id == 0);
  CHECK(guesses[3].id == 2);
}

TEST_CASE("a wrong head, position or name is named in one sentence") {
  World w;
  CHECK(check_head(w.trace, {2, 3}));
  CHECK(check_head(w.trace, {3, 0}).error().sentence ==
        "There is no layer 3 head 0; layers 0 to 2 and heads 0 to 3 were expected.");
  CHECK(check_position(w.trace, 9));
  CHECK_FALSE(check_position(w.trace, 10));
  for (const char* name : {"", "blocks", "blocks.3.attn.hook_q", "blocks.x.attn.hook_q", "blocks.0.attn.hook", "blocks.0",
                           "shares.10", "shares.-1", "shares.", "shares.1.2", "mean_shares.10", "mean_shares.1x"})
    CHECK_FALSE(activation(w.weights, w.trace, name, w.pool));
}
