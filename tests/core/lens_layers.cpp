// What layers add to a row, and a token's standing from layer to layer.
#include <doctest/doctest.h>

#include <cmath>

#include "core/lens/activations.hpp"
#include "core/lens/layer_lengths.hpp"
#include "core/lens/logit_lens.hpp"
#include "tests/core/reference.hpp"

using namespace lookback;

namespace {

const Config config{3, 4, 20, 80, 16, 23, 1e-5f, true};

struct World {
  Weights weights = reference::random_weights(config, 5);
  Trace trace;
  Pool pool;
  World() { REQUIRE(run(weights, reference::random_ids(config, 9, 3), trace, pool)); }

  std::vector<float> named(const std::string& name) {
    const Result<Activation> found = activation(weights, trace, name, pool);
    REQUIRE(found);
    return found->data;
  }
};

double length(const std::vector<float>& rows, std::size_t position) {
  double squares = 0;
  for (std::size_t c = 0; c < config.d_model; ++c) squares += std::pow(double(rows[position * config.d_model + c]), 2);
  return std::sqrt(squares);
}

}  // namespace

TEST_CASE("layer lengths are those of the rows and of what the two halves of a layer write") {
  World w;
  for (const std::size_t position : {0, 4, 8}) {
    const auto lengths = layer_lengths(w.trace, position);
    REQUIRE(lengths.size() == 3);
    for (std::size_t layer = 0; layer < 3; ++layer) {
      const std::string block = "blocks." + std::to_string(layer) + ".";
      const LayerLengths& l = lengths[layer];
      const auto near = [&](float found, const std::string& hook) {
        CHECK(found == doctest::Approx(length(w.named(block + hook), position)).epsilon(1e-4));
      };
      near(l.before, "hook_resid_pre");
      near(l.attention, "hook_attn_out");
      near(l.between, "hook_resid_mid");
      near(l.feed_forward, "hook_mlp_out");
      near(l.after, "hook_resid_post");
      if (layer > 0) CHECK(l.before == lengths[layer - 1].after);
    }
  }
  CHECK(layer_lengths(w.trace, 0)[0].before != layer_lengths(w.trace, 8)[0].before);
}

TEST_CASE("a token's standing by layers is what the lens gives after each") {
  World w;
  for (const int id : {0, 7, 22}) {
    const auto standings = standing_by_layers(w.weights, w.trace, 6, id, w.pool);
    REQUIRE(standings.size() == 4);
    for (std::size_t done = 0; done <= 3; ++done) {
      const auto guesses = top_k(logit_lens(w.weights, w.trace, done, 6, w.pool), config.d_vocab);
      CHECK(guesses[standings[done].rank].id == id);
      CHECK(guesses[standings[done].rank].probability == standings[done].probability);
    }
  }
}

TEST_CASE("both go by name, and a name that means nothing is refused") {
  World w;
  const auto lengths = layer_lengths(w.trace, 2);
  const Result<Activation> by_name = activation(w.weights, w.trace, "lengths.2", w.pool);
  REQUIRE(by_name);
  CHECK(by_name->shape == std::vector<std::size_t>{3, 5});
  for (std::size_t layer = 0; layer < 3; ++layer) {
    const LayerLengths& l = lengths[layer];
    const float expected[] = {l.before, l.attention, l.between, l.feed_forward, l.after};
    CHECK(std::equal(expected, expected + 5, &by_name->data[layer * 5]));
  }
  const Result<Activation> lens = activation(w.weights, w.trace, "lens.2.19", w.pool);
  REQUIRE(lens);
  CHECK(lens->shape == std::vector<std::size_t>{4, 2});
  const auto standings = standing_by_layers(w.weights, w.trace, 2, 19, w.pool);
  for (std::size_t done = 0; done <= 3; ++done) {
    CHECK(lens->data[2 * done] == standings[done].probability);
    CHECK(lens->data[2 * done + 1] == static_cast<float>(standings[done].rank));
  }
  for (const char* name : {"lengths.9", "lengths.", "lengths.-1", "lengths.2.", "lens.2", "lens.2.23", "lens.9.0", "lens.2.1x",
                           "lens.99999999999999999999.1", "blocks.0hook_resid_pre", "blocks.0", "blocks.0.", "lens..1"}) {
    INFO(name);
    CHECK_FALSE(activation(w.weights, w.trace, name, w.pool));
  }
}
