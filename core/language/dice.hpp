// Chance from a seed, the same on every machine: a fixed generator and a fixed way to take small numbers from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace lookback::language {

// Spreads nearby numbers over all 64 bits. Source: the finaliser of splitmix64 (Steele, Lea, Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(mixed(seed)) {}

  // 0 … n - 1, each equally likely to within n / 2^32. n must be from 1 to 2^32 - 1.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(((random_() >> 32) * n) >> 32); }

  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }

  template <class T>
  const T& pick(std::span<const T> choices) {
    return choices[below(choices.size())];
  }
  template <class T, std::size_t n>
  const T& pick(const T (&choices)[n]) {
    return choices[below(n)];
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace lookback::language
