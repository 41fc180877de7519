// The few elementary functions that the lessons need besides exp, in double arithmetic.
//
// Built from + − × ÷ and √ alone, so that every machine gives the same bits (a C library's differ). Errors, measured in
// tests/core/lessons_elementary.cpp: log2 within 1e-14 of its size, angles within 1e-12 degrees, powers within 1e-13 of
// their size.
#pragma once

namespace lookback::lessons {

// Logarithm to base 2 of a positive finite number.
double log2(double x);

// base^exponent for a positive finite base, where the result is a normal number.
double power(double base, double exponent);

// The angle of the point (x, y), not both 0, in degrees from the x axis, counterclockwise, −180 to 180.
double angle_degrees(double y, double x);

}  // namespace lookback::lessons
