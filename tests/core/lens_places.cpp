// The position table: its rows as they are added, and how alike they are.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/lens/activations.hpp"
#include "core/lens/places.hpp"
#include "core/model/transformer.hpp"
#include "tests/core/reference.hpp"

using namespace lookback;

namespace {

const Config config{2, 4, 20, 80, 16, 23, 1e-5f, true};

struct World {
  Weights weights = reference::random_weights(config, 8);
  Trace trace;
  Pool pool;
  explicit World(const Edits& edits = {}) { REQUIRE(run(weights, std::vector<int>{4, 17, 2, 17, 9}, trace, pool, edits)); }
  std::vector<float> ask(const std::string& name, const std::vector<std::size_t>& shape) {
    const auto found = activation(weights, trace, name, pool);
    REQUIRE(found);
    CHECK(found->shape == shape);
    return found->data;
  }
};

}  // namespace

TEST_CASE("a token's row and its place's row add up to where the layers begin, bit for bit") {
  for (const Positions positions : {Positions::learned, Positions::none, Positions::shuffled}) {
    Edits edits;
    edits.positions = positions;
    World w(edits);
    const auto tokens = w.ask("hook_embed", {5, 20}), places = w.ask("hook_pos_embed", {5, 20}),
               begin = w.ask("blocks.0.hook_resid_pre", {5, 20});
    for (std::size_t i = 0; i < begin.size(); ++i) REQUIRE(begin[i] == tokens[i] + places[i]);
    const bool as_learned = std::equal(places.begin(), places.end(), w.weights.wpe.begin());
    CHECK(as_learned == (positions == Positions::learned));
  }
}

TEST_CASE("wpe is the position table, row by row") {
  World w;
  const auto table = w.ask("wpe", {config.n_positions, 20});
  CHECK(table == w.weights.wpe);
  const auto places = w.ask("hook_pos_embed", {5, 20});
  CHECK(std::equal(places.begin(), places.end(), table.begin()));
}

TEST_CASE("wpe_cosines compares the row of a place with every row") {
  World w;
  w.weights.wpe = reference::random_weights(config, 9).wpe;
  for (std::size_t place = 0; place < config.n_positions; ++place) {
    const auto cosines = w.ask("wpe_cosines." + std::to_string(place), {config.n_positions});
    for (std::size_t other = 0; other < config.n_positions; ++other) {
      long double product = 0, own = 0, theirs = 0;
      for (std::size_t i = 0; i < 20; ++i) {
        const long double a = w.weights.wpe[place * 20 + i], b = w.weights.wpe[other * 20 + i];
        product += a * b;
        own += a * a;
        theirs += b * b;
      }
      REQUIRE(cosines[other] == doctest::Approx(static_cast<double>(product / std::sqrt(own * theirs))).epsilon(1e-6));
    }
    CHECK(cosines[place] == 1);
  }
}

TEST_CASE("a row of zeros is like no other, and an opposite row is at -1") {
  World w;
  for (std::size_t i = 0; i < 20; ++i) {
    w.weights.wpe[20 + i] = 0;
    w.weights.wpe[2 * 20 + i] = -3 * w.weights.wpe[i];
  }
  const auto cosines = place_cosines(w.weights, 0);
  CHECK(cosines[1] == 0);
  CHECK(cosines[2] == doctest::Approx(-1));
  for (const float cosine : place_cosines(w.weights, 1)) CHECK(cosine == 0);
}

TEST_CASE("names of the tables are told apart, and wrong places are refused") {
  World w;
  for (const char* name : {"wpe", "wpe_cosines.3"}) CHECK(reads_position_table(name));
  for (const char* name : {"hook_embed", "hook_pos_embed", "rows.1"}) CHECK_FALSE(reads_position_table(name));
  for (const char* name : {"wpe", "wpe_cosines.3", "hook_embed", "hook_pos_embed"}) CHECK(half_steps_for(name) == 1);
  for (const char* name : {"wpe_cosines.", "wpe_cosines.16", "wpe_cosines.x", "wpe_cosines.1.2", "wpe.", "wpe_cosines"})
    CHECK_FALSE(activation(w.weights, w.trace, name, w.pool));
}
