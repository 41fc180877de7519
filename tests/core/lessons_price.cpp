// What looking back costs: counts against a plain enumeration, and times against a machine whose speed is known.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/lessons/price.hpp"
#include "core/model/trace.hpp"

using namespace lookback;
using namespace lookback::lessons;

namespace {

std::uint64_t looks_one_by_one(std::uint64_t tokens) {
  std::uint64_t looks = 0;
  for (std::uint64_t row = 0; row < tokens; ++row) {
    for (std::uint64_t column = 0; column <= row; ++column) ++looks;
  }
  return looks;
}

}  // namespace

TEST_CASE("cost: looks are the visible squares, counted one by one") {
  std::mt19937 random(6);
  for (int round = 0; round < 60; ++round) {
    const CostInput in{1 + random() % 90, random() % 90, 1 + random() % 48, 1 + random() % 25};
    const auto out = cost(in);
    REQUIRE(out);
    const std::uint64_t n = in.tokens + in.added;
    REQUIRE(out->before.looks == looks_one_by_one(in.tokens));
    REQUIRE(out->after.looks == looks_one_by_one(n));
    REQUIRE(out->before.looks + out->across + out->among == out->after.looks);
    REQUIRE(out->after.looks_in_all == out->after.looks * in.layers * in.heads);
    REQUIRE(*out->after.times ==
            doctest::Approx(static_cast<double>(out->after.looks) / static_cast<double>(out->before.looks)));
    std::uint64_t anew = 0;
    for (std::uint64_t m = 1; m <= n; ++m) anew += looks_one_by_one(m);
    REQUIRE(out->anew == anew);
  }
}

TEST_CASE("cost: the book's numbers") {
  CHECK(cost({9})->before.looks == 45);
  CHECK(cost({200})->before.looks == 20100);
  CHECK(cost({1000, 0, 12, 12})->before.looks == 500500);
  CHECK(cost({1000, 0, 12, 12})->before.looks_in_all == 72072000);
  CHECK(cost({1024})->before.looks == 524800);
  CHECK(std::lround(*cost({9, 991})->after.times) == 11122);
  CHECK(cost({1, 0, 32, 16})->heads_in_all == 512);
}

TEST_CASE("cost: each doubling is twice as long, and its factor creeps up to four") {
  const auto out = cost({9});
  REQUIRE(out->doublings.size() == 5);
  CHECK_FALSE(out->doublings[0].times);
  for (std::size_t i = 1; i < 5; ++i) {
    const CostRow &row = out->doublings[i], &above = out->doublings[i - 1];
    CHECK(row.tokens == 2 * above.tokens);
    CHECK(row.looks == looks_one_by_one(row.tokens));
    CHECK(*row.times < 4);
    if (i > 1) CHECK(*row.times > *above.times);
  }
}

TEST_CASE("cost: the largest text is counted exactly, and what is beyond is refused") {
  const auto most = cost({200000, 200000, 1000, 200});
  REQUIRE(most);
  CHECK(most->after.looks == 80000200000u);
  CHECK(most->anew == 10666746666800000u);  // 400000 · 400001 · 400002 / 6
  CHECK(most->doublings[4].looks_in_all == 5120001600000u * 200000u);
  for (const CostInput& in :
       {CostInput{0}, CostInput{200001}, CostInput{1, 200001}, CostInput{1, 0, 0}, CostInput{1, 0, 1, 201}}) {
    CHECK_FALSE(cost(in));
  }
}

TEST_CASE("price: multiplications of a pass, counted over every table and every look") {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    const std::uint64_t layers = 1 + random() % 5, heads = 1 + random() % 6, d_head = 1 + random() % 9;
    const std::uint64_t d_model = heads * d_head, d_mlp = 1 + random() % 80, n = 1 + random() % 40;
    const auto out = price({layers, heads, d_model, d_mlp, {n}, {}});
    REQUIRE(out);
    std::uint64_t for_looks = 0, for_tables = 0, last = 0;
    for (std::uint64_t layer = 0; layer < layers; ++layer) {
      for (std::uint64_t row = 0; row < n; ++row) {
        // [d_model] through W_Q, W_K, W_V, W_O, then up to d_mlp and down again.
        const std::uint64_t tables = d_model * d_model * 4 + d_model * d_mlp + d_mlp * d_model;
        const std::uint64_t looks = heads * (row + 1) * (d_head + d_head);
        for_tables += tables;
        for_looks += looks;
        if (row + 1 == n) last += tables + looks;
      }
    }
    const PriceRow& row = out->rows[0];
    REQUIRE(row.for_looks == for_looks);
    REQUIRE(row.for_tables == for_tables);
    REQUIRE(row.for_last_token == last);
    REQUIRE(row.looks_part ==
            doctest::Approx(static_cast<double>(for_looks) / static_cast<double>(for_looks + for_tables)));
    REQUIRE(row.cache_bytes == n * layers * 2 * d_model * sizeof(float));
    REQUIRE(row.grid_bytes == layers * heads * n * n * sizeof(float));
    REQUIRE_FALSE(row.expected_milliseconds);
    REQUIRE_FALSE(out->speed);
  }
}

TEST_CASE("price: looks and tables are even at twelve widths of text") {
  const auto out = price({12, 12, 768, 3072, {1024, 9215}, {}});
  REQUIRE(out);
  CHECK(std::lround(out->rows[0].looks_part * 100) == 10);
  CHECK(out->rows[1].for_looks == out->rows[1].for_tables);
}

TEST_CASE("price: a machine of one speed takes what the formula expects") {
  const PriceInput counted{4, 4, 96, 384, {8, 16, 32, 64, 128}, {}};
  PriceInput timed = counted;
  constexpr double speed = 3e9;
  const auto before = price(counted);
  for (const PriceRow& row : before->rows) {
    timed.milliseconds.push_back(
        static_cast<float>(static_cast<double>(row.for_looks + row.for_tables) / speed * 1000));
  }
  const auto out = price(timed);
  REQUIRE(out);
  CHECK(*out->speed == doctest::Approx(speed).epsilon(1e-5));
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(*out->rows[i].expected_milliseconds == doctest::Approx(timed.milliseconds[i]).epsilon(1e-5));
  }
  // A pass that took longer than its count moves the speed, not the other counts.
  timed.milliseconds[0] *= 10;
  const auto slower = price(timed);
  CHECK(*slower->speed < *out->speed);
  CHECK(slower->rows[4].for_looks == out->rows[4].for_looks);
}

TEST_CASE("price: the largest sizes do not overflow, and what is beyond is refused") {
  const auto most = price({1000, 200, 100000, 100000, {200000}, {}});
  REQUIRE(most);
  const double tables = 2e5 * 1000 * (4e10 + 2e10), looks = 2e5 * 200001.0 / 2 * 2e5 * 1000;
  CHECK(static_cast<double>(most->rows[0].for_tables) == doctest::Approx(tables).epsilon(1e-9));
  CHECK(static_cast<double>(most->rows[0].for_looks) == doctest::Approx(looks).epsilon(1e-9));
  CHECK(most->rows[0].looks_part == doctest::Approx(looks / (looks + tables)).epsilon(1e-6));
  CHECK_FALSE(price({0, 4, 96, 384, {8}, {}}));
  CHECK_FALSE(price({4, 4, 100001, 384, {8}, {}}));
  CHECK_FALSE(price({4, 4, 96, 384, {}, {}}));
  CHECK_FALSE(price({4, 4, 96, 384, {200001}, {}}));
  CHECK_FALSE(price({4, 4, 96, 384, {8, 16}, {1}}));
  CHECK_FALSE(price({4, 4, 96, 384, {8}, {0}}));
  CHECK_FALSE(price({4, 4, 96, 384, {8}, {NAN}}));
}

TEST_CASE("price: the cache is what a trace holds as keys and values") {
  Config config;
  config.n_layers = 3;
  config.n_heads = 2;
  config.d_model = 16;
  config.d_mlp = 64;
  config.n_positions = 64;
  config.d_vocab = 10;
  Trace trace;
  trace.config = config;
  resize(trace, 40);  // whole panels of keys, so that no padding counts
  std::size_t bytes = 0;
  for (const BlockTrace& block : trace.blocks) bytes += (block.k.size() + block.v.size()) * sizeof(float);
  CHECK(price({3, 2, 16, 64, {40}, {}})->rows[0].cache_bytes == bytes);
}
