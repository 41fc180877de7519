// The three storages of a matrix: what goes in, what comes out, and the product's bits.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "core/lens/fingerprint.hpp"
#include "core/model/transformer.hpp"
#include "core/numerics/matmul.hpp"
#include "core/numerics/pack_matrix.hpp"
#include "core/numerics/pool.hpp"
#include "tests/core/reference.hpp"

using namespace lookback;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr Precision all_precisions[] = {Precision::f32, Precision::f16, Precision::int8};

struct Shape {
  std::size_t rows, k, n;
};
// Odd ends of every block: pairs and 512 terms, 8 columns, 4 and 16 panels, 4 and 16 rows, 128 rows of halves.
const std::vector<Shape> shapes = {{1, 1, 1},    {3, 2, 9},    {1, 511, 33},  {5, 7, 3},     {4, 513, 8},
                                   {19, 33, 71}, {7, 257, 40}, {37, 48, 300}, {18, 1025, 129}, {2, 128, 64}};

std::vector<float> random_floats(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(n);
  for (float& value : values) value = static_cast<float>(random() >> 8) * 0x1p-23f - 1.0f;
  return values;
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

PackedMatrix packed_as(Precision precision, const PackedMatrix& matrix) {
  PackedMatrix out(matrix.k_rows, matrix.n_columns, precision);
  place_matrix(out, matrix);
  return out;
}

// rows [k, n], row-major.
PackedMatrix packed(std::span<const float> rows, std::size_t k, std::size_t n, Precision precision) {
  PackedMatrix w(k, n);
  for (std::size_t i = 0; i < k; ++i) place_row(w, i, 0, rows.subspan(i * n, n));
  return packed_as(precision, w);
}

std::vector<float> product(std::span<const float> x, std::size_t rows, const PackedMatrix& w,
                           std::span<const float> bias) {
  std::vector<float> y(rows * w.n_columns, 9.0f);
  multiply(x.data(), w.k_rows, rows, w, bias, y.data(), w.n_columns, 0, PackedMatrix::n_panels(w.n_columns));
  return y;
}

// Levels and scale by the definition in quantize.hpp, with the standard library's rounding.
struct PlainLevels {
  float scale = 0;
  std::vector<std::int64_t> levels;
};
PlainLevels plain_levels(const std::vector<float>& x, float top) {
  float m = 0;
  bool finite = true;
  for (const float value : x) finite &= std::isfinite(value), m = std::max(m, std::fabs(value));
  PlainLevels plain{finite ? m / top : not_a_number, std::vector<std::int64_t>(x.size())};
  if (!finite) return plain;
  if (plain.scale < 0x1p-126f) return {0.0f, plain.levels};
  const float factor = top / m;
  for (std::size_t i = 0; i < x.size(); ++i) plain.levels[i] = std::llrint(x[i] * factor);
  return plain;
}

std::vector<float> plain_int8_product(const std::vector<float>& x, const std::vector<float>& w, const Shape& shape,
                                      const std::vector<float>& bias) {
  const std::size_t rows = shape.rows, k = shape.k, n = shape.n;
  std::vector<float> y(rows * n);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<float> column(k);
    for (std::size_t i = 0; i < k; ++i) column[i] = w[i * n + j];
    const PlainLevels ws = plain_levels(column, 127);
    for (std::size_t t = 0; t < rows; ++t) {
      const PlainLevels xs = plain_levels({&x[t * k], &x[t * k] + k}, 32767);
      const std::int64_t sum = std::inner_product(xs.levels.begin(), xs.levels.end(), ws.levels.begin(), std::int64_t{0});
      y[t * n + j] = static_cast<float>(static_cast<double>(sum) * (double(xs.scale) * double(ws.scale))) + bias[j];
    }
  }
  return y;
}

// The product of this size in pieces: panel by panel, row by row.
void check_pieces(const std::vector<float>& x, const Shape& shape, const PackedMatrix& w, const std::vector<float>& bias,
                  const std::vector<float>& whole) {
  const std::size_t rows = shape.rows, k = shape.k, n = shape.n;
  std::vector<float> by_panel(rows * n, 9.0f), by_row(rows * n, 9.0f);
  const std::size_t panels = PackedMatrix::n_panels(n);
  for (std::size_t p = 0; p < panels; ++p) multiply(x.data(), k, rows, w, bias, by_panel.data(), n, p, p + 1);
  for (std::size_t t = 0; t < rows; ++t) multiply(&x[t * k], k, 1, w, bias, &by_row[t * n], n, 0, panels);
  CHECK(same_bits(by_panel, whole));
  CHECK(same_bits(by_row, whole));
}

Weights packed_as(Precision precision, Weights weights) {
  const auto pack = [&](PackedMatrix& matrix) { matrix = packed_as(precision, matrix); };
  pack(weights.wte), pack(weights.lm_head);
  for (BlockWeights& block : weights.blocks)
    for (LinearWeights* linear : {&block.c_attn, &block.c_proj, &block.mlp_fc, &block.mlp_proj}) pack(linear->weight);
  return weights;
}

}  // namespace

TEST_CASE("storages: f16 gives the bits of f32 where all weights are halves") {
  for (const Shape& shape : shapes) {
    const std::size_t rows = shape.rows, k = shape.k, n = shape.n;
    CAPTURE(k);
    CAPTURE(n);
    std::mt19937 random(5);
    std::vector<float> w(k * n);
    for (float& value : w) {  // every finite half, subnormal ones too
      do value = float_of(f32_bits_from_f16(static_cast<std::uint16_t>(random())));
      while (!std::isfinite(value));
    }
    const std::vector<float> x = random_floats(rows * k, 1), bias = random_floats(n, 2);
    const std::vector<float> exact = product(x, rows, packed(w, k, n, Precision::f32), bias);
    const PackedMatrix halves = packed(w, k, n, Precision::f16);
    CHECK(same_bits(product(x, rows, halves, bias), exact));
    check_pieces(x, shape, halves, bias, exact);
  }
}

TEST_CASE("storages: f16 widens every pattern as the format says") {
  constexpr std::size_t n = 65536;
  PackedMatrix w(1, n, Precision::f16);
  std::vector<float> expected(n);
  int wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    w.halves[w.half_index(0, i)] = static_cast<std::uint16_t>(i);
    const std::uint32_t bits = f32_bits_from_f16(static_cast<std::uint16_t>(i));
    wrong += bits_of(w.at(0, i)) != bits;
    expected[i] = 0.0f + 1.0f * float_of(bits);
  }
  const std::vector<float> y = product(std::vector<float>{1.0f}, 1, w, {});
  for (std::size_t i = 0; i < n; ++i)
    wrong += std::isnan(expected[i]) ? !std::isnan(y[i]) : bits_of(y[i]) != bits_of(expected[i]);
  CHECK(wrong == 0);
}

TEST_CASE("storages: f16 rounds to the nearest half") {
  PackedMatrix w(6, 1, Precision::f16);
  place_column(w, 0, 0, std::vector<float>{1.0f + 0x1p-11f, 1.0f + 0x3p-11f, 65519.9f, 65520.0f, -0x1p-25f, 0x1.01p-25f});
  CHECK(w.at(0, 0) == 1.0f);
  CHECK(w.at(1, 0) == 1.0f + 0x1p-9f);
  CHECK(w.at(2, 0) == 65504.0f);
  CHECK(w.at(3, 0) == infinity);
  CHECK(bits_of(w.at(4, 0)) == 0x80000000u);
  CHECK(w.at(5, 0) == 0x1p-24f);
}

TEST_CASE("storages: int8 is the plain integer product, bit for bit") {
  for (const Shape& shape : shapes) {
    const std::size_t rows = shape.rows, k = shape.k, n = shape.n;
    CAPTURE(rows);
    CAPTURE(k);
    CAPTURE(n);
    std::vector<float> x = random_floats(rows * k, 1), w = random_floats(k * n, 2), bias = random_floats(n, 3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::ldexp(x[i], static_cast<int>(i / k) - 8);  // each row of a size
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::ldexp(w[i], static_cast<int>(i % n % 20) - 10);
    const std::vector<float> expected = plain_int8_product(x, w, shape, bias);
    const PackedMatrix levels = packed(w, k, n, Precision::int8);
    CHECK(same_bits(product(x, rows, levels, bias), expected));
    check_pieces(x, shape, levels, bias, expected);
  }
}

TEST_CASE("storages: int8 sums cannot overflow") {
  for (const float sign : {1.0f, -1.0f}) {  // all levels at their ends
    const Shape shape{5, 5001, 9};
    const std::vector<float> x(shape.rows * shape.k, 1.0f), w(shape.k * shape.n, sign), bias(shape.n, 0.0f);
    const std::vector<float> y = product(x, shape.rows, packed(w, shape.k, shape.n, Precision::int8), bias);
    CHECK(same_bits(y, plain_int8_product(x, w, shape, bias)));
    CHECK(y[0] == doctest::Approx(5001 * sign).epsilon(1e-6));
  }
}

TEST_CASE("storages: the edges of int8") {
  const std::vector<std::vector<float>> columns = {
      {0.0f, -0.0f, 0.0f, 0.0f},          // 0: nothing but zeros
      {1.0f, 1e30f, -1.0f, 5.0f},         // 1: one huge value swallows the others
      {1e-44f, -1e-44f, 1e-40f, 0.0f},    // 2: too small for a scale
      {1.0f, not_a_number, 0.0f, 2.0f},   // 3
      {1.0f, -infinity, 0.0f, 2.0f},      // 4
      {127.0f, 0.5f, 1.5f, -2.5f},        // 5: ties go to the even level
      {-3.4e38f, 3.4e38f, 1.0f, 1.7e38f}  // 6: the largest floats
  };
  PackedMatrix w(4, columns.size(), Precision::int8);
  for (std::size_t n = 0; n < columns.size(); ++n) place_whole_column(w, n, columns[n]);
  const auto levels = [&](std::size_t n) {
    std::vector<int> list;
    for (std::size_t k = 0; k < 4; ++k) list.push_back(w.levels[w.level_index(k, n)]);
    return list;
  };
  CHECK(levels(0) == std::vector<int>{0, 0, 0, 0});
  CHECK(levels(1) == std::vector<int>{0, 127, 0, 0});
  CHECK(levels(2) == std::vector<int>{0, 0, 0, 0});
  CHECK(levels(3) == std::vector<int>{0, 0, 0, 0});
  CHECK(levels(5) == std::vector<int>{127, 0, 2, -2});
  CHECK(levels(6) == std::vector<int>{-127, 127, 0, 64});  // 63.5
  CHECK(w.scales[0] == 0.0f);
  CHECK(w.scales[1] == 1e30f / 127);
  CHECK(w.scales[2] == 0.0f);
  CHECK(bits_of(w.at(1, 0)) == 0);  // -0 became 0
  CHECK(w.at(1, 1) == doctest::Approx(1e30f));
  CHECK(std::isnan(w.at(0, 3)));
  CHECK(std::isnan(w.at(2, 4)));

  const std::vector<float> y = product(std::vector<float>{1, -1, 0.5f, 2}, 1, w, {});
  CHECK(bits_of(y[0]) == 0);
  CHECK(y[1] == doctest::Approx(-1e30f).epsilon(1e-4));
  CHECK(bits_of(y[2]) == 0);
  CHECK(std::isnan(y[3]));
  CHECK(std::isnan(y[4]));
  CHECK(y[5] == doctest::Approx(127 + 0.5 * 2 - 2 * 2).epsilon(1e-3));
  CHECK(y[6] == doctest::Approx(-3.4e38 * (2 - 2 * 64 / 127.0)).epsilon(1e-3));  // no step on the way overflows
  CHECK(product(std::vector<float>{1, -1, 0, 0}, 1, w, {})[6] == -infinity);     // but the result may

  // A row of x: not finite, all zeros, too small. Its neighbours are as they would be alone.
  for (const float bad : {not_a_number, infinity, -infinity}) {
    const std::vector<float> x = {1, 2, 3, 4, 1, bad, 3, 4, 0, -0.0f, 0, 0, 1e-42f, 0, 0, 0, 1, 2, 3, 4};
    const std::vector<float> rows = product(x, 5, w, {});
    const std::size_t n = columns.size();
    for (std::size_t j = 0; j < n; ++j) CHECK(std::isnan(rows[n + j]));
    for (const std::size_t j : {0, 1, 2, 5, 6}) {
      CHECK(bits_of(rows[2 * n + j]) == 0);
      CHECK(bits_of(rows[3 * n + j]) == 0);
      CHECK(bits_of(rows[j]) == bits_of(rows[4 * n + j]));
    }
    CHECK(rows[5] == doctest::Approx(127 + 2 * 0 + 3 * 2 - 4 * 2).epsilon(1e-3));
  }
}

TEST_CASE("storages: the error of a product is bounded by its storage's") {
  const Shape shape{6, 768, 50};
  const std::size_t rows = shape.rows, k = shape.k, n = shape.n;
  const std::vector<float> x = random_floats(rows * k, 11), w = random_floats(k * n, 12), bias = random_floats(n, 13);
  for (const Precision precision : all_precisions) {
    CAPTURE(static_cast<int>(precision));
    const std::vector<float> y = product(x, rows, packed(w, k, n, precision), bias);
    double worst = 0;
    for (std::size_t t = 0; t < rows; ++t)
      for (std::size_t j = 0; j < n; ++j) {
        double truth = bias[j], sizes = std::fabs(bias[j]), x_sizes = 0, w_sizes = 0, largest_x = 0, largest_w = 0;
        for (std::size_t i = 0; i < k; ++i) {
          const double a = x[t * k + i], b = w[i * n + j];
          truth += a * b, sizes += std::fabs(a * b), x_sizes += std::fabs(a), w_sizes += std::fabs(b);
          largest_x = std::max(largest_x, std::fabs(a)), largest_w = std::max(largest_w, std::fabs(b));
        }
        const double step_x = largest_x / 32767, step_w = largest_w / 127;
        const double rounding = (double(k) + 2) * 0x1p-24 * sizes;
        const double halving = sizes * 0x1p-11 + x_sizes * 0x1p-25;
        const double stepping = (x_sizes * step_w + w_sizes * step_x + double(k) * step_x * step_w) * 0.5001;
        const double bound = precision == Precision::f32   ? rounding
                             : precision == Precision::f16 ? rounding + halving
                                                           : stepping + sizes * 0x1p-22;
        worst = std::max(worst, std::fabs(y[t * n + j] - truth) / bound);
      }
    CHECK(worst < 1);
    CHECK(worst > 1e-4);  // the bound is not beside the point
  }
}

TEST_CASE("storages: pieces in any order make the whole matrix") {
  const std::size_t k = 37, n = 21;
  const std::vector<float> rows = random_floats(k * n, 7);
  for (const Precision precision : {Precision::f32, Precision::f16}) {
    const PackedMatrix whole = packed(rows, k, n, precision);
    std::mt19937 random(3);
    PackedMatrix by_row(k, n, precision), by_column(k, n, precision);
    std::vector<std::size_t> order(k * n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t at : order) {
      const std::size_t i = at / n, j = at % n;
      const std::size_t along = 1 + random() % (n - j), down = 1 + random() % (k - i);
      place_row(by_row, i, j, std::span(rows).subspan(at, along));
      std::vector<float> column(down);
      for (std::size_t d = 0; d < down; ++d) column[d] = rows[(i + d) * n + j];
      place_column(by_column, i, j, column);
    }
    CHECK(by_row.data == whole.data);
    CHECK(by_row.halves == whole.halves);
    CHECK(by_column.data == whole.data);
    CHECK(by_column.halves == whole.halves);
  }
  const PackedMatrix whole = packed(rows, k, n, Precision::int8);
  PackedMatrix by_column(k, n, Precision::int8);
  for (std::size_t j = n; j-- > 0;) {
    std::vector<float> column(k);
    for (std::size_t i = 0; i < k; ++i) column[i] = rows[i * n + j];
    place_whole_column(by_column, j, column);
  }
  CHECK(by_column.levels == whole.levels);
  CHECK(by_column.scales == whole.scales);
}

TEST_CASE("storages: sizes are told truly, padding is zero, every element has its place") {
  for (const Precision precision : all_precisions)
    for (const Shape& shape : shapes) {
      const PackedMatrix w = packed(std::vector<float>(shape.k * shape.n, 1.0f), shape.k, shape.n, precision);
      const std::size_t bytes = w.data.size() * 4 + w.halves.size() * 2 + w.levels.size() + w.scales.size() * 4;
      CHECK(bytes == packed_bytes(shape.k, shape.n, precision));
      const std::size_t filled = static_cast<std::size_t>(
          std::count_if(w.data.begin(), w.data.end(), [](float v) { return v != 0; }) +
          std::count_if(w.halves.begin(), w.halves.end(), [](std::uint16_t v) { return v != 0; }) +
          std::count_if(w.levels.begin(), w.levels.end(), [](std::int8_t v) { return v != 0; }));
      CHECK(filled == shape.k * shape.n);
      bool right = true;
      for (std::size_t i = 0; i < shape.k; ++i)
        for (std::size_t j = 0; j < shape.n; ++j) right &= std::fabs(w.at(i, j) - 1) < 1e-6f;
      CHECK(right);
    }
  CHECK(packed_bytes(768, 50257, Precision::f16) == 50264ull * 768 * 2);
}

TEST_CASE("storages: a model in f16 or int8 has the same bits everywhere") {
  struct Expected {
    Config config;
    std::size_t n;
    std::string f16, int8;
  };
  const std::vector<Expected> table = {
      {{2, 3, 15, 31, 40, 101, 1e-3f, false}, 33, "3368876718f10aff", "ccd6132808be5aea"},
      {{3, 4, 64, 256, 100, 300, 1e-5f, true}, 100, "351f2508b2890535", "73f50a31961de74e"},
  };
  for (const Expected& e : table)
    for (const Precision precision : {Precision::f16, Precision::int8}) {
      const Weights weights = packed_as(precision, reference::random_weights(e.config, 21));
      const std::vector<int> ids = reference::random_ids(e.config, e.n, 22);
      for (std::size_t threads : {1, 2, 3}) {
        Pool pool(threads);
        Trace trace, stepped;
        REQUIRE(run(weights, ids, trace, pool));
        CHECK(fingerprint(trace) == (precision == Precision::f16 ? e.f16 : e.int8));
        for (std::size_t n = 1; n <= e.n; ++n) REQUIRE(run(weights, {ids.data(), n}, stepped, pool));
        CHECK(fingerprint(stepped) == fingerprint(trace));
      }
    }
}

TEST_CASE("storages: a model whose weights are halves is the same model in f16") {
  const Config config{2, 4, 32, 128, 40, 50, 1e-5f, false};
  Weights weights = reference::random_weights(config, 4);
  const auto narrow = [](PackedMatrix& matrix) {
    for (float& value : matrix.data) value = float_of(f32_bits_from_f16(f16_bits_from_f32(bits_of(value))));
  };
  narrow(weights.wte), narrow(weights.lm_head);
  for (BlockWeights& block : weights.blocks)
    for (LinearWeights* linear : {&block.c_attn, &block.c_proj, &block.mlp_fc, &block.mlp_proj}) narrow(linear->weight);
  const std::vector<int> ids = reference::random_ids(config, 40, 5);
  Pool pool;
  Trace exact, halves;
  REQUIRE(run(weights, ids, exact, pool));
  const Weights kept_as_halves = packed_as(Precision::f16, weights);
  REQUIRE(run(kept_as_halves, ids, halves, pool));
  CHECK(fingerprint(halves) == fingerprint(exact));
  const std::span<const float> last = std::span(exact.resid_final).last(config.d_model);
  CHECK(same_bits(logits(kept_as_halves, last, pool), logits(weights, last, pool)));
}
