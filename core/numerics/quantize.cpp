#include "core/numerics/quantize.hpp"

#include <algorithm>
#include <limits>

namespace lookback {

LevelScale level_scale(std::span<const float> x, float top) {
  // Magnitudes are ordered as their bit patterns are, with infinity and the NaNs at the end.
  std::int32_t largest = 0;
  for (const float value : x) largest = std::max(largest, static_cast<std::int32_t>(bits_of(value) & 0x7fffffffu));
  if (largest >= 0x7f800000) return {std::numeric_limits<float>::quiet_NaN(), 0};
  const float m = float_of(static_cast<std::uint32_t>(largest)), scale = m / top;
  if (scale < std::numeric_limits<float>::min()) return {};
  return {scale, top / m};
}

}  // namespace lookback
