#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "core/numerics/functions.hpp"
#include "core/numerics/layer_norm.hpp"
#include "core/numerics/matmul.hpp"
#include "core/numerics/pool.hpp"
#include "core/numerics/softmax.hpp"
#include "core/numerics/strided.hpp"

using namespace lookback;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const float not_a_number = std::numeric_limits<float>::quiet_NaN();

// Distance from the true value in units of the last place of a float of that size.
double ulps(float y, double truth) {
  if (std::isinf(y)) return truth > 3.4028235e38 ? 0.0 : 1e9;
  int exponent = 0;
  std::frexp(truth, &exponent);
  return std::fabs(y - truth) / std::ldexp(1.0, std::max(exponent, -125) - 24);
}

// Calls f with floats spread over all bit patterns; the stride is prime, so every exponent and low bit is met.
template <class F>
void for_spread_floats(std::uint32_t stride, F f) {
  for (std::uint64_t bits = 0; bits < 0x100000000ull; bits += stride) {
    const std::uint32_t pattern = static_cast<std::uint32_t>(bits);
    float x;
    std::memcpy(&x, &pattern, sizeof x);
    if (x == x) f(x);
  }
}

std::vector<float> random_floats(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values(n);
  for (float& value : values) value = static_cast<float>(random() >> 8) * 0x1p-22f - 2.0f;
  return values;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

PackedMatrix packed(const std::vector<float>& rows, std::size_t k, std::size_t n) {
  PackedMatrix w(k, n);
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < n; ++j) w.full(i, j) = rows[i * n + j];
  return w;
}

}  // namespace

TEST_CASE("exp stays within 1 ULP of the true value") {
  double worst = 0;
  for_spread_floats(1009, [&](float x) {
    if (x > -110 && x < 90) worst = std::max(worst, ulps(lookback::exp(x), std::exp(static_cast<double>(x))));
  });
  MESSAGE("exp: largest error " << worst << " ULP");
  CHECK(worst < 1.0);
}

TEST_CASE("tanh stays within 1.4 ULP of the true value") {
  double worst = 0;
  for_spread_floats(1009, [&](float x) {
    worst = std::max(worst, ulps(lookback::tanh(x), std::tanh(static_cast<double>(x))));
  });
  MESSAGE("tanh: largest error " << worst << " ULP");
  CHECK(worst < 1.4);
}

TEST_CASE("log stays within 1 ULP of the true value") {
  double worst = 0;
  for_spread_floats(1009, [&](float x) {
    if (x >= 0x1p-126f && x < infinity) worst = std::max(worst, ulps(lookback::log(x), std::log(static_cast<double>(x))));
  });
  for (float x = 0.5f; x < 2; x = std::nextafter(x, 4.0f) + 1e-6f)
    worst = std::max(worst, ulps(lookback::log(x), std::log(static_cast<double>(x))));
  MESSAGE("log: largest error " << worst << " ULP");
  CHECK(worst < 1.0);
  CHECK(lookback::log(1.0f) == 0.0f);
}

TEST_CASE("sine and cosine are right to the last digits of double") {
  double worst = 0;
  for (double angle = -700; angle <= 700; angle += 0.0371) {
    worst = std::max(worst, std::fabs(sine(angle) - std::sin(angle)));
    worst = std::max(worst, std::fabs(cosine(angle) - std::cos(angle)));
  }
  CHECK(worst < 4e-16);
  CHECK(std::fabs(sine(1e6) - std::sin(1e6)) < 1e-12);
  CHECK(sine(0) == 0);
  CHECK(cosine(0) == 1);
}

TEST_CASE("exp and tanh at the edges") {
  CHECK(lookback::exp(0.0f) == 1.0f);
  CHECK(lookback::exp(infinity) == infinity);
  CHECK(lookback::exp(-infinity) == 0.0f);
  CHECK(lookback::exp(89.0f) == infinity);
  CHECK(lookback::exp(-104.0f) == 0.0f);
  CHECK(lookback::exp(-100.0f) > 0.0f);  // subnormal
  CHECK(std::isnan(lookback::exp(not_a_number)));
  for (const float large : {10.6f, 44.0f, 89.0f, 1e30f, infinity}) {  // exponentials of these overflow
    CHECK(lookback::tanh(large) == 1.0f);
    CHECK(lookback::tanh(-large) == -1.0f);
  }
  CHECK(std::signbit(lookback::tanh(-0.0f)));
  CHECK(std::isnan(lookback::tanh(not_a_number)));
}

TEST_CASE("gelu is the tanh form, not the erf form") {
  double worst = 0;
  for (float x = -6; x <= 6; x += 0.001f) {
    const double inner = std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * std::pow(double(x), 3));
    worst = std::max(worst, std::fabs(gelu(x) - 0.5 * x * (1 + std::tanh(inner))));
  }
  CHECK(worst < 5e-7);
  CHECK(std::fabs(gelu(2.7f) - 0.5 * 2.7 * (1 + std::erf(2.7 / std::sqrt(2.0)))) > 1e-4);
  std::vector<float> row = random_floats(11, 3), alone = row;
  gelu(std::span<float>(row));
  for (float& x : alone) x = gelu(x);
  CHECK(same_bits(row, alone));
}

TEST_CASE("gelu's slope agrees with differences of gelu in double") {
  std::vector<double> x;
  for (double at = -7; at <= 7; at += 0.0137) x.push_back(at);
  std::vector<double> above = x, below = x, slope(x.size(), 1.0);
  const double h = 1e-6;
  for (std::size_t i = 0; i < x.size(); ++i) above[i] += h, below[i] -= h;
  gelu(std::span<double>(above));
  gelu(std::span<double>(below));
  gelu_backward(x, slope);
  std::vector<float> narrow(x.begin(), x.end()), narrow_slope(x.size(), 1.0f);
  gelu_backward(narrow, narrow_slope);
  double worst = 0, worst_float = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, std::fabs(slope[i] - (above[i] - below[i]) / (2 * h)));
    worst_float = std::max(worst_float, std::fabs(slope[i] - narrow_slope[i]));
  }
  CHECK(worst < 1e-8);
  CHECK(worst_float < 2e-6);
}

TEST_CASE("strided products: plain and transposed, any size, added to what is there") {
  for (const auto& [rows, terms, columns] : {std::array<std::size_t, 3>{1, 1, 1}, {4, 3, 8}, {9, 5, 19}, {17, 12, 16}}) {
    const std::vector<float> a = random_floats(rows * terms, 1), b = random_floats(terms * columns, 2);
    std::vector<float> plain(rows * columns, 0.5f), turned = plain;
    std::vector<float> a_turned(a.size());
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t k = 0; k < terms; ++k) a_turned[k * rows + r] = a[r * terms + k];
    add_product<float>({a.data(), terms, 1}, b.data(), columns, rows, terms, columns, plain.data(), columns);
    add_product<float>({a_turned.data(), 1, rows}, b.data(), columns, rows, terms, columns, turned.data(), columns);
    CHECK(same_bits(plain, turned));
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t n = 0; n < columns; ++n) {
        float sum = 0;
        for (std::size_t k = 0; k < terms; ++k) sum += a[r * terms + k] * b[k * columns + n];
        CHECK(plain[r * columns + n] == 0.5f + sum);
      }
  }
}

TEST_CASE("matmul adds products in increasing k, whatever the tiles") {
  struct Shape {
    std::size_t rows, k, n;
  };
  for (const Shape& shape : {Shape{1, 1, 1}, {1, 5, 3}, {4, 7, 8}, {5, 16, 9}, {3, 48, 40}, {9, 33, 71}, {13, 100, 64}, {2, 10, 33}}) {
    const std::size_t rows = shape.rows, k = shape.k, n = shape.n;
    CAPTURE(rows);
    CAPTURE(k);
    CAPTURE(n);
    const std::vector<float> x = random_floats(rows * k, 1), matrix = random_floats(k * n, 2),
                             bias = random_floats(n, 3);
    std::vector<float> expected(rows * n);
    for (std::size_t t = 0; t < rows; ++t)
      for (std::size_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::size_t i = 0; i < k; ++i) sum += x[t * k + i] * matrix[i * n + j];
        expected[t * n + j] = sum + bias[j];
      }
    const PackedMatrix w = packed(matrix, k, n);
    const std::size_t panels = PackedMatrix::n_panels(n);
    std::vector<float> whole(rows * n, 9.0f), by_panel(rows * n, 9.0f), by_row(rows * n, 9.0f);
    multiply(x.data(), k, rows, w, bias, whole.data(), n, 0, panels);
    for (std::size_t p = 0; p < panels; ++p) multiply(x.data(), k, rows, w, bias, by_panel.data(), n, p, p + 1);
    for (std::size_t t = 0; t < rows; ++t) multiply(&x[t * k], k, 1, w, bias, &by_row[t * n], n, 0, panels);
    CHECK(same_bits(whole, expected));
    CHECK(same_bits(by_panel, expected));
    CHECK(same_bits(by_row, expected));
  }
}

TEST_CASE("softmax sums to 1, keeps the order, survives large scores, and shows its steps") {
  for (std::size_t n : {1, 2, 3, 4, 5, 8, 50, 1001}) {
    std::vector<float> row = random_floats(n, static_cast<unsigned>(n));
    for (float& score : row) score = score * 40 + 1000;
    const std::vector<float> scores = row;
    const SoftmaxSteps steps = softmax(row);
    CHECK(steps.maximum == *std::max_element(scores.begin(), scores.end()));
    double sum = 0, truth = 0;
    for (std::size_t i = 0; i < n; ++i) truth += std::exp(double(scores[i]) - steps.maximum);
    for (std::size_t i = 0; i < n; ++i) {
      sum += row[i];
      CHECK(row[i] == doctest::Approx(std::exp(double(scores[i]) - steps.maximum) / truth).epsilon(1e-6));
    }
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-6));
  }
  std::vector<float> empty;
  softmax(empty);
  CHECK(empty.empty());
}

TEST_CASE("layer norm has biased variance") {
  std::vector<float> x = {1, 2, 3, 4, 6}, weight(5, 1.0f), bias(5, 0.0f), out(5);
  layer_norm(x, weight, bias, 0.0f, out);
  double mean = 0, square = 0;
  for (float y : out) mean += y / 5, square += y * y / 5;
  CHECK(mean == doctest::Approx(0.0).epsilon(1e-6));
  CHECK(square == doctest::Approx(1.0).epsilon(1e-6));  // with n - 1 it would be 0.8
  layer_norm(x, weight, bias, 1e-5f, x);
  CHECK(std::fabs(x[0] - out[0]) < 1e-4f);
}

TEST_CASE("the pool covers every index once, for any number of threads") {
  for (std::size_t threads : {0, 1, 2, 3, 5}) {
    Pool pool(threads);
    for (std::size_t count : {0, 1, 2, 3, 7, 1000}) {
      std::vector<int> visits(count, 0);
      pool.split(count, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
      });
      CHECK(std::all_of(visits.begin(), visits.end(), [](int v) { return v == 1; }));
    }
  }
}
