// Two texts of the same words: without positions the first layer's attention brings their last tokens the same up to
// rounding, with positions it does not; from the second layer on the mask tells them apart.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/lens/activations.hpp"
#include "core/lens/apart.hpp"
#include "core/model/transformer.hpp"
#include "tests/core/reference.hpp"

using namespace lookback;

namespace {

std::vector<Apart> compared(const Weights& weights, Positions positions, const std::vector<int>& one, const std::vector<int>& two) {
  Pool pool;
  Trace traces[2];
  Edits edits;
  edits.positions = positions;
  REQUIRE(run(weights, one, traces[0], pool, edits));
  REQUIRE(run(weights, two, traces[1], pool, edits));
  return attention_apart(weights, traces[0], traces[1], pool);
}

}  // namespace

TEST_CASE("order shows in the first layer by positions alone, and by the mask from the second layer on") {
  const Config config{3, 4, 20, 80, 16, 23, 1e-5f, true};
  const Weights weights = reference::random_weights(config, 5);
  const std::vector<int> one = {4, 17, 2, 9, 11, 3}, two = {4, 11, 2, 9, 17, 3};
  const auto without = compared(weights, Positions::none, one, two);
  REQUIRE(without.size() == 3);
  CHECK(without[0].one > 0.01);
  CHECK(without[0].difference < 1e-5 * without[0].one);
  for (std::size_t layer = 1; layer < 3; ++layer) CHECK(without[layer].difference > 1e-3 * without[layer].one);
  for (const Positions positions : {Positions::learned, Positions::shuffled})
    CHECK(compared(weights, positions, one, two)[0].difference > 1e-3 * without[0].one);
  // A text against itself: no number differs in any bit.
  for (const Apart& a : compared(weights, Positions::none, one, one)) {
    CHECK(a.difference == 0);
    CHECK(a.equal == config.d_model);
  }
}

TEST_CASE("lengths, difference and equal bits are those of the rows") {
  const std::vector<float> one = {3, 0, 4, 1}, two = {3, 0, 1, 1};
  const Apart found = apart(one, two);
  CHECK(found.one == std::sqrt(26.0));
  CHECK(found.two == std::sqrt(11.0));
  CHECK(found.difference == 3);
  CHECK(found.most == 3);
  CHECK(found.equal == 3);
  CHECK(apart(std::vector<float>{0.0f}, std::vector<float>{-0.0f}).equal == 0);  // other bits
}

TEST_CASE("what is compared is hook_attn_out of the last token") {
  const Config config{2, 2, 12, 48, 10, 19, 1e-5f, true};
  const Weights weights = reference::random_weights(config, 8);
  const std::vector<int> one = {4, 17, 2}, two = {9, 1, 3, 2};
  Pool pool;
  Trace traces[2];
  REQUIRE(run(weights, one, traces[0], pool));
  REQUIRE(run(weights, two, traces[1], pool));
  const auto layers = attention_apart(weights, traces[0], traces[1], pool);
  for (std::size_t layer = 0; layer < 2; ++layer) {
    const std::string name = "blocks." + std::to_string(layer) + ".hook_attn_out";
    const auto a = activation(weights, traces[0], name, pool), b = activation(weights, traces[1], name, pool);
    REQUIRE(a);
    REQUIRE(b);
    double squares = 0;
    for (std::size_t c = 0; c < 12; ++c) {
      const double difference = static_cast<double>(a->data[2 * 12 + c]) - b->data[3 * 12 + c];
      squares += difference * difference;
    }
    CHECK(std::fabs(layers[layer].difference - std::sqrt(squares)) < 1e-12);
    CHECK(layers[layer].difference > 0);
  }
}
