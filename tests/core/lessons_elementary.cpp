// The lessons' own logarithm, power and angle, and percentages that add up.
#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "core/lessons/elementary.hpp"
#include "core/lessons/shares.hpp"

using namespace lookback::lessons;

TEST_CASE("log2 agrees with the C library's to 1e-14, and is exact at powers of two") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponents(-120, 120);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::exp2(exponents(random));
    REQUIRE(std::fabs(lookback::lessons::log2(x) - std::log2(x)) <= 1e-14 * std::max(1.0, std::fabs(std::log2(x))));
  }
  for (int e = -100; e <= 100; ++e) REQUIRE(lookback::lessons::log2(std::ldexp(1.0, e)) == e);
}

TEST_CASE("power agrees with the C library's to 1e-13, and is exact where it must be") {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> exponents(-1, 1), sizes(0, 30);
  for (int i = 0; i < 20000; ++i) {
    const double base = std::exp2(sizes(random)), exponent = exponents(random);
    REQUIRE(std::fabs(power(base, exponent) / std::pow(base, exponent) - 1) <= 1e-13);
  }
  for (int e = -20; e <= 20; ++e) REQUIRE(power(2, e) == std::ldexp(1.0, e));
  CHECK(power(10000, 0) == 1);
  CHECK(power(1, -0.75) == 1);
  CHECK(static_cast<float>(power(10000, -0.25)) == 0.1f);
}

TEST_CASE("angle_degrees agrees with the C library's atan2, and is right on the axes") {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20000; ++i) {
    const double x = normal(random), y = normal(random);
    REQUIRE(std::fabs(angle_degrees(y, x) - std::atan2(y, x) * 180 / 3.14159265358979323846) <= 1e-12);
  }
  CHECK(angle_degrees(0, 2) == 0);
  CHECK(angle_degrees(2, 0) == doctest::Approx(90).epsilon(1e-15));
  CHECK(angle_degrees(0, -2) == doctest::Approx(180).epsilon(1e-15));
  CHECK(angle_degrees(-2, 0) == doctest::Approx(-90).epsilon(1e-15));
  CHECK(angle_degrees(3, 3) == doctest::Approx(45).epsilon(1e-15));
}

TEST_CASE("percentages add up to exactly 100 and never turn the order round") {
  std::mt19937 random(3);
  std::gamma_distribution<float> gamma(0.3f);
  for (int round = 0; round < 3000; ++round) {
    std::vector<float> shares(1 + random() % 256);
    for (float& s : shares) s = gamma(random) + 1e-6f;
    const float total = std::accumulate(shares.begin(), shares.end(), 0.0f);
    for (float& s : shares) s /= total;
    for (const int whole : {100, 1000}) {
      const std::vector<int> parts = apportion(shares, whole);
      REQUIRE(std::accumulate(parts.begin(), parts.end(), 0) == whole);
      bool near = true, in_order = true;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        near = near && std::fabs(static_cast<double>(parts[i]) - static_cast<double>(shares[i]) * whole) < 1.001;
        for (std::size_t j = 0; j < parts.size(); ++j)
          in_order = in_order && (shares[i] <= shares[j] || parts[i] >= parts[j]);
      }
      REQUIRE(near);
      REQUIRE(in_order);
    }
  }
  CHECK(apportion(std::vector<float>{1.0f / 3, 1.0f / 3, 1.0f / 3}, 100) == std::vector<int>{34, 33, 33});
  CHECK(apportion(std::vector<float>{1.0f}, 100) == std::vector<int>{100});
}

TEST_CASE("entropy is 0 when one takes all and log2 n when all are equal") {
  CHECK(entropy_bits(std::vector<float>{0, 1, 0}) == 0);
  CHECK(entropy_bits(std::vector<float>(8, 0.125f)) == 3);
  CHECK(entropy_bits(std::vector<float>{0.25f, 0.75f}) == doctest::Approx(0.8112781));
}
