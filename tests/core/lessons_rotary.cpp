// The rotary dial: turned pairs against a naive reference, and a score that knows the distance of two places only.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "core/lessons/lessons.hpp"
#include "core/lessons/rotary.hpp"

using namespace lookback;
using namespace lookback::lessons;

namespace {

constexpr double pi = 3.14159265358979323846;

RotaryInput random_input(std::mt19937& random, std::size_t d) {
  std::uniform_real_distribution<float> entry(-4, 4);
  RotaryInput input;
  for (std::size_t i = 0; i < d; ++i) input.q.push_back(entry(random));
  for (std::size_t i = 0; i < d; ++i) input.k.push_back(entry(random));
  return input;
}

// Su et al. 2021, equation 15, in the C library's double arithmetic.
double naive_score(const RotaryInput& in, double m, double n) {
  const std::size_t d = in.q.size();
  double score = 0;
  for (std::size_t j = 0; j < d / 2; ++j) {
    const double theta = std::pow(static_cast<double>(in.base), -2.0 * static_cast<double>(j) / static_cast<double>(d));
    const auto turn = [&](const std::vector<float>& list, double angle) {
      const double x = list[2 * j], y = list[2 * j + 1];
      return std::pair{x * std::cos(angle) - y * std::sin(angle), x * std::sin(angle) + y * std::cos(angle)};
    };
    const auto [qx, qy] = turn(in.q, m * theta);
    const auto [kx, ky] = turn(in.k, n * theta);
    score += qx * kx + qy * ky;
  }
  return score;
}

// What float products of entries within 4 may be off by.
double tolerance(std::size_t d) { return static_cast<double>(d) * 16 * 4e-7; }

std::string refusal(const std::string& input) {
  const auto output = lesson("rotary", input);
  return output ? "accepted: " + *output : output.error().sentence;
}

}  // namespace

TEST_CASE("rotary: the turned pairs and their score are those of a naive reference") {
  std::mt19937 random(5);
  for (const std::size_t d : {2u, 4u, 6u, 8u, 64u, 256u}) {
    for (const float base : {1.0f, 2.0f, 10000.0f, 500000.0f, 1e9f}) {
      RotaryInput in = random_input(random, d);
      in.base = base;
      in.m = static_cast<std::int64_t>(random() % 100001);
      in.n = static_cast<std::int64_t>(random() % 5000);
      const auto out = rotary(in);
      REQUIRE(out);
      INFO(d, " ", base, " ", in.m, " ", in.n);
      REQUIRE(out->pairs.size() == d / 2);
      float sum = 0;
      for (std::size_t j = 0; j < d / 2; ++j) {
        const RotaryPair& pair = out->pairs[j];
        const double theta = std::pow(static_cast<double>(base), -2.0 * static_cast<double>(j) / static_cast<double>(d));
        REQUIRE(pair.theta == doctest::Approx(theta).epsilon(1e-7));
        REQUIRE(pair.wavelength == doctest::Approx(2 * pi / theta).epsilon(1e-7));
        REQUIRE(pair.q_turns == doctest::Approx(static_cast<double>(in.m) * theta / (2 * pi)).epsilon(1e-7));
        REQUIRE(pair.k_turns == doctest::Approx(static_cast<double>(in.n) * theta / (2 * pi)).epsilon(1e-7));
        const double angle = static_cast<double>(in.m) * theta;
        REQUIRE(std::fabs(pair.q_turned[0] - (in.q[2 * j] * std::cos(angle) - in.q[2 * j + 1] * std::sin(angle))) < 2e-6);
        REQUIRE(std::fabs(pair.q_turned[1] - (in.q[2 * j] * std::sin(angle) + in.q[2 * j + 1] * std::cos(angle))) < 2e-6);
        REQUIRE(pair.product == pair.q_turned[0] * pair.k_turned[0] + pair.q_turned[1] * pair.k_turned[1]);
        sum += pair.product;
      }
      CHECK(out->score == sum);
      CHECK(std::fabs(out->score - naive_score(in, static_cast<double>(in.m), static_cast<double>(in.n))) < tolerance(d));
      CHECK(std::fabs(out->at_distance - naive_score(in, static_cast<double>(in.m - in.n), 0)) < tolerance(d));
    }
  }
}

TEST_CASE("rotary: the score depends on the distance alone, within a float's error") {
  std::mt19937 random(6);
  for (int round = 0; round < 200; ++round) {
    const std::size_t d = 2 * (1 + random() % 8);
    RotaryInput in = random_input(random, d);
    in.m = static_cast<std::int64_t>(random() % 200);
    in.n = static_cast<std::int64_t>(random() % 200);
    in.shifts = {0, 1, 10, 1000, 100000};
    const auto out = rotary(in);
    REQUIRE(out);
    REQUIRE(out->elsewhere.size() == 5);
    REQUIRE(out->elsewhere[0].score == out->score);
    float low = std::min(out->score, out->at_distance), high = std::max(out->score, out->at_distance);
    for (const RotaryScore& there : out->elsewhere) {
      REQUIRE(there.m - there.n == in.m - in.n);
      REQUIRE(std::fabs(there.score - out->score) < tolerance(d));
      low = std::min(low, there.score);
      high = std::max(high, there.score);
    }
    REQUIRE(std::fabs(out->at_distance - out->score) < tolerance(d));
    REQUIRE(out->most_apart == high - low);
  }
  // Another distance is another score.
  RotaryInput in{{1, 0.5f, 2, -1}, {1, 0.5f, 2, -1}, 7, 7};
  const float near = rotary(in)->score;
  in.n = 5;
  CHECK(near == doctest::Approx(6.25));
  CHECK(rotary(in)->score < near - 1);
}

TEST_CASE("rotary: place 0 turns nothing, and the wavelengths of base 10000 are those of the book") {
  RotaryInput in{{1, 0.5f, -2, 3, 0, 1, 1, 1}, {0.5f, 1, 1, 1, 2, -1, 0, 3}, 0, 0};
  in.bases = {10000, 500000};
  const auto out = rotary(in);
  REQUIRE(out);
  CHECK(out->score == 4);  // 0.5 + 0.5, −2 + 3, 0 − 1, 0 + 3
  CHECK(out->unturned == out->score);
  const float thetas[] = {1, 0.1f, 0.01f, 0.001f};
  const double wavelengths[] = {6.283185307, 62.83185307, 628.3185307, 6283.185307};
  REQUIRE(out->compared.size() == 2);
  for (std::size_t j = 0; j < 4; ++j) {
    CHECK(out->pairs[j].theta == thetas[j]);
    CHECK(out->pairs[j].wavelength == doctest::Approx(wavelengths[j]).epsilon(1e-7));
    CHECK(out->compared[0][j] == out->pairs[j].wavelength);
    CHECK(out->compared[1][j] == doctest::Approx(2 * pi * std::pow(500000, static_cast<double>(j) / 4)).epsilon(1e-7));
  }
}

TEST_CASE("rotary: what is no query, key, place or base is refused with a sentence") {
  const auto with = [](const std::string& rest) { return R"({"q":[1,2],"k":[3,4],)" + rest + "}"; };
  CHECK(refusal(with(R"("m":1,"n":2)")).starts_with("accepted"));
  CHECK(refusal(R"({"q":[1,2,3],"k":[1,2,3],"m":0,"n":0})").starts_with("The query and the key turn pair by pair"));
  CHECK(refusal(R"({"q":[1,2],"k":[1,2,3,4],"m":0,"n":0})") == "The query and the key must hold equally many numbers.");
  CHECK(refusal(R"({"q":[1,2],"m":0,"n":0})").starts_with("“k” is missing"));
  CHECK(refusal(with(R"("m":-1,"n":2)")).starts_with("“m” must be"));
  CHECK(refusal(with(R"("m":1,"n":0.5)")).starts_with("“n” must be"));
  CHECK(refusal(with(R"("m":1,"n":100001)")).starts_with("“n” must be"));
  CHECK(refusal(with(R"("m":1,"n":2,"base":0.5)")).starts_with("“base” must be"));
  CHECK(refusal(with(R"("m":1,"n":2,"bases":[])")).starts_with("“bases” must be"));
  CHECK(refusal(with(R"("m":1,"n":2,"shifts":[-1])")).starts_with("“shifts” must be"));
  CHECK(refusal(with(R"("m":1,"n":2,"theta":1)")).starts_with("“theta” is not a known key"));
  CHECK_FALSE(rotary({{1, 2}, {3, NAN}, 0, 0}));
  CHECK_FALSE(rotary({{1, 2}, {3, 4}, -1, 0}));
  CHECK_FALSE(rotary({{1, 2}, {3, 4}, 0, 0, INFINITY}));
  CHECK_FALSE(rotary({{}, {}, 0, 0}));
}
