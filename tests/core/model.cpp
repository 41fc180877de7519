// The forward pass against the double-precision reference, and the invariants "a row stands alone" and "the same bits
// with any number of threads".
#include <doctest/doctest.h>

#include <cstring>

#include "core/lens/activations.hpp"
#include "core/lens/logit_lens.hpp"
#include "core/model/sampling.hpp"
#include "core/model/transformer.hpp"
#include "tests/core/reference.hpp"

using namespace lookback;
using reference::random_ids;
using reference::random_weights;

namespace {

struct Case {
  const char* what;
  Config config;
  std::size_t n;
};

const std::vector<Case> cases = {
    {"one head, width 10", {1, 1, 10, 40, 9, 17, 1e-5f, true}, 5},
    {"width not a multiple of 8, three heads of 4", {2, 3, 12, 48, 20, 50, 1e-5f, true}, 20},
    {"vocabulary of 3, untied head", {3, 3, 48, 192, 11, 3, 1e-5f, false}, 11},
    {"one token", {2, 2, 16, 64, 8, 30, 1e-5f, true}, 1},
    {"d_head 5, odd feed-forward", {2, 3, 15, 31, 40, 101, 1e-3f, false}, 33},
    {"longer than a chunk", {2, 4, 32, 128, 150, 64, 1e-5f, true}, 150},
};

void check_close(const std::vector<float>& got, const reference::Matrix& truth, double tolerance) {
  double worst = 0;
  REQUIRE(got.size() == truth.size() * truth[0].size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double t = truth[i / truth[0].size()][i % truth[0].size()];
    worst = std::max(worst, std::fabs(got[i] - t) / std::max(1.0, std::fabs(t)));
  }
  CHECK(worst < tolerance);
}

std::vector<float> all_bits(const Trace& trace) {
  std::vector<float> all;
  for (const BlockTrace& b : trace.blocks)
    for (const auto* part : {&b.resid_pre, &b.q, &b.k, &b.v, &b.resid_mid}) all.insert(all.end(), part->begin(), part->end());
  all.insert(all.end(), trace.resid_final.begin(), trace.resid_final.end());
  return all;
}

bool same_bits(const Trace& a, const Trace& b) {
  const std::vector<float> x = all_bits(a), y = all_bits(b);
  return a.ids == b.ids && x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0;
}

Trace pass(const Weights& weights, const std::vector<int>& ids, std::size_t threads = 1) {
  Pool pool(threads);
  Trace trace;
  REQUIRE(run(weights, ids, trace, pool));
  return trace;
}

}  // namespace

TEST_CASE("every intermediate agrees with a naive double-precision model") {
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const Weights weights = random_weights(c.config, 7);
    const std::vector<int> ids = random_ids(c.config, c.n, 8);
    const Trace trace = pass(weights, ids);
    const reference::Pass truth = reference::run(weights, ids);
    Pool pool;
    const auto get = [&](const std::string& name) {
      const Result<Activation> found = activation(weights, trace, name, pool);
      REQUIRE(found);
      return found->data;
    };
    constexpr double tolerance = 2e-5;  // f32 sums of up to 192 products of size 1, two or three layers deep
    for (std::size_t L = 0; L < c.config.n_layers; ++L) {
      const reference::Layer& layer = truth.layers[L];
      const std::string block = "blocks." + std::to_string(L) + ".";
      check_close(get(block + "hook_resid_pre"), layer.resid_pre, tolerance);
      check_close(get(block + "ln1.hook_normalized"), layer.ln1, tolerance);
      check_close(get(block + "attn.hook_q"), layer.q, tolerance);
      check_close(get(block + "attn.hook_k"), layer.k, tolerance);
      check_close(get(block + "attn.hook_v"), layer.v, tolerance);
      check_close(get(block + "attn.hook_z"), layer.z, tolerance);
      check_close(get(block + "hook_attn_out"), layer.attn_out, tolerance);
      check_close(get(block + "hook_resid_mid"), layer.resid_mid, tolerance);
      check_close(get(block + "ln2.hook_normalized"), layer.ln2, tolerance);
      check_close(get(block + "mlp.hook_pre"), layer.mlp_pre, tolerance);
      check_close(get(block + "mlp.hook_post"), layer.mlp_post, tolerance);
      check_close(get(block + "hook_mlp_out"), layer.mlp_out, tolerance);
      const std::vector<float> raw = get(block + "attn.hook_scores_raw"), shares = get(block + "attn.hook_pattern");
      const std::size_t cells = c.n * c.n;
      for (std::size_t h = 0; h < c.config.n_heads; ++h) {
        check_close({raw.begin() + h * cells, raw.begin() + (h + 1) * cells}, layer.scores_raw[h], tolerance);
        check_close({shares.begin() + h * cells, shares.begin() + (h + 1) * cells}, layer.pattern[h], tolerance);
      }
    }
    check_close(trace.resid_final, truth.resid_final, tolerance);
    for (std::size_t t = 0; t < c.n; ++t) {
      const std::vector<float> row = logit_lens(weights, trace, c.config.n_layers, t, pool);
      check_close(row, {truth.logits[t]}, tolerance);
    }
  }
}

TEST_CASE("one token at a time, two threads, and a kept beginning give the same bits as one pass") {
  for (const Case& c : cases) {
    CAPTURE(c.what);
    const Weights weights = random_weights(c.config, 1);
    const std::vector<int> ids = random_ids(c.config, c.n, 2);
    const Trace whole = pass(weights, ids);
    CHECK(same_bits(whole, pass(weights, ids, 2)));
    CHECK(same_bits(whole, pass(weights, ids, 5)));

    Pool pool(2);
    Trace stepped;
    for (std::size_t n = 1; n <= c.n; ++n) REQUIRE(run(weights, {ids.data(), n}, stepped, pool));
    CHECK(same_bits(whole, stepped));

    // Another ending, then back: what is shared stays, what is not is computed anew.
    std::vector<int> other = ids;
    other.back() = (other.back() + 1) % static_cast<int>(c.config.d_vocab);
    REQUIRE(run(weights, other, stepped, pool));
    CHECK(same_bits(stepped, pass(weights, other)));
    REQUIRE(run(weights, ids, stepped, pool));
    CHECK(same_bits(whole, stepped));
    REQUIRE(run(weights, {ids.data(), (c.n + 1) / 2}, stepped, pool));
    CHECK(same_bits(stepped, pass(weights, {ids.begin(), ids.begin() + (c.n + 1) / 2})));
  }
}

TEST_CASE("a later word leaves earlier tokens' numbers alone") {
  const Config config = cases[1].config;
  const Weights weights = random_weights(config, 4);
  std::vector<int> ids = random_ids(config, 12, 5);
  const Trace before = pass(weights, ids);
  ids[9] = (ids[9] + 1) % static_cast<int>(config.d_vocab);
  const Trace after = pass(weights, ids);
  const std::size_t d = config.d_model;
  CHECK(std::memcmp(before.resid_final.data(), after.resid_final.data(), 9 * d * sizeof(float)) == 0);
  CHECK(std::memcmp(&before.resid_final[9 * d], &after.resid_final[9 * d], d * sizeof(float)) != 0);
}

TEST_CASE("what a pass refuses") {
  const Config config = cases[0].config;
  const Weights weights = random_weights(config, 1);
  Pool pool;
  Trace trace;
  CHECK(run(weights, std::vector<int>{}, trace, pool).error().code == ErrorCode::bad_argument);
  CHECK(run(weights, std::vector<int>{17}, trace, pool).error().code == ErrorCode::bad_argument);
  CHECK(run(weights, std::vector<int>{-1}, trace, pool).error().code == ErrorCode::bad_argument);
  CHECK(run(weights, std::vector<int>(9, 0), trace, pool));
  const Result<> full = run(weights, std::vector<int>(10, 0), trace, pool);
  CHECK(full.error().code == ErrorCode::window_full);
  CHECK(full.error().sentence == "The text has 10 tokens, but the model's window holds 9.");
  CHECK(trace.n_tokens() == 9);  // the previous trace is still there
}

TEST_CASE("a stopped pass leaves a trace that can go on") {
  const Config config = cases[5].config;
  const Weights weights = random_weights(config, 1);
  const std::vector<int> ids = random_ids(config, 150, 2);
  Pool pool;
  for (std::size_t stop = 0; stop <= 18; ++stop) {
    Trace trace;
    Result<Pass> stopped = Pass::begin(weights, ids, trace, pool);
    REQUIRE(stopped);
    CHECK(stopped->steps_in_all() == 18);  // three chunks, two layers of three half steps
    for (std::size_t i = 0; i < stop; ++i) CHECK(stopped->step());
    CHECK(stopped->steps_done() == stop);
    CHECK(stopped->finished() == (stop == 18));
    stopped->abandon();
    CHECK(trace.n_tokens() == std::min<std::size_t>(150, stop / 6 * 64));
    REQUIRE(run(weights, ids, trace, pool));
    CHECK(same_bits(trace, pass(weights, ids)));
  }
}

// All numbers that half steps from `first` on read become NaN: whoever reads one of them early shows it.
Weights without_half_steps(Weights weights, std::size_t first) {
  const auto spoil = [](std::vector<float>& values) { std::fill(values.begin(), values.end(), std::nanf("")); };
  for (std::size_t half = first; half < half_steps_a_layer * weights.blocks.size(); ++half) {
    BlockWeights& b = weights.blocks[half / half_steps_a_layer];
    switch (half % half_steps_a_layer) {
      case 0: spoil(b.ln_1.weight), spoil(b.ln_1.bias), spoil(b.c_attn.weight.data), spoil(b.c_attn.bias); break;
      case 1: spoil(b.c_proj.weight.data), spoil(b.c_proj.bias); break;
      case 2:
        spoil(b.ln_2.weight), spoil(b.ln_2.bias), spoil(b.mlp_fc.weight.data), spoil(b.mlp_fc.bias);
        spoil(b.mlp_proj.weight.data), spoil(b.mlp_proj.bias);
    }
  }
  return weights;
}

TEST_CASE("a pass goes as far as the weights are there, and reads no others") {
  const Config config = cases[5].config;
  const Weights all = random_weights(config, 1);
  for (const std::size_t n : {1, 64, 150}) {
    const std::vector<int> ids = random_ids(config, n, 2);
    const std::size_t chunks = (n + 63) / 64;
    Pool pool;
    Trace trace;
    Weights weights = without_half_steps(all, 0);
    Result<Pass> arriving = Pass::begin(weights, ids, trace, pool);
    REQUIRE(arriving);
    CHECK_FALSE(arriving->step(0));
    for (std::size_t ready = 1; ready <= 6; ++ready) {
      weights = without_half_steps(all, ready);
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        CHECK(arriving->half_steps_done() == ready - 1);
        CHECK(arriving->step(ready));
      }
      CHECK(arriving->half_steps_done() == ready);
      CHECK_FALSE(arriving->step(ready));
      CHECK(arriving->steps_done() == ready * chunks);
    }
    CHECK(arriving->finished());
    CHECK_FALSE(arriving->step());
    CHECK(same_bits(trace, pass(all, ids)));
  }
}

TEST_CASE("the trace's memory grows with n, as promised") {
  for (const Case& c : cases) {
    const Trace trace = pass(random_weights(c.config, 1), random_ids(c.config, c.n, 2));
    CHECK(all_bits(trace).size() * sizeof(float) + trace.ids.size() * sizeof(int) == trace_bytes(c.config, c.n));
    CHECK(trace_bytes(c.config, 80) == 10 * trace_bytes(c.config, 8));
  }
}

TEST_CASE("sampling") {
  const std::vector<float> scores = {1.0f, 3.0f, 3.0f, -2.0f, 0.0f};
  std::mt19937_64 random(1);
  CHECK(sample(scores, {0.0f, 0, 1.0f}, random) == 1);  // greedy: of equals the lower id
  CHECK(sample(scores, {1e-30f, 1, 1.0f}, random) == 1);
  CHECK(sample(scores, {1.0f, 0, 1e-6f}, random) == 1);
  std::vector<int> counts(5, 0), kept(5, 0);
  for (int i = 0; i < 40000; ++i) {
    ++counts[sample(scores, {1.0f, 0, 1.0f}, random)];
    ++kept[sample(scores, {1.0f, 3, 0.9f}, random)];
  }
  double total = 0;
  for (float s : scores) total += std::exp(s);
  for (int id = 0; id < 5; ++id) CHECK(counts[id] / 40000.0 == doctest::Approx(std::exp(scores[id]) / total).epsilon(0.15));
  CHECK(kept[3] + kept[4] == 0);
  CHECK(kept[0] == 0);  // of the three likeliest, two reach 0.9 of what they share
  CHECK_FALSE(check_sampling({-1.0f, 0, 1.0f}));
  CHECK_FALSE(check_sampling({std::nanf(""), 0, 1.0f}));
  CHECK_FALSE(check_sampling({1.0f, 0, 0.0f}));
  CHECK(check_sampling({0.0f, 0, 1.0f}));
}

TEST_CASE("a draw tells the chance that each of the likeliest had") {
  std::mt19937_64 numbers(3);
  std::vector<float> scores(200);
  for (float& score : scores) score = static_cast<float>(numbers() >> 40) * 0x1p-22f;
  for (const Sampling sampling : {Sampling{1.0f, 0, 1.0f}, Sampling{0.7f, 5, 1.0f}, Sampling{2.0f, 0, 0.3f}, Sampling{0.0f, 0, 1.0f}}) {
    std::mt19937_64 random(4), same(4);
    std::vector<double> expected(scores.size());  // by id
    double total = 0, kept = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) total += expected[i] = std::exp((scores[i] - 4.0) / sampling.temperature);
    const Draw first = draw(scores, sampling, random, scores.size());
    CHECK(first.drawn.id == sample(scores, sampling, same));
    REQUIRE(first.likeliest.size() == scores.size());
    CHECK(draw(scores, sampling, random, 3).likeliest.size() == 3);
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const Choice& choice = first.likeliest[i];
      if (i > 0) CHECK(scores[static_cast<std::size_t>(choice.id)] <= scores[static_cast<std::size_t>(first.likeliest[i - 1].id)]);
      if (choice.probability > 0) kept += expected[static_cast<std::size_t>(choice.id)] / total;
      if (choice.id == first.drawn.id) CHECK(choice.probability == first.drawn.probability);
      sum += choice.probability;
    }
    CHECK(sum == doctest::Approx(1));
    if (sampling.temperature == 0) {
      CHECK(first.likeliest[0].probability == 1);
      continue;
    }
    for (const Choice& choice : first.likeliest)
      if (choice.probability > 0) CHECK(choice.probability == doctest::Approx(expected[static_cast<std::size_t>(choice.id)] / total / kept).epsilon(1e-4));
    if (sampling.top_k) CHECK(first.likeliest[5].probability == 0);
    if (sampling.top_p < 1) CHECK(kept == doctest::Approx(sampling.top_p).epsilon(0.1));
  }
}
