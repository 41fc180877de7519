// F16 and BF16 to float: every one of the 65,536 patterns, against the formats' definition worked out in double.
#include <doctest/doctest.h>

#include <cmath>

#include "core/numerics/float_formats.hpp"
#include "tests/core/checkpoint_fixtures.hpp"

namespace lookback {
namespace {

// Checks one format with `exponent_bits` and `fraction_bits` by value = (-1)^s * 2^(e - bias) * 1.f.
template <class Widen>
void check_all(int exponent_bits, int fraction_bits, Widen widen) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  int mismatches = 0;
  for (std::uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
    const std::uint32_t sign = pattern >> 15;
    const int exponent = static_cast<int>(pattern >> fraction_bits) & ((1 << exponent_bits) - 1);
    const std::uint32_t fraction = pattern & ((1u << fraction_bits) - 1);
    const std::uint32_t got = widen(static_cast<std::uint16_t>(pattern));
    const float value = fixtures::float_of(got);
    bool right = got >> 31 == sign;
    if (exponent == (1 << exponent_bits) - 1) {
      right &= fraction == 0 ? std::isinf(value) : std::isnan(value);
      right &= (got & 0x7fffffu) == fraction << (23 - fraction_bits);  // the NaN's payload
    } else {
      const double magnitude = exponent == 0
                                   ? std::ldexp(fraction, 1 - bias - fraction_bits)
                                   : std::ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
      right &= static_cast<double>(value) == (sign ? -magnitude : magnitude);
    }
    mismatches += !right;
  }
  CHECK(mismatches == 0);
}

TEST_CASE("float formats: F16 widens exactly") {
  check_all(5, 10, f32_bits_from_f16);
  CHECK(fixtures::float_of(f32_bits_from_f16(0x3c00)) == 1.0f);
  CHECK(fixtures::float_of(f32_bits_from_f16(0x0001)) == 0x1p-24f);
  CHECK(fixtures::float_of(f32_bits_from_f16(0x03ff)) == 0x1.ff8p-15f);
  CHECK(fixtures::float_of(f32_bits_from_f16(0xfbff)) == -65504.0f);
}

TEST_CASE("float formats: BF16 widens exactly") {
  check_all(8, 7, f32_bits_from_bf16);
  CHECK(fixtures::float_of(f32_bits_from_bf16(0x3f80)) == 1.0f);
  CHECK(fixtures::float_of(f32_bits_from_bf16(0x0001)) == 0x1p-133f);
}

}  // namespace
}  // namespace lookback
