// A matrix stored for multiplication: panels of 8 output columns, each panel [k][8] numbers, in one of three storages.
//
// W is [k_rows, n_columns] in y = x W. The last panel is filled up with zeros, and so is, in int8, an odd k_rows.
// f16 and int8 lie so that one load of 16 bytes is taken apart by shifts and masks alone: the lower half of each unit
// belongs to columns 0 to 3 of the panel, the upper half to columns 4 to 7.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/numerics/float_formats.hpp"
#include "core/numerics/vector.hpp"

namespace lookback {

enum class Precision {
  f32,   // the number itself: 4 bytes, or 8 where Real is double
  f16,   // the nearest IEEE binary16, widened exactly when used: 2 bytes
  int8,  // a level of -127 to 127 times its column's scale (quantize.hpp): 1 byte, and 4 a column
};

template <class Real>
struct BasicPackedMatrix {
  static constexpr std::size_t panel_width = 8;

  std::size_t k_rows = 0;
  std::size_t n_columns = 0;
  Precision precision = Precision::f32;  // always f32 in training, and where Real is double
  // The storage of this precision; the others are empty.
  std::vector<Real> data;             // f32: [n/8][k][8]
  std::vector<std::uint16_t> halves;  // f16: [n/8][k][4][2], column c at [c % 4][c / 4]
  std::vector<std::int8_t> levels;    // int8: [n/8][k/2][4][2][2], row e of the two and column c at [c % 4][e][c / 4]
  std::vector<float> scales;          // int8: [n_columns, filled up to whole panels]

  BasicPackedMatrix() = default;
  // Zeros, [k, n]. Throws std::bad_alloc when memory is refused.
  BasicPackedMatrix(std::size_t k, std::size_t n, Precision kept_as = Precision::f32)
      : k_rows(k), n_columns(n), precision(kept_as) {
    const std::size_t columns = n_panels(n) * panel_width;
    switch (precision) {
      case Precision::f32: data.resize(columns * k); break;
      case Precision::f16: halves.resize(columns * k); break;
      case Precision::int8: levels.resize(columns * even(k)), scales.resize(columns); break;
    }
  }

  static constexpr std::size_t n_panels(std::size_t n) { return (n + panel_width - 1) / panel_width; }
  static constexpr std::size_t even(std::size_t k) { return k + k % 2; }

  // Where element (k, n) lies in data, in halves, in levels.
  std::size_t index(std::size_t k, std::size_t n) const {
    return (n / panel_width * k_rows + k) * panel_width + n % panel_width;
  }
  std::size_t half_index(std::size_t k, std::size_t n) const {
    return (n / panel_width * k_rows + k) * panel_width + n % 4 * 2 + n / 4 % 2;
  }
  std::size_t level_index(std::size_t k, std::size_t n) const {
    return (n / panel_width * even(k_rows) + k / 2 * 2) * panel_width + n % 4 * 4 + k % 2 * 2 + n / 4 % 2;
  }

  // The number that stands for element (k, n), in any storage.
  Real at(std::size_t k, std::size_t n) const {
    if constexpr (std::is_same_v<Real, float>) {
      if (precision == Precision::f16) return float_of(f32_bits_from_f16(halves[half_index(k, n)]));
      if (precision == Precision::int8) return static_cast<float>(levels[level_index(k, n)]) * scales[n];
    }
    return data[index(k, n)];
  }
  // Element (k, n) of a matrix kept as f32.
  Real& full(std::size_t k, std::size_t n) { return data[index(k, n)]; }
  const Real& full(std::size_t k, std::size_t n) const { return data[index(k, n)]; }
};
using PackedMatrix = BasicPackedMatrix<float>;

// Bytes that a matrix [k, n] takes in this storage. k * n must be below 2^60.
constexpr std::uint64_t packed_bytes(std::uint64_t k, std::uint64_t n, Precision precision) {
  constexpr std::uint64_t width = PackedMatrix::panel_width;
  const std::uint64_t columns = (n + width - 1) / width * width;
  switch (precision) {
    case Precision::f32: return columns * k * sizeof(float);
    case Precision::f16: return columns * k * sizeof(std::uint16_t);
    case Precision::int8: break;
  }
  return columns * (k + k % 2 + sizeof(float));
}

}  // namespace lookback
