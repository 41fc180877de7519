#include "core/lessons/elementary.hpp"

#include <cmath>

namespace lookback::lessons {

namespace {

constexpr double sqrt_half = 0.70710678118654752440;
constexpr double ln_2 = 0.69314718055994530942;
constexpr double pi = 3.14159265358979323846;

// arctan(t) for 0 <= t <= 1: two halvings of the angle by arctan(t) = 2 arctan(t / (1 + √(1 + t²))), then the series
// t − t³/3 + t⁵/5 − …, whose terms shrink by 25 or more each.
double arctan(double t) {
  for (int halving = 0; halving < 2; ++halving) t /= 1 + std::sqrt(1 + t * t);
  double total = 0;
  for (int n = 25; n >= 1; n -= 2) total = 1.0 / n - t * t * total;
  return 4 * t * total;
}

}  // namespace

// x = m 2^e with m between √½ and √2, then ln m = 2 (u + u³/3 + u⁵/5 + …) with u = (m − 1) / (m + 1), |u| < 0.172.
double log2(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < sqrt_half) {
    m *= 2;
    --exponent;
  }
  const double u = (m - 1) / (m + 1);
  double total = 0;
  for (int n = 21; n >= 1; n -= 2) total = 1.0 / n + u * u * total;
  return exponent + 2 * u * total / ln_2;
}

// 2^y with y = exponent log2(base) = n + r, n whole and |r| <= 1/2: 2^n e^(r ln 2), by the power series, whose last term is
// below 1e-17.
double power(double base, double exponent) {
  const double y = exponent * log2(base);
  const double n = std::floor(y + 0.5), r = (y - n) * ln_2;
  double total = 1;
  for (int k = 15; k >= 1; --k) total = 1 + r / k * total;
  return std::ldexp(total, static_cast<int>(n));
}

double angle_degrees(double y, double x) {
  const double high = std::fabs(y), wide = std::fabs(x);
  double angle = high <= wide ? arctan(high / wide) : pi / 2 - arctan(wide / high);
  if (x < 0) angle = pi - angle;
  if (y < 0) angle = -angle;
  return angle * (180 / pi);
}

}  // namespace lookback::lessons
