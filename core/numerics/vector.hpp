// Four numbers side by side, by the compilers' vector extensions: one source for SSE, AVX and WebAssembly SIMD.
// Each lane is ordinary IEEE arithmetic, so a lane's bits do not depend on what its neighbours hold.
//
// Real is float everywhere but in gradient checks, which run the same templates in double.
#pragma once

#include <cstdint>
#include <cstring>

namespace lookback {

typedef float f32x4 __attribute__((vector_size(16)));
typedef std::int32_t i32x4 __attribute__((vector_size(16)));
typedef double f64x4 __attribute__((vector_size(32)));

inline f32x4 load4(const float* p) {
  f32x4 v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline f64x4 load4(const double* p) {
  f64x4 v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline void store4(float* p, f32x4 v) { std::memcpy(p, &v, sizeof v); }
inline void store4(double* p, f64x4 v) { std::memcpy(p, &v, sizeof v); }
inline f32x4 splat(float x) { return f32x4{x, x, x, x}; }
inline f64x4 splat(double x) { return f64x4{x, x, x, x}; }
// A float's bits and back; what std::bit_cast does, which older libraries for WebAssembly lack.
inline std::uint32_t bits_of(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline float float_of(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
inline i32x4 bits_of(f32x4 v) { return reinterpret_cast<i32x4>(v); }
inline f32x4 floats_of(i32x4 v) { return reinterpret_cast<f32x4>(v); }

// Lane by lane: mask (all ones or all zeros) ? yes : no.
inline f32x4 select(i32x4 mask, f32x4 yes, f32x4 no) {
  return floats_of((mask & bits_of(yes)) | (~mask & bits_of(no)));
}

// Eight numbers side by side: two vectors of four, or one register where the compiler may use AVX. A lane's bits are the
// same either way.
template <class Real>
struct Eight {
  decltype(load4(static_cast<const Real*>(nullptr))) low = {}, high = {};

  static Eight load(const Real* p) { return {load4(p), load4(p + 4)}; }
  void store(Real* p) const {
    store4(p, low);
    store4(p + 4, high);
  }
  void add(const Eight& other) {
    low += other.low;
    high += other.high;
  }
  void add_product(Real factor, const Eight& other) {
    low += splat(factor) * other.low;
    high += splat(factor) * other.high;
  }
};

#ifdef __AVX__
template <>
struct Eight<float> {
  typedef float f32x8 __attribute__((vector_size(32)));
  f32x8 all = {};

  static Eight load(const float* p) {
    Eight v;
    std::memcpy(&v.all, p, sizeof v.all);
    return v;
  }
  void store(float* p) const { std::memcpy(p, &all, sizeof all); }
  void add(const Eight& other) { all += other.all; }
  void add_product(float f, const Eight& other) { all += f32x8{f, f, f, f, f, f, f, f} * other.all; }
};
// Rows of a matrix product's tile that the registers hold: with a pointer a row, and with rows that lie side by side.
// Of WebAssembly's sixteen registers a compiler keeps one for itself: with six rows some sums would wait in memory.
constexpr int tile_height = 8, packed_tile_height = 8;
#else
constexpr int tile_height = 4, packed_tile_height = 5;
#endif

}  // namespace lookback
