// Our own exp, tanh and GELU, so that every machine gives the same bits (a C library's differ from one to the next).
//
// Errors were measured over all floats of the range (tests/core/functions_test.cpp): exp stays within 0.98 ULP, tanh within 1.33.
//
// The double versions are for gradient checks and references; they use the C library's functions.
#pragma once

#include <span>

#include "core/numerics/vector.hpp"

namespace lookback {

// e^x. Overflows to +inf above 88.72, underflows through the subnormals to 0; NaN stays NaN.
f32x4 exp(f32x4 x);
f64x4 exp(f64x4 x);
float exp(float x);
double exp(double x);

// Hyperbolic tangent; exactly ±1 for large |x|, NaN stays NaN.
f32x4 tanh(f32x4 x);
f64x4 tanh(f64x4 x);
float tanh(float x);
double tanh(double x);

// Natural logarithm of a positive, finite, normal number, for losses.
float log(float x);
double log(double x);

// sin and cos of an angle in radians, |angle| < 2^30, for tables and schedules: double from sums and products alone, so
// that every machine gives the same bits.
double sine(double angle);
double cosine(double angle);

// GELU in its tanh form, 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))): Hendrycks & Gimpel 2016, section 2. In place.
void gelu(std::span<float> x);
void gelu(std::span<double> x);
float gelu(float x);

// upstream[i] *= gelu'(x[i]), the derivative of the tanh form.
void gelu_backward(std::span<const float> x, std::span<float> upstream);
void gelu_backward(std::span<const double> x, std::span<double> upstream);

}  // namespace lookback
