// Random scores and how far they spread; two shares of a row and their ratio.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/lessons/ratio.hpp"
#include "core/lessons/spread.hpp"

using namespace lookback;
using namespace lookback::lessons;

TEST_CASE("spread: scores of random lists spread by the root of their length, whatever the seed") {
  for (const std::uint64_t seed : {0u, 1u, 2u, 77u, 1000000u}) {
    for (const std::size_t d : {1u, 2u, 7u, 64u, 200u, 256u}) {
      INFO(seed, " ", d);
      const auto out = spread({d, seed});
      REQUIRE(out);
      const double root = std::sqrt(static_cast<double>(d));
      CHECK(out->root == doctest::Approx(root));
      CHECK(out->raw.spread == doctest::Approx(root).epsilon(0.1));
      CHECK(out->divided.spread == doctest::Approx(1).epsilon(0.1));
      CHECK(std::fabs(out->raw.mean) < 0.15 * root);
    }
  }
}

TEST_CASE("spread: what is said of the scores is what they give") {
  const auto out = spread({64, 3});
  REQUIRE(out);
  for (const SpreadScores* s : {&out->raw, &out->divided}) {
    REQUIRE(s->scores.size() == spread_rows * spread_keys);
    const double n = static_cast<double>(s->scores.size());
    const double mean = std::accumulate(s->scores.begin(), s->scores.end(), 0.0) / n;
    double squares = 0, tops = 0;
    for (const float x : s->scores) squares += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean);
    for (std::size_t row = 0; row < spread_rows; ++row) {
      const float* first = &s->scores[row * spread_keys];
      double sum = 0, top = 0;
      for (std::size_t i = 0; i < spread_keys; ++i) sum += std::exp(static_cast<double>(first[i]));
      for (std::size_t i = 0; i < spread_keys; ++i) top = std::max(top, std::exp(static_cast<double>(first[i])) / sum);
      tops += top;
    }
    CHECK(s->mean == doctest::Approx(mean).epsilon(1e-4));
    CHECK(s->spread == doctest::Approx(std::sqrt(squares / n)).epsilon(1e-5));
    CHECK(s->top_share == doctest::Approx(tops / spread_rows).epsilon(1e-5));
    CHECK(std::accumulate(s->counts.begin(), s->counts.end(), 0) == static_cast<int>(spread_rows * spread_keys));
    for (std::size_t bin = 1; bin + 1 < spread_bins; ++bin) {
      const float low = spread_low + static_cast<float>(bin);
      const auto inside =
          std::count_if(s->scores.begin(), s->scores.end(), [&](float x) { return x >= low && x < low + 1; });
      REQUIRE(s->counts[bin] == inside);
    }
  }
  for (std::size_t i = 0; i < out->raw.scores.size(); ++i) REQUIRE(out->divided.scores[i] == out->raw.scores[i] / 8.0f);
  CHECK(std::accumulate(out->shares.begin(), out->shares.end(), 0.0) == doctest::Approx(1));
  CHECK(out->divided_shares.size() == spread_keys);
}

TEST_CASE("spread: softmax saturates with the length of the lists, and the division cures it") {
  for (const std::uint64_t seed : {1u, 5u, 9u}) {
    const auto out = spread({64, seed});
    REQUIRE(out->lengths.size() == 5);
    for (std::size_t i = 1; i < 5; ++i) {
      CHECK(out->lengths[i].d == 4 * out->lengths[i - 1].d);
      CHECK(out->lengths[i].top_share > out->lengths[i - 1].top_share);
      CHECK(out->lengths[i].divided_top_share < 0.45);
    }
    CHECK(out->lengths[4].top_share > 0.9);
    CHECK(out->lengths[3].spread == out->raw.spread);  // d = 64, the same random numbers
  }
}

TEST_CASE("spread: a longer list continues a shorter one, and a seed decides everything") {
  // The difference of two neighbouring lengths is a product of two entries, each within 4 · √3 / 2.
  const auto shorter = spread({31, 4}), longer = spread({32, 4});
  for (std::size_t i = 0; i < shorter->raw.scores.size(); ++i) {
    REQUIRE(std::fabs(longer->raw.scores[i] - shorter->raw.scores[i]) <= 12.0f);
  }
  CHECK(spread({31, 4})->raw.scores == shorter->raw.scores);
  CHECK(spread({31, 5})->raw.scores != shorter->raw.scores);
  CHECK_FALSE(spread({0, 1}));
  CHECK_FALSE(spread({257, 1}));
}

TEST_CASE("ratio: two shares stand in the ratio e^lead, whatever else the row holds") {
  std::mt19937 random(8);
  std::uniform_real_distribution<float> score(-8, 8);
  for (int round = 0; round < 400; ++round) {
    RatioInput in{score(random), score(random), {}};
    const auto alone = ratio(in);
    for (std::size_t n = random() % 20; n > 0; --n) in.others.push_back(score(random));
    const auto out = ratio(in);
    REQUIRE(out);
    const double lead = static_cast<double>(in.first) - static_cast<double>(in.second);
    REQUIRE(*out->e_lead == doctest::Approx(std::exp(lead)).epsilon(1e-5));
    REQUIRE(*out->measured == doctest::Approx(std::exp(lead)).epsilon(1e-5));
    REQUIRE(out->of_two == alone->shares);
    REQUIRE(out->shares[0] + out->shares[1] + out->rest == doctest::Approx(1).epsilon(1e-5));
    REQUIRE(std::accumulate(out->per_mille.begin(), out->per_mille.end(), 0) == 1000);
  }
}

TEST_CASE("ratio: the book's row, and leads beyond a float") {
  const auto book = ratio({4.25f, 3.23f, {4.24f}});
  CHECK(*book->e_lead == doctest::Approx(2.773).epsilon(1e-3));
  CHECK(std::lround(book->shares[0] * 100) == 43);
  CHECK(std::lround(book->shares[1] * 100) == 15);
  const auto far = ratio({1000, -1000, {}});
  CHECK_FALSE(far->e_lead);
  CHECK_FALSE(far->measured);
  CHECK(far->shares == std::vector<float>{1, 0});
  CHECK_FALSE(ratio({1001, 0, {}}));
  CHECK_FALSE(ratio({0, NAN, {}}));
  CHECK_FALSE(ratio({0, 0, std::vector<float>(255, 0.0f)}));
}
