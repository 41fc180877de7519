#include <doctest/doctest.h>

#include <cmath>

#include "core/lens/census.hpp"
#include "core/model/transformer.hpp"
#include "tests/core/reference.hpp"

using namespace lookback;

namespace {

// Two layers of six heads whose looks are known by construction. The stream holds three lists of 8 entries, each entry
// once with + and once with -, so that layer norm keeps them: where a token stands, which one it is, and (written by
// head 0.0) which one stands before it.
//
// 0.0 the token before; 0.1 the first; 0.2 its own token wherever it occurs; 0.3 itself; 1.2 tokens whose predecessor
// is its own token; all other heads spread their look evenly.
namespace known {

constexpr std::size_t place = 0, token = 16, before = 32, d_model = 48, d_head = 8, n_places = 8;
constexpr float loud = 4;  // makes the chosen score so large that nothing is left for the others
const Config config{2, 6, d_model, 8, n_places, 8, 1e-5f, true};

LayerNormWeights norm() { return {std::vector<float>(d_model, 1.0f), std::vector<float>(d_model, 0.0f)}; }
LinearWeights silent(std::size_t in, std::size_t out) { return {PackedMatrix(in, out), std::vector<float>(out, 0.0f)}; }

struct HeadColumns {
  std::size_t head;
  std::size_t q(std::size_t i) const { return head * d_head + i; }
  std::size_t k(std::size_t i) const { return d_model + head * d_head + i; }
  std::size_t v(std::size_t i) const { return 2 * d_model + head * d_head + i; }
};

Weights weights() {
  Weights w;
  w.config = config;
  w.wte = PackedMatrix(d_model, config.d_vocab);
  w.wpe.resize(config.n_positions * d_model);
  for (std::size_t i = 0; i < 8; ++i) {
    w.wte.full(token + i, i) = 1, w.wte.full(token + 8 + i, i) = -1;
    w.wpe[i * d_model + place + i] = 1, w.wpe[i * d_model + place + 8 + i] = -1;
  }
  for (std::size_t layer = 0; layer < config.n_layers; ++layer)
    w.blocks.push_back({norm(), silent(d_model, 3 * d_model), silent(d_model, d_model), norm(), silent(d_model, 8),
                        silent(8, d_model)});
  w.ln_f = norm();

  PackedMatrix& first = w.blocks[0].c_attn.weight;
  PackedMatrix& second = w.blocks[1].c_attn.weight;
  const HeadColumns to_previous{0}, to_first{1}, to_same{2}, to_itself{3}, to_follower{2};
  w.blocks[0].c_attn.bias[to_first.q(0)] = loud * 4;
  first.full(place, to_first.k(0)) = loud;
  for (std::size_t i = 0; i < 8; ++i) {
    first.full(place + i, to_previous.q(i)) = loud;
    if (i + 1 < 8) first.full(place + i, to_previous.k(i + 1)) = loud;
    first.full(token + i, to_previous.v(i)) = 1;
    w.blocks[0].c_proj.weight.full(i, before + i) = 1;
    w.blocks[0].c_proj.weight.full(i, before + 8 + i) = -1;
    first.full(token + i, to_same.q(i)) = loud;
    first.full(token + i, to_same.k(i)) = loud;
    first.full(place + i, to_itself.q(i)) = loud;
    first.full(place + i, to_itself.k(i)) = loud;
    second.full(token + i, to_follower.q(i)) = loud * 4;
    second.full(before + i, to_follower.k(i)) = loud;
    second.full(place, to_follower.k(i)) = -loud * 8;  // nothing stands before the first token
  }
  return w;
}

}  // namespace known

struct KnownWorld {
  Weights weights = known::weights();
  Pool pool;
  Trace pattern_again, twins;
  KnownWorld() {
    REQUIRE(run(weights, std::vector<int>{0, 1, 2, 3, 1, 2, 3}, pattern_again, pool));
    REQUIRE(run(weights, std::vector<int>{6, 5, 5, 7, 5}, twins, pool));
  }
};

void check_found(const Census& census, Role role, HeadIndex at, double share, bool named) {
  CAPTURE(name_of(role));
  const std::optional<FoundRole> found = find_head(census, role);
  REQUIRE(found);
  CHECK(found->at.layer == at.layer);
  CHECK(found->at.head == at.head);
  CHECK(found->share == doctest::Approx(share).epsilon(1e-5));
  CHECK(found->named == named);
}

}  // namespace

TEST_CASE("the census finds the heads that were built") {
  const KnownWorld w;
  Census census = begin_census(known::config);
  REQUIRE(count(census, w.pattern_again));
  REQUIRE(count(census, w.twins));
  check_found(census, Role::previous_token, {0, 0}, 1, true);
  check_found(census, Role::first_token, {0, 1}, 1, true);
  check_found(census, Role::itself, {0, 3}, 1, true);
  check_found(census, Role::induction, {1, 2}, 1, true);
  // 1/2 where the token stood once before, four times; 2/3 where it stood twice.
  check_found(census, Role::same_token, {0, 2}, (4 * 0.5 + 2.0 / 3) / 5, true);

  const HeadCensus& even = census.at({0, 4});
  CHECK(even.of(Role::previous_token).n == 10);
  CHECK(even.of(Role::itself).n == 10);
  CHECK(even.of(Role::first_token).n == 6);
  CHECK(even.of(Role::same_token).n == 5);
  CHECK(even.of(Role::induction).n == 4);  // the second 5 of "5 5" has nothing between it and the first one
  CHECK(even.of(Role::previous_token).value() ==
        doctest::Approx((2 * (1 / 2. + 1 / 3. + 1 / 4. + 1 / 5.) + 1 / 6. + 1 / 7.) / 10));
  CHECK(even.of(Role::induction).value() == doctest::Approx((1 / 5. + 1 / 6. + 1 / 7. + 2 / 5.) / 4));
  double bits = 0;
  for (const int length : {2, 3, 4, 5, 6, 7, 2, 3, 4, 5}) bits += std::log2(length) / 10;
  CHECK(even.entropy.value() == doctest::Approx(bits).epsilon(1e-5));
  CHECK(census.at({0, 0}).entropy.value() == doctest::Approx(0).epsilon(1e-5));
}

TEST_CASE("a head below the threshold is found, but not named") {
  const KnownWorld w;
  Census census = begin_census(known::config);
  Trace twice;
  Pool pool;
  REQUIRE(run(w.weights, std::vector<int>{1, 2, 3, 1}, twice, pool));
  REQUIRE(count(census, twice));
  census.heads[0].shares = census.heads[4].shares;  // as if 0.0 looked evenly
  check_found(census, Role::previous_token, {0, 0}, (1 / 2. + 1 / 3. + 1 / 4.) / 3, false);
  CHECK_FALSE(find_head(begin_census(known::config), Role::itself));
}

TEST_CASE("the census agrees with a naive recount of the grids") {
  const Config config{3, 4, 20, 80, 40, 5, 1e-5f, true};  // five tokens: nearly every row has earlier occurrences
  const Weights weights = reference::random_weights(config, 21);
  Pool pool;
  Census census = begin_census(config);
  std::vector<std::array<double, 5>> sums(12);
  std::vector<double> entropies(12);
  std::array<std::size_t, 5> looks{};
  std::size_t rows = 0;
  for (const unsigned seed : {1u, 2u, 3u}) {
    const std::vector<int> ids = reference::random_ids(config, 10 * seed, seed);
    Trace trace;
    REQUIRE(run(weights, ids, trace, pool));
    REQUIRE(count(census, trace));
    const reference::Pass pass = reference::run(weights, ids);
    for (std::size_t t = 1; t < ids.size(); ++t) {
      std::vector<std::size_t> same, followers;
      for (std::size_t j = 0; j < t; ++j) {
        if (ids[j] == ids[t]) same.push_back(j);
        if (j > 0 && ids[j - 1] == ids[t]) followers.push_back(j);
      }
      ++rows, ++looks[0], ++looks[4];
      looks[1] += t >= 3, looks[2] += !same.empty(), looks[3] += !followers.empty();
      for (std::size_t i = 0; i < 12; ++i) {
        const std::vector<double>& row = pass.layers[i / 4].pattern[i % 4][t];
        sums[i][0] += row[t - 1];
        if (t >= 3) sums[i][1] += row[0];
        for (const std::size_t j : same) sums[i][2] += row[j];
        for (const std::size_t j : followers) sums[i][3] += row[j];
        sums[i][4] += row[t];
        for (std::size_t j = 0; j <= t; ++j) entropies[i] -= row[j] * std::log2(row[j]);
      }
    }
  }
  for (std::size_t i = 0; i < 12; ++i) {
    const HeadCensus& head = census.at({i / 4, i % 4});
    for (const Role role : roles) {
      const std::size_t r = static_cast<std::size_t>(role);
      CHECK(head.of(role).n == looks[r]);
      CHECK(head.of(role).value() == doctest::Approx(sums[i][r] / static_cast<double>(looks[r])).epsilon(1e-4));
    }
    CHECK(head.entropy.value() == doctest::Approx(entropies[i] / static_cast<double>(rows)).epsilon(1e-4));
  }
}

TEST_CASE("looks at a chosen word are counted per head") {
  const KnownWorld w;
  LookCensus looks = begin_looks(known::config);
  CHECK_FALSE(largest_share(looks));
  CHECK_FALSE(hardest_most_often(looks));
  REQUIRE(count_look(looks, w.pattern_again, 5, 4, 5));
  REQUIRE(count_look(looks, w.pattern_again, 6, 5, 6));
  REQUIRE(count_look(looks, w.twins, 3, 0, 2));
  const HeadLooks& previous = looks.at({0, 0});
  CHECK(previous.share.value() == doctest::Approx(2 / 3.));
  CHECK(previous.hardest == 2);
  CHECK(previous.hardest_part() == doctest::Approx(2 / 3.));
  const HeadLooks& even = looks.at({0, 5});
  CHECK(even.share.value() == doctest::Approx((1 / 6. + 1 / 7. + 2 / 4.) / 3));
  CHECK(even.hardest == 0);  // a tie is no hardest look
  CHECK(hardest_most_often(looks)->head == 0);
  CHECK(hardest_most_often(looks)->layer == 0);

  LookCensus first = begin_looks(known::config);
  REQUIRE(count_look(first, w.pattern_again, 4, 0, 1));
  CHECK(largest_share(first)->head == 1);
  CHECK(largest_share(first)->layer == 0);
  LookCensus all = begin_looks(known::config);
  REQUIRE(count_look(all, w.pattern_again, 4, 0, 5));
  CHECK(all.at({0, 5}).share.value() == doctest::Approx(1));
  CHECK(all.at({0, 5}).hardest == 1);  // nothing lies elsewhere
}

TEST_CASE("what is not a number is never found") {
  KnownWorld w;
  const float nan = std::nanf("");
  w.pattern_again.blocks[0].q.assign(w.pattern_again.blocks[0].q.size(), nan);
  Census census = begin_census(known::config);
  REQUIRE(count(census, w.pattern_again));
  CHECK(std::isnan(census.at({0, 0}).entropy.value()));
  check_found(census, Role::induction, {1, 2}, 1, true);
  CHECK(find_head(census, Role::previous_token)->at.layer == 1);
  LookCensus looks = begin_looks(known::config);
  REQUIRE(count_look(looks, w.pattern_again, 5, 4, 5));
  CHECK(looks.at({0, 0}).hardest == 0);
  CHECK(largest_share(looks)->layer == 1);

  w.pattern_again.blocks[1].q = w.pattern_again.blocks[0].q;
  Census nothing = begin_census(known::config);
  REQUIRE(count(nothing, w.pattern_again));
  CHECK_FALSE(find_head(nothing, Role::previous_token));
}

TEST_CASE("entropy is counted in bits") {
  CHECK(entropy_bits(std::vector<float>{1}) == 0);
  CHECK(entropy_bits(std::vector<float>{1, 0, 1e-44f}) == doctest::Approx(0));
  CHECK(entropy_bits(std::vector<float>{0.5f, 0.5f}) == doctest::Approx(1));
  CHECK(entropy_bits(std::vector<float>{0.5f, 0.25f, 0.25f}) == doctest::Approx(1.5));
  CHECK(entropy_bits(std::vector<float>(256, 1 / 256.f)) == doctest::Approx(8));
}

TEST_CASE("a trace of another shape and an impossible look are named in one sentence") {
  const KnownWorld w;
  Census census = begin_census(Config{3, 6, 48, 8, 8, 8, 1e-5f, true});
  CHECK(count(census, w.twins).error().sentence ==
        "The trace has 2 layers of 6 heads; 3 layers of 6 heads were expected.");
  LookCensus looks = begin_looks(known::config);
  CHECK(count_look(looks, w.twins, 2, 1, 4).error().sentence ==
        "The look from position 2 at positions 1 up to 4 is none; at least one position up to its own was expected.");
  CHECK_FALSE(count_look(looks, w.twins, 2, 1, 1));
  CHECK_FALSE(count_look(looks, w.twins, 5, 0, 1));
  CHECK(count_look(looks, w.twins, 2, 2, 3));
  CHECK(looks.at({0, 0}).share.n == 1);  // refused looks leave no trace
}
