// What-if passes: each edit is held against the same model with its weights changed by hand, or against what the edit says.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include "core/lens/heads.hpp"
#include "core/model/transformer.hpp"
#include "tests/core/reference.hpp"

using namespace lookback;

namespace {

const Config config{2, 3, 12, 48, 20, 50, 1e-5f, true};
const std::vector<int> ids = reference::random_ids(config, 9, 8);

Trace pass(const Weights& weights, const Edits& edits = {}, const std::vector<int>& text = ids) {
  Pool pool(1);
  Trace trace;
  REQUIRE(run(weights, text, trace, pool, edits));
  return trace;
}

std::vector<float> row(const std::vector<float>& rows, std::size_t t, std::size_t width) {
  return {rows.begin() + static_cast<std::ptrdiff_t>(t * width), rows.begin() + static_cast<std::ptrdiff_t>((t + 1) * width)};
}

}  // namespace

TEST_CASE("without positions a pass is that of a model whose position table is zero") {
  const Weights weights = reference::random_weights(config, 7);
  Weights zeroed = reference::random_weights(config, 7);
  std::fill(zeroed.wpe.begin(), zeroed.wpe.end(), 0.0f);
  const Trace edited = pass(weights, {.positions = Positions::none});
  CHECK(edited.resid_final == pass(zeroed).resid_final);
  CHECK(edited.resid_final != pass(weights).resid_final);
}

TEST_CASE("shuffled positions deal the whole table anew, alike everywhere") {
  const Edits edits{.positions = Positions::shuffled, .seed = 3};
  const std::vector<std::size_t> places = position_rows(edits, config.n_positions);
  CHECK(std::set(places.begin(), places.end()).size() == config.n_positions);
  CHECK(*std::max_element(places.begin(), places.end()) == config.n_positions - 1);
  CHECK(places == position_rows(edits, config.n_positions));
  CHECK(places != position_rows({.positions = Positions::shuffled, .seed = 4}, config.n_positions));
  // By hand: mt19937's numbers for seed 5489 begin 3499211612, 581869302, 3890346734, 3586334585.
  CHECK(position_rows({.positions = Positions::shuffled, .seed = 5489}, 4) == std::vector<std::size_t>{1, 2, 3, 0});

  const Weights weights = reference::random_weights(config, 7);
  Weights dealt = reference::random_weights(config, 7);
  const std::size_t d = config.d_model;
  for (std::size_t t = 0; t < config.n_positions; ++t) std::copy_n(&weights.wpe[places[t] * d], d, &dealt.wpe[t * d]);
  CHECK(pass(weights, edits).resid_final == pass(dealt).resid_final);
}

TEST_CASE("a silenced head adds nothing, and its neighbours do what they did") {
  const Weights weights = reference::random_weights(config, 7);
  const Trace plain = pass(weights), edited = pass(weights, {.silenced = {{0, 1}}});
  Weights cut = reference::random_weights(config, 7);
  for (std::size_t i = 0; i < config.d_head(); ++i)
    for (std::size_t column = 0; column < config.d_model; ++column) cut.blocks[0].c_proj.weight.full(config.d_head() + i, column) = 0;
  CHECK(edited.resid_final == pass(cut).resid_final);
  for (const float z : blends(edited, {0, 1})) REQUIRE(z == 0);
  CHECK(blends(edited, {0, 0}) == blends(plain, {0, 0}));
  CHECK(pattern(edited, {0, 1}) == pattern(plain, {0, 1}));
  CHECK(edited.blocks[1].q != plain.blocks[1].q);
}

TEST_CASE("replaced shares are what is blended and what is shown; places before them keep their bits") {
  const Weights weights = reference::random_weights(config, 7);
  const HeadIndex at{1, 2};
  const std::vector<float> shares{0, 0.25f, 0, 0, 0.75f};
  const Trace plain = pass(weights), edited = pass(weights, {.replaced = {{1, 2, 4, shares}}});
  CHECK(pattern_row(edited, at, 4) == shares);
  const std::size_t n = ids.size(), d_head = config.d_head();
  const std::vector<float> grid = pattern(edited, at);
  CHECK(std::vector<float>(&grid[4 * n], &grid[4 * n] + 5) == shares);
  CHECK(row(grid, 3, n) == row(pattern(plain, at), 3, n));
  const std::vector<float> z = row(blends(edited, at), 4, d_head), v = values(edited, at);
  for (std::size_t i = 0; i < d_head; ++i) CHECK(z[i] == 0.25f * v[d_head + i] + 0.75f * v[4 * d_head + i]);
  for (std::size_t t = 0; t < n; ++t)
    CHECK((row(edited.resid_final, t, config.d_model) == row(plain.resid_final, t, config.d_model)) == (t != 4));
}

TEST_CASE("other edits leave nothing of the trace before; the same ones keep its beginning") {
  const Weights weights = reference::random_weights(config, 7);
  Pool pool(1);
  Trace trace;
  const Edits none{.positions = Positions::none};
  std::vector<int> longer = ids;
  longer.push_back(4);
  REQUIRE(run(weights, ids, trace, pool, none));
  Result<Pass> same = Pass::begin(weights, longer, trace, pool, none);
  REQUIRE(same);
  CHECK(same->steps_in_all() == half_steps_a_layer * config.n_layers);
  while (same->step()) {
  }
  CHECK(trace.resid_final == pass(weights, none, longer).resid_final);
  REQUIRE(run(weights, longer, trace, pool));
  CHECK(trace.resid_final == pass(weights, {}, longer).resid_final);
  CHECK(trace.edits == Edits{});
}

TEST_CASE("an edit that fits nothing is refused by a sentence, and the trace stays") {
  const Weights weights = reference::random_weights(config, 7);
  Pool pool(1);
  Trace trace = pass(weights);
  const std::vector<float> before = trace.resid_final;
  const auto refused = [&](const Edits& edits) {
    const Result<> done = run(weights, ids, trace, pool, edits);
    REQUIRE(!done);
    CHECK(done.error().code == ErrorCode::bad_argument);
    CHECK(trace.resid_final == before);
    return done.error().sentence;
  };
  CHECK(refused({.silenced = {{2, 0}}}) == "There is no head 2.0 to edit; layers 0 to 1 and heads 0 to 2 were expected.");
  CHECK(refused({.silenced = {{0, 3}}}) == "There is no head 0.3 to edit; layers 0 to 1 and heads 0 to 2 were expected.");
  CHECK(refused({.replaced = {{0, 0, 9, std::vector<float>(10)}}}) ==
        "There is no place 9 to give other shares; the text has 9 tokens, counted from 0.");
  CHECK(refused({.replaced = {{0, 0, 2, {1, 0}}}}) ==
        "The new shares of head 0.0 at place 2 must be 3 finite numbers, one for each place that it sees.");
  CHECK(refused({.replaced = {{0, 0, 1, {1, std::numeric_limits<float>::quiet_NaN()}}}}) ==
        "The new shares of head 0.0 at place 1 must be 2 finite numbers, one for each place that it sees.");
}
