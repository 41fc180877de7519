// Numbers as whole levels times one scale, the arithmetic of int8 (symmetric quantisation: Jacob et al. 2018 with zero
// points of 0; the scale is taken from the largest magnitude).
//
// With m the largest |x|: scale = m / top and factor = top / m, each rounded to f32; level = x * factor, rounded to f32
// and then to the nearest whole number, of two equally near ones the even one. Levels lie in [-top, top], and m becomes
// -top or top. Edges:
//   - scale would be below the smallest normal float (2^-126), as for all ±0: scale 0, levels 0.
//   - an x is NaN or infinite: scale NaN, levels 0. So every number made with the scale is NaN, as a warning.
//   - -0 has level 0, which stands for +0.
#pragma once

#include <cstdint>
#include <span>

#include "core/numerics/vector.hpp"

namespace lookback {

struct LevelScale {
  float scale = 0;   // level * scale stands for x
  float factor = 0;  // x * factor, rounded, is the level; 0: all levels are 0
};

constexpr float weight_top = 127;         // int8
constexpr float activation_top = 32767;  // int16

// The scale of a run of numbers whose levels reach from -top to top.
LevelScale level_scale(std::span<const float> x, float top);

// One level; the factor may not be 0. 1.5 * 2^23 leaves a whole number in the low bits of the sum, rounded as every
// f32 sum is.
inline std::int32_t level_of(float x, float factor) {
  constexpr float round_to_integer = 12582912.0f;
  return static_cast<std::int32_t>(bits_of(x * factor + round_to_integer) - 0x4b400000u);
}

}  // namespace lookback
