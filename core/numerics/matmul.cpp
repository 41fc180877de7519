#include "core/numerics/matmul.hpp"

#include <algorithm>
#include <utility>

#include "core/numerics/matmul_int8.hpp"
#include "core/numerics/vector.hpp"

namespace lookback {
namespace {

constexpr std::size_t width = PackedMatrix::panel_width;
constexpr std::size_t panels_together = 4;

// Rows x Panels x 8 columns at once: rows of one panel share its loads; 1 row of 4 panels hides the add latency.
// `goes_on`: the sums begin with what `out` holds.
template <int Rows, int Panels, class Real>
inline void tile(const Real* x, std::size_t x_stride, const Real* panel, std::size_t panel_stride,
                 std::size_t k_rows, Real* out, std::size_t out_stride, bool goes_on) {
  Eight<Real> sum[Rows][Panels];
  if (goes_on) {
    for (int r = 0; r < Rows; ++r)
      for (int p = 0; p < Panels; ++p) sum[r][p] = Eight<Real>::load(out + r * out_stride + p * width);
  }
  for (std::size_t k = 0; k < k_rows; ++k) {
    for (int p = 0; p < Panels; ++p) {
      const Eight<Real> w = Eight<Real>::load(panel + p * panel_stride + k * width);
      for (int r = 0; r < Rows; ++r) sum[r][p].add_product(x[r * x_stride + k], w);
    }
  }
  for (int r = 0; r < Rows; ++r)
    for (int p = 0; p < Panels; ++p) sum[r][p].store(out + r * out_stride + p * width);
}

// All whole tiles of rows against one panel, and the rows left over when `rest` says so: three and more of them go while
// the panel is near, fewer need several panels at once to hide the add latency.
template <class Real>
void tile_rows(const Real* x, std::size_t x_stride, std::size_t n_rows, const Real* panel, std::size_t k_rows, Real* out,
               std::size_t out_stride, bool goes_on, std::size_t rest_from) {
  std::size_t r = 0;
  for (; r + tile_height <= n_rows; r += tile_height)
    tile<tile_height, 1>(x + r * x_stride, x_stride, panel, 0, k_rows, out + r * out_stride, out_stride, goes_on);
  if (n_rows - r < rest_from) return;
  const auto rest = [&]<int... Rows>(std::integer_sequence<int, Rows...>) {
    (void)((n_rows - r == Rows + 1 &&
            (tile<Rows + 1, 1>(x + r * x_stride, x_stride, panel, 0, k_rows, out + r * out_stride, out_stride, goes_on), true)) ||
           ...);
  };
  rest(std::make_integer_sequence<int, tile_height - 1>{});
}

// All rows against panels whose 8 columns all exist.
template <class Real>
void whole_panels(const Real* x, std::size_t x_stride, std::size_t n_rows, const Real* panels, std::size_t n_panels,
                  std::size_t panel_stride, std::size_t k_rows, Real* y, std::size_t y_stride, bool goes_on) {
  const std::size_t tiled_rows = n_rows / tile_height * tile_height, rest = n_rows - tiled_rows;
  const Real* rest_x = x + tiled_rows * x_stride;
  Real* rest_y = y + tiled_rows * y_stride;
  std::size_t p = 0;
  for (; p + panels_together <= n_panels; p += panels_together) {
    for (std::size_t i = p; i < p + panels_together; ++i) {
      tile_rows(x, x_stride, n_rows, panels + i * panel_stride, k_rows, y + i * width, y_stride, goes_on, 3);
      if (rest == 2 && i % 2 == 1)
        tile<2, 2>(rest_x, x_stride, panels + (i - 1) * panel_stride, panel_stride, k_rows, rest_y + (i - 1) * width,
                   y_stride, goes_on);
    }
    if (rest == 1)
      tile<1, panels_together>(rest_x, x_stride, panels + p * panel_stride, panel_stride, k_rows, rest_y + p * width,
                               y_stride, goes_on);
  }
  for (; p < n_panels; ++p)
    tile_rows(x, x_stride, n_rows, panels + p * panel_stride, k_rows, y + p * width, y_stride, goes_on, 1);
}

// Halves of one panel, k_rows of them, as f32. Each 16 bytes hold columns 0 to 3 in the lower halves of four units and
// columns 4 to 7 in the upper ones. A half's exponent and fraction, moved to where a float has them, are the number
// times 2^-112, whether it is subnormal or not; only infinity and the NaNs need their exponent filled up.
void widen_panel(const std::uint16_t* from, std::size_t k_rows, float* to) {
  const auto widened = [](i32x4 in_upper_half) {
    const i32x4 small = (in_upper_half >> 3) & static_cast<std::int32_t>(0x8fffe000);
    const i32x4 not_finite = ((in_upper_half & 0x7fffffff) >= 0x7c000000) & 0x7f800000;
    return floats_of(bits_of(floats_of(small) * splat(0x1p112f)) | not_finite);
  };
  for (std::size_t k = 0; k < k_rows; ++k) {
    i32x4 pairs;
    std::memcpy(&pairs, from + k * width, sizeof pairs);
    store4(to + k * width, widened(pairs << 16));
    store4(to + k * width + 4, widened(pairs));
  }
}

// Panels are widened as they are needed, a block of rows after the other; between blocks the sums wait in y, so they add
// up in the order of an f32 product. y begins at the first of the panels.
void sum_halves(const float* x, std::size_t x_stride, std::size_t n_rows, const PackedMatrix& w, float* y,
                std::size_t y_stride, std::size_t panel_begin, std::size_t panel_end) {
  constexpr std::size_t block_rows = 128;  // four panels of them stay in the first-level cache
  float block[panels_together * block_rows * width];
  const std::uint16_t* halves = w.halves.data();

  for (std::size_t p = panel_begin; p < panel_end; p += panels_together) {
    const std::size_t n_panels = std::min(panels_together, panel_end - p);
    std::size_t k = 0;
    do {
      const std::size_t rows = std::min(block_rows, w.k_rows - k);
      for (std::size_t i = 0; i < n_panels; ++i)
        widen_panel(halves + ((p + i) * w.k_rows + k) * width, rows, block + i * rows * width);
      whole_panels(x + k, x_stride, n_rows, block, n_panels, rows * width, rows, y + (p - panel_begin) * width,
                   y_stride, k > 0);
      k += rows;
    } while (k < w.k_rows);
  }
}

template <class Real>
void sum_panels(const Real* x, std::size_t x_stride, std::size_t n_rows, const BasicPackedMatrix<Real>& w, Real* y,
                std::size_t y_stride, std::size_t panel_begin, std::size_t panel_end) {
  if constexpr (std::is_same_v<Real, float>) {
    if (w.precision == Precision::f16) return sum_halves(x, x_stride, n_rows, w, y, y_stride, panel_begin, panel_end);
  }
  const std::size_t panel_size = w.k_rows * width;
  whole_panels(x, x_stride, n_rows, w.data.data() + panel_begin * panel_size, panel_end - panel_begin, panel_size,
               w.k_rows, y, y_stride, false);
}

}  // namespace

template <class Real>
void multiply_panel(const Real* x, std::size_t x_stride, std::size_t n_rows, const Real* panel, std::size_t k_rows,
                    Real* out, std::size_t out_stride) {
  tile_rows(x, x_stride, n_rows, panel, k_rows, out, out_stride, false, 1);
}

template <class Real>
void multiply(const Real* x, std::size_t x_stride, std::size_t n_rows, const BasicPackedMatrix<Real>& w,
              std::span<const std::type_identity_t<Real>> bias, Real* y, std::size_t y_stride, std::size_t panel_begin,
              std::size_t panel_end) {
  if constexpr (std::is_same_v<Real, float>) {
    if (w.precision == Precision::int8)
      return multiply_int8(x, x_stride, n_rows, w, bias, y, y_stride, panel_begin, panel_end);
  }
  const std::size_t first_column = panel_begin * width, last_column = std::min(panel_end * width, w.n_columns);
  const std::size_t whole_end = std::max(panel_begin, std::min(panel_end, w.n_columns / width));
  if (whole_end > panel_begin) sum_panels(x, x_stride, n_rows, w, y + first_column, y_stride, panel_begin, whole_end);

  // The last panel may be wider than the matrix: work it out beside y, copy what exists.
  if (whole_end < panel_end) {
    for (std::size_t r = 0; r < n_rows; ++r) {
      Real row[width];
      sum_panels(x + r * x_stride, x_stride, 1, w, row, width, whole_end, whole_end + 1);
      std::copy_n(row, last_column - whole_end * width, y + r * y_stride + whole_end * width);
    }
  }
  if (!bias.empty()) {
    for (std::size_t r = 0; r < n_rows; ++r)
      for (std::size_t n = first_column; n < last_column; ++n) y[r * y_stride + n] += bias[n];
  }
}

template void multiply_panel(const float*, std::size_t, std::size_t, const float*, std::size_t, float*, std::size_t);
template void multiply_panel(const double*, std::size_t, std::size_t, const double*, std::size_t, double*, std::size_t);
template void multiply(const float*, std::size_t, std::size_t, const BasicPackedMatrix<float>&, std::span<const float>,
                       float*, std::size_t, std::size_t, std::size_t);
template void multiply(const double*, std::size_t, std::size_t, const BasicPackedMatrix<double>&,
                       std::span<const double>, double*, std::size_t, std::size_t, std::size_t);

}  // namespace lookback
