#include "core/numerics/functions.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace lookback {

// Range reduction x = n ln 2 + r, |r| <= ln(2)/2, then a polynomial for e^r (coefficients of Cephes' expf, Moshier).
// ln 2 is split in two so that n * ln2_high is exact.
f32x4 exp(f32x4 x) {
  const f32x4 round_to_integer = splat(12582912.0f);  // 1.5 * 2^23: adding it leaves the integer in the low bits
  const f32x4 shifted = x * splat(1.44269504088896341f) + round_to_integer;
  const f32x4 n = shifted - round_to_integer;
  const i32x4 exponent = bits_of(shifted) - bits_of(round_to_integer);

  const f32x4 r = (x - n * splat(0.693359375f)) - n * splat(-2.12194440e-4f);
  f32x4 p = splat(1.9875691500e-4f);
  p = p * r + splat(1.3981999507e-3f);
  p = p * r + splat(8.3334519073e-3f);
  p = p * r + splat(4.1665795894e-2f);
  p = p * r + splat(1.6666665459e-1f);
  p = p * r + splat(5.0000001201e-1f);
  const f32x4 y = p * (r * r) + r + splat(1.0f);

  // 2^n in two factors, so that results below the normal range are rounded once, by the last product.
  const i32x4 half = exponent >> 1;
  const f32x4 low = floats_of((half + 127) << 23);
  const f32x4 high = floats_of((exponent - half + 127) << 23);
  f32x4 result = y * low * high;

  result = select(x > splat(88.7228394f), splat(__builtin_inff()), result);
  result = select(x < splat(-103.972084f), splat(0.0f), result);
  return select(x != x, x, result);
}

// Near 0 an odd polynomial (Cephes' tanhf); elsewhere 1 - 2 / (e^2|x| + 1), which saturates instead of dividing inf by inf.
f32x4 tanh(f32x4 x) {
  const i32x4 sign = bits_of(x) & static_cast<std::int32_t>(0x80000000);
  const f32x4 size = floats_of(bits_of(x) ^ sign);

  const f32x4 z = size * size;
  f32x4 p = splat(-5.70498872745e-3f);
  p = p * z + splat(2.06390887954e-2f);
  p = p * z + splat(-5.37397155531e-2f);
  p = p * z + splat(1.33314422036e-1f);
  p = p * z + splat(-3.33332819422e-1f);
  const f32x4 near_zero = p * z * size + size;

  const f32x4 far = splat(1.0f) - splat(2.0f) / (exp(size + size) + splat(1.0f));
  const f32x4 result = select(size < splat(0.625f), near_zero, far);
  return select(x != x, x, floats_of(bits_of(result) | sign));
}

f64x4 exp(f64x4 x) { return f64x4{std::exp(x[0]), std::exp(x[1]), std::exp(x[2]), std::exp(x[3])}; }
f64x4 tanh(f64x4 x) { return f64x4{std::tanh(x[0]), std::tanh(x[1]), std::tanh(x[2]), std::tanh(x[3])}; }

float exp(float x) { return exp(splat(x))[0]; }
float tanh(float x) { return tanh(splat(x))[0]; }
double exp(double x) { return std::exp(x); }
double tanh(double x) { return std::tanh(x); }

// x = 2^e m with sqrt(1/2) <= m < sqrt(2), then a polynomial in m - 1 (coefficients of Cephes' logf, Moshier).
float log(float x) {
  std::int32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  std::int32_t e = (bits >> 23) - 126;
  bits = (bits & 0x007fffff) | 0x3f000000;  // m in [1/2, 1)
  float m;
  std::memcpy(&m, &bits, sizeof m);
  if (m < 0.707106781186547524f) {
    e -= 1;
    m = m + m - 1.0f;
  } else {
    m = m - 1.0f;
  }
  const float z = m * m, n = static_cast<float>(e);
  float p = 7.0376836292e-2f;
  for (const float c : {-1.1514610310e-1f, 1.1676998740e-1f, -1.2420140846e-1f, 1.4249322787e-1f, -1.6668057665e-1f,
                        2.0000714765e-1f, -2.4999993993e-1f, 3.3333331174e-1f})
    p = p * m + c;
  float y = p * m * z;
  y += n * -2.12194440e-4f;
  y -= 0.5f * z;
  return m + y + n * 0.693359375f;
}
double log(double x) { return std::log(x); }

// The angle less whole quarter turns, |rest| <= pi/4, then the power series of both, of which the last terms are below
// 1e-17. pi/2 is split in two so that turns * half_pi_high is exact for up to 2^26 turns.
namespace {

struct Circle {
  double sine, cosine;
};

Circle circle(double angle) {
  constexpr double half_pi_high = 0x1.921fb5p+0, half_pi_low = 0x1.110b4611a6263p-26;
  const double turns = std::floor(angle * 0.63661977236758134308 + 0.5);
  const double x = (angle - turns * half_pi_high) - turns * half_pi_low, z = x * x;
  double sin_sum = 0, cos_sum = 0;
  for (int k = 9; k >= 1; --k) {
    sin_sum = (1 + sin_sum) * -z / ((2 * k) * (2 * k + 1));
    cos_sum = (1 + cos_sum) * -z / ((2 * k - 1) * (2 * k));
  }
  const double s = x + x * sin_sum, c = 1 + cos_sum;
  switch (static_cast<std::int64_t>(turns) & 3) {
    case 0: return {s, c};
    case 1: return {c, -s};
    case 2: return {-s, -c};
    default: return {-c, s};
  }
}

}  // namespace

double sine(double angle) { return circle(angle).sine; }
double cosine(double angle) { return circle(angle).cosine; }

namespace {

template <class Real>
struct Gelu {
  using Four = decltype(load4(static_cast<const Real*>(nullptr)));

  static Four inner(Four x) {
    return splat(Real(0.7978845608028654)) * (x + splat(Real(0.044715)) * (x * x * x));
  }
  static Four of(Four x) { return splat(Real(0.5)) * x * (splat(Real(1)) + tanh(inner(x))); }

  // 0.5 (1 + t) + 0.5 x (1 - t²) inner'(x), with t = tanh(inner(x)).
  static Four slope_of(Four x) {
    const Four t = tanh(inner(x));
    const Four inner_slope = splat(Real(0.7978845608028654)) * (splat(Real(1)) + splat(Real(3 * 0.044715)) * (x * x));
    return splat(Real(0.5)) * (splat(Real(1)) + t) +
           splat(Real(0.5)) * x * (splat(Real(1)) - t * t) * inner_slope;
  }
};

template <class Real>
void gelu_row(std::span<Real> x) {
  std::size_t i = 0;
  for (; i + 4 <= x.size(); i += 4) store4(&x[i], Gelu<Real>::of(load4(&x[i])));
  for (; i < x.size(); ++i) x[i] = Gelu<Real>::of(splat(x[i]))[0];
}

template <class Real>
void gelu_backward_row(std::span<const Real> x, std::span<Real> upstream) {
  std::size_t i = 0;
  for (; i + 4 <= x.size(); i += 4) store4(&upstream[i], load4(&upstream[i]) * Gelu<Real>::slope_of(load4(&x[i])));
  for (; i < x.size(); ++i) upstream[i] *= Gelu<Real>::slope_of(splat(x[i]))[0];
}

}  // namespace

float gelu(float x) { return Gelu<float>::of(splat(x))[0]; }
void gelu(std::span<float> x) { gelu_row(x); }
void gelu(std::span<double> x) { gelu_row(x); }
void gelu_backward(std::span<const float> x, std::span<float> upstream) { gelu_backward_row(x, upstream); }
void gelu_backward(std::span<const double> x, std::span<double> upstream) { gelu_backward_row(x, upstream); }

}  // namespace lookback
