#include "core/numerics/matmul.hpp"

#include <algorithm>
#include <array>
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
inline void tile(const Real* x, std::size_t x_stride, const Real* panel, std::size_t panel_stride, std::size_t k_rows,
                 Real* out, std::size_t out_stride, bool goes_on) {
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

// Height rows of one panel; the rows of x lie side by side, [k][Height]: one pointer to walk along instead of one a
// row.
template <int Height, class Real>
void packed_tile(const Real* x, const Real* panel, std::size_t k_rows, Real* out, std::size_t out_stride,
                 bool goes_on) {
  Eight<Real> sum[Height];
  if (goes_on) {
    for (int r = 0; r < Height; ++r) sum[r] = Eight<Real>::load(out + r * out_stride);
  }
  for (const Real* end = x + k_rows * Height; x != end; x += Height, panel += width) {
    const Eight<Real> w = Eight<Real>::load(panel);
    for (int r = 0; r < Height; ++r) sum[r].add_product(x[r], w);
  }
  for (int r = 0; r < Height; ++r) sum[r].store(out + r * out_stride);
}

// By height, from lowest_packed on. Lower ones would not hide the add latency.
constexpr std::size_t lowest_packed = 3, highest_packed = packed_tile_height;
template <class Real>
using PackedTile = decltype(&packed_tile<1, Real>);
template <class Real, int... I>
constexpr std::array<PackedTile<Real>, sizeof...(I)> packed_tiles_of(std::integer_sequence<int, I...>) {
  return {&packed_tile<static_cast<int>(lowest_packed) + I, Real>...};
}
template <class Real>
constexpr auto packed_tiles =
    packed_tiles_of<Real>(std::make_integer_sequence<int, highest_packed - lowest_packed + 1>{});

// n rows in as few tiles as there can be, all equally high or one row higher.
struct Tiles {
  std::size_t count, height, n_higher;
  explicit Tiles(std::size_t n_rows)
      : count((n_rows + highest_packed - 1) / highest_packed), height(n_rows / count), n_higher(n_rows % count) {}
  std::size_t begin(std::size_t tile) const { return tile * height + std::min(tile, n_higher); }
  std::size_t height_of(std::size_t tile) const { return height + (tile < n_higher ? 1 : 0); }
};

// All rows against one panel, a few rows at a time.
template <class Real>
void tile_rows(const Real* x, std::size_t x_stride, std::size_t n_rows, const Real* panel, std::size_t k_rows,
               Real* out, std::size_t out_stride, bool goes_on) {
  std::size_t r = 0;
  for (; r + tile_height <= n_rows; r += tile_height)
    tile<tile_height, 1>(x + r * x_stride, x_stride, panel, 0, k_rows, out + r * out_stride, out_stride, goes_on);
  const auto rest = [&]<int... Rows>(std::integer_sequence<int, Rows...>) {
    (void)((n_rows - r == Rows + 1 &&
            (tile<Rows + 1, 1>(x + r * x_stride, x_stride, panel, 0, k_rows, out + r * out_stride, out_stride, goes_on),
             true)) ||
           ...);
  };
  rest(std::make_integer_sequence<int, tile_height - 1>{});
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

// Terms that are added up at a time; between blocks the sums wait in y, which costs more than a longer block's way
// through the caches.
constexpr std::size_t block_k = 768;
constexpr std::size_t block_rows = 64;  // rows of x that are laid side by side at a time

// The rows [k_begin, k_begin + k_rows) of up to four panels, as numbers of their own; halves are widened into `room`.
template <class Real>
struct PanelBlock {
  Real room[panels_together * block_k * width];

  const Real* of(const BasicPackedMatrix<Real>& w, std::size_t panel, std::size_t n_panels, std::size_t k_begin,
                 std::size_t k_rows) {
    if constexpr (std::is_same_v<Real, float>) {
      if (w.precision == Precision::f16) {
        for (std::size_t i = 0; i < n_panels; ++i)
          widen_panel(w.halves.data() + ((panel + i) * w.k_rows + k_begin) * width, k_rows,
                      room + i * stride(w, k_rows));
        return room;
      }
    }
    return w.data.data() + (panel * w.k_rows + k_begin) * width;
  }
  static std::size_t stride(const BasicPackedMatrix<Real>& w, std::size_t k_rows) {
    return (w.precision == Precision::f16 ? k_rows : w.k_rows) * width;
  }
};

// One or two rows against up to four panels: several panels at once hide the add latency.
template <class Real>
void few_rows(const Real* x, std::size_t x_stride, std::size_t n_rows, const Real* panels, std::size_t n_panels,
              std::size_t stride, std::size_t terms, Real* out, std::size_t out_stride, bool goes_on) {
  if (n_rows == 1 && n_panels == panels_together) {
    tile<1, panels_together>(x, x_stride, panels, stride, terms, out, out_stride, goes_on);
  } else if (n_rows == 2 && n_panels % 2 == 0) {
    for (std::size_t i = 0; i < n_panels; i += 2)
      tile<2, 2>(x, x_stride, panels + i * stride, stride, terms, out + i * width, out_stride, goes_on);
  } else {
    for (std::size_t i = 0; i < n_panels; ++i)
      tile_rows(x, x_stride, n_rows, panels + i * stride, terms, out + i * width, out_stride, goes_on);
  }
}

// Panels whose 8 columns all exist; 1 to block_rows rows. y begins at the first of the panels. All terms of a sum are
// added in their order, a block after the other.
template <class Real>
void sum_panels(const Real* x, std::size_t x_stride, std::size_t n_rows, const BasicPackedMatrix<Real>& w, Real* y,
                std::size_t y_stride, std::size_t panel_begin, std::size_t panel_end) {
  const Tiles tiles(n_rows);
  const bool few = tiles.height < lowest_packed;
  Real side_by_side[block_rows * block_k];
  PanelBlock<Real> block;

  const std::size_t at_a_time = few && w.precision == Precision::f32 ? w.k_rows : block_k;
  std::size_t k = 0;
  do {
    const std::size_t terms = std::min(at_a_time, w.k_rows - k), stride = block.stride(w, terms);
    for (std::size_t t = 0; !few && t < tiles.count; ++t) {
      const std::size_t begin = tiles.begin(t), height = tiles.height_of(t);
      for (std::size_t r = 0; r < height; ++r)
        for (std::size_t i = 0; i < terms; ++i)
          side_by_side[begin * terms + i * height + r] = x[(begin + r) * x_stride + k + i];
    }
    for (std::size_t p = panel_begin; p < panel_end; p += panels_together) {
      const std::size_t n_panels = std::min(panels_together, panel_end - p);
      const Real* panels = block.of(w, p, n_panels, k, terms);
      Real* out = y + (p - panel_begin) * width;
      if (few) {
        few_rows(x + k, x_stride, n_rows, panels, n_panels, stride, terms, out, y_stride, k > 0);
        continue;
      }
      for (std::size_t i = 0; i < n_panels; ++i)
        for (std::size_t t = 0; t < tiles.count; ++t)
          packed_tiles<Real>[tiles.height_of(t) - lowest_packed](
              side_by_side + tiles.begin(t) * terms, panels + i * stride, terms,
              out + tiles.begin(t) * y_stride + i * width, y_stride, k > 0);
    }
    k += terms;
  } while (k < w.k_rows);
}

}  // namespace

template <class Real>
void multiply_panel(const Real* x, std::size_t x_stride, std::size_t n_rows, const Real* panel, std::size_t k_rows,
                    Real* out, std::size_t out_stride) {
  tile_rows(x, x_stride, n_rows, panel, k_rows, out, out_stride, false);
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
  if (whole_end > panel_begin) {
    for (std::size_t r = 0; r < n_rows; r += block_rows)
      sum_panels(x + r * x_stride, x_stride, std::min(block_rows, n_rows - r), w, y + r * y_stride + first_column,
                 y_stride, panel_begin, whole_end);
  }

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
