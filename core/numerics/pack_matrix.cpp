#include "core/numerics/pack_matrix.hpp"

#include <algorithm>
#include <cstring>

#include "core/numerics/quantize.hpp"

namespace lookback {
namespace {

constexpr std::size_t width = PackedMatrix::panel_width;

void place_levels(PackedMatrix& matrix, std::size_t n, std::span<const float> column) {
  const LevelScale s = level_scale(column, weight_top);
  matrix.scales[n] = s.scale;
  std::int8_t* to = &matrix.levels[matrix.level_index(0, n)];
  for (std::size_t k = 0; k < column.size(); ++k)
    to[k / 2 * 2 * width + k % 2 * 2] = static_cast<std::int8_t>(s.factor == 0 ? 0 : level_of(column[k], s.factor));
}

}  // namespace

void place_row(PackedMatrix& matrix, std::size_t k, std::size_t n, std::span<const float> run) {
  if (matrix.precision == Precision::f16) {
    for (std::size_t i = 0; i < run.size(); ++i)
      matrix.halves[matrix.half_index(k, n + i)] = f16_bits_from_f32(bits_of(run[i]));
    return;
  }
  // Each panel takes up to 8 neighbours.
  for (std::size_t done = 0; done < run.size();) {
    const std::size_t count = std::min(width - (n + done) % width, run.size() - done);
    std::memcpy(&matrix.data[matrix.index(k, n + done)], &run[done], count * sizeof(float));
    done += count;
  }
}

void place_column(PackedMatrix& matrix, std::size_t k, std::size_t n, std::span<const float> run) {
  if (run.empty()) return;
  if (matrix.precision == Precision::f16) {
    std::uint16_t* to = &matrix.halves[matrix.half_index(k, n)];
    for (std::size_t i = 0; i < run.size(); ++i) to[i * width] = f16_bits_from_f32(bits_of(run[i]));
    return;
  }
  float* to = &matrix.data[matrix.index(k, n)];
  for (std::size_t i = 0; i < run.size(); ++i) std::memcpy(to + i * width, &run[i], sizeof(float));
}

void place_whole_column(PackedMatrix& matrix, std::size_t n, std::span<const float> column) {
  if (column.empty()) return;
  if (matrix.precision == Precision::int8) return place_levels(matrix, n, column);
  place_column(matrix, 0, n, column);
}

void place_matrix(PackedMatrix& matrix, const PackedMatrix& from) {
  std::vector<float> column(matrix.k_rows);
  for (std::size_t n = 0; n < matrix.n_columns; ++n) {
    for (std::size_t k = 0; k < matrix.k_rows; ++k) column[k] = from.full(k, n);
    place_whole_column(matrix, n, column);
  }
}

}  // namespace lookback
