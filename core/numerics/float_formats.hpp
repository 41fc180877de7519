// The 16-bit float formats, widened exactly: every value of theirs is a value of float.
//
// All functions work on bit patterns, so that a NaN keeps its sign and payload.
#pragma once

#include <bit>
#include <cstdint>

namespace lookback {

static_assert(std::endian::native == std::endian::little, "safetensors data is little-endian and is copied as it is");

// bfloat16 is the upper half of a float.
constexpr std::uint32_t f32_bits_from_bf16(std::uint16_t bits) { return std::uint32_t{bits} << 16; }

// IEEE 754 binary16: 1 sign bit, 5 exponent bits with bias 15, 10 fraction bits.
constexpr std::uint32_t f32_bits_from_f16(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits & 0x8000u} << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fu;
  const std::uint32_t fraction = bits & 0x3ffu;
  if (exponent == 31) return sign | 0x7f800000u | fraction << 13;                 // infinite, NaN
  if (exponent != 0) return sign | (exponent + 127 - 15) << 23 | fraction << 13;  // normal
  if (fraction == 0) return sign;
  // Subnormal, fraction * 2^-24: its leading one becomes the implicit bit of a normal float.
  const auto top = static_cast<std::uint32_t>(std::bit_width(fraction)) - 1;  // 0..9
  return sign | (top + 127 - 24) << 23 | ((fraction << (23 - top)) & 0x7fffffu);
}

// Sizes from here on, 65,520, become infinite as binary16.
constexpr std::uint32_t f16_overflow = 0x477ff000u;

// The nearest binary16, of two equally near ones the one with an even fraction; too large becomes infinite, NaN stays NaN.
constexpr std::uint16_t f16_bits_from_f32(std::uint32_t bits) {
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const std::uint32_t size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return sign | 0x7e00u;          // NaN
  if (size >= f16_overflow) return sign | 0x7c00u;
  if (size < 0x33000001u) return sign;                    // at most half of the smallest subnormal
  const std::uint32_t exponent = size >> 23;
  // A normal result keeps 10 of the 23 fraction bits; a subnormal one loses more of its explicit leading one and fraction.
  const std::uint32_t drop = exponent < 113 ? 126 - exponent : 13;
  const std::uint32_t kept_bits = exponent < 113 ? (size & 0x7fffffu) | 0x800000u : size - (112u << 23);
  const std::uint32_t half = kept_bits >> drop, rest = kept_bits & ((1u << drop) - 1), middle = 1u << (drop - 1);
  return static_cast<std::uint16_t>(sign | (half + (rest > middle || (rest == middle && (half & 1)))));
}

}  // namespace lookback
