#include "core/numerics/matmul_int8.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#ifdef __SSE2__
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#include "core/numerics/quantize.hpp"
#include "core/numerics/vector.hpp"

namespace lookback {
namespace {

typedef std::int16_t i16x8 __attribute__((vector_size(16)));

constexpr std::size_t width = PackedMatrix::panel_width;
constexpr std::size_t block_rows = 16;    // rows of x whose levels are held at a time,
constexpr std::size_t block_k = 512;      // so many of each,
constexpr std::size_t block_panels = 64;  // for so many panels
constexpr std::size_t highest_tile = 5;
constexpr std::size_t worth_widening = 5;  // rows that make it pay to take a panel apart before it is used

// A block's sums of products fit in 32 bits.
static_assert(block_k % 2 == 0);
static_assert(block_k * static_cast<std::int64_t>(activation_top) * static_cast<std::int64_t>(weight_top) <=
              0x7fffffff);

// Lane i: a[2i] b[2i] + a[2i + 1] b[2i + 1], exactly.
inline i32x4 dot_pairs(i16x8 a, i16x8 b) {
#ifdef __SSE2__
  return reinterpret_cast<i32x4>(_mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#elif defined(__wasm_simd128__)
  return reinterpret_cast<i32x4>(wasm_i32x4_dot_i16x8(reinterpret_cast<v128_t>(a), reinterpret_cast<v128_t>(b)));
#else
  i32x4 sum;
  for (int i = 0; i < 4; ++i) sum[i] = a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
  return sum;
#endif
}

// One load of a panel taken apart: two rows of columns 0 to 3, and of columns 4 to 7.
struct Pairs {
  i16x8 low, high;
};
inline Pairs apart(const std::int8_t* panel) {
  i16x8 w;
  std::memcpy(&w, panel, sizeof w);
  return {(w << 8) >> 8, w >> 8};
}

struct Block {
  std::int16_t levels[block_rows][block_k];             // of x
  std::int64_t sums[block_rows][block_panels * width];  // of products of levels
  Pairs wide[block_k / 2];                              // one panel's
};

inline Pairs apart(const Pairs* panel) { return *panel; }

// Rows x 8 columns at once, n_pairs times two terms: adds to the sums of these rows from `column` on. The panel lies as
// it is kept, or taken apart; `per_pair` of its units are two terms.
template <int Rows, class Unit>
inline void tile(Block& block, std::size_t row, std::size_t column, const Unit* panel, std::size_t per_pair,
                 std::size_t n_pairs) {
  i32x4 low[Rows] = {}, high[Rows] = {};
  const std::int16_t* levels = block.levels[row];
  for (const std::int16_t* end = levels + 2 * n_pairs; levels != end; levels += 2, panel += per_pair) {
    const Pairs w = apart(panel);
    for (int r = 0; r < Rows; ++r) {
      std::int32_t pair;
      std::memcpy(&pair, levels + static_cast<std::size_t>(r) * block_k, sizeof pair);
      const i16x8 x = reinterpret_cast<i16x8>(i32x4{pair, pair, pair, pair});
      low[r] += dot_pairs(x, w.low);
      high[r] += dot_pairs(x, w.high);
    }
  }
  for (int r = 0; r < Rows; ++r) {
    std::int64_t* sums = &block.sums[row + r][column];
    for (int c = 0; c < 4; ++c) sums[c] += low[r][c], sums[c + 4] += high[r][c];
  }
}

template <int Rows>
void narrow_tile(Block& block, std::size_t row, std::size_t column, const std::int8_t* panel, std::size_t n_pairs) {
  tile<Rows>(block, row, column, panel, 2 * width, n_pairs);
}
template <int Rows>
void wide_tile(Block& block, std::size_t row, std::size_t column, const std::int8_t*, std::size_t n_pairs) {
  tile<Rows>(block, row, column, block.wide, 1, n_pairs);
}
using Tile = decltype(&wide_tile<1>);
// By rows - 1.
constexpr Tile narrow_tiles[] = {narrow_tile<1>, narrow_tile<2>, narrow_tile<3>, narrow_tile<4>};
constexpr Tile wide_tiles[] = {wide_tile<1>, wide_tile<2>, wide_tile<3>, wide_tile<4>, wide_tile<5>};
static_assert(std::size(narrow_tiles) + 1 == worth_widening && std::size(wide_tiles) == highest_tile);

// All rows of the block against one panel.
void tile_rows(Block& block, std::size_t n_rows, std::size_t column, const std::int8_t* panel, std::size_t n_pairs) {
  if (n_rows < worth_widening) return narrow_tiles[n_rows - 1](block, 0, column, panel, n_pairs);
  for (std::size_t k = 0; k < n_pairs; ++k) block.wide[k] = apart(panel + k * 2 * width);
  // As few tiles as there can be, all equally high or one row higher.
  const std::size_t count = (n_rows + highest_tile - 1) / highest_tile;
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t begin = n_rows * t / count, end = n_rows * (t + 1) / count;
    wide_tiles[end - begin - 1](block, begin, column, panel, n_pairs);
  }
}

// `count` levels of a row, and a 0 after an odd number of them.
void take_levels(const float* x, std::size_t count, float factor, std::int16_t* levels) {
  if (factor == 0) {
    std::fill_n(levels, count, std::int16_t{0});
  } else {
    for (std::size_t k = 0; k < count; ++k) levels[k] = static_cast<std::int16_t>(level_of(x[k], factor));
  }
  if (count % 2 != 0) levels[count] = 0;
}

}  // namespace

void multiply_int8(const float* x, std::size_t x_stride, std::size_t n_rows, const PackedMatrix& w,
                   std::span<const float> bias, float* y, std::size_t y_stride, std::size_t panel_begin,
                   std::size_t panel_end) {
  const std::size_t panel_size = PackedMatrix::even(w.k_rows) * width;
  Block block;
  for (std::size_t first = panel_begin; first < panel_end; first += block_panels) {
    const std::size_t n_panels = std::min(block_panels, panel_end - first);
    const std::size_t first_column = first * width, columns = std::min(n_panels * width, w.n_columns - first_column);
    for (std::size_t row = 0; row < n_rows; row += block_rows) {
      const std::size_t rows = std::min(block_rows, n_rows - row);
      LevelScale scales[block_rows];
      for (std::size_t r = 0; r < rows; ++r) {
        scales[r] = level_scale({x + (row + r) * x_stride, w.k_rows}, activation_top);
        std::fill_n(block.sums[r], n_panels * width, 0);
      }
      for (std::size_t k = 0; k < w.k_rows; k += block_k) {
        const std::size_t terms = std::min(block_k, w.k_rows - k);
        for (std::size_t r = 0; r < rows; ++r)
          take_levels(x + (row + r) * x_stride + k, terms, scales[r].factor, block.levels[r]);
        for (std::size_t p = 0; p < n_panels; ++p) {
          const std::int8_t* panel = w.levels.data() + (first + p) * panel_size + k * width;
          tile_rows(block, rows, p * width, panel, (terms + 1) / 2);
        }
      }
      for (std::size_t r = 0; r < rows; ++r) {
        float* out = y + (row + r) * y_stride + first_column;
        for (std::size_t c = 0; c < columns; ++c) {
          const double scale = static_cast<double>(scales[r].scale) * static_cast<double>(w.scales[first_column + c]);
          out[c] = static_cast<float>(static_cast<double>(block.sums[r][c]) * scale);
          if (!bias.empty()) out[c] += bias[first_column + c];
        }
      }
    }
  }
}

}  // namespace lookback
