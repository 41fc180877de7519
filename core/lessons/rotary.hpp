// The rotary dial: a query and a key are turned, pair by pair, by an angle that grows with their place. The score of the
// turned lists depends on how far apart the places are, and on nothing else of them.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "core/result.hpp"

namespace lookback::lessons {

struct RotaryInput {
  std::vector<float> q, k;  // [d], d even, 2 to limits::rotary_d; numbers within ±limits::coordinate
  std::int64_t m = 0;       // place of the query, 0 to limits::place
  std::int64_t n = 0;       // place of the key
  float base = 10000;       // 1 to limits::rotary_base
  std::vector<float> bases = {};         // others, whose wavelengths are compared
  std::vector<std::int64_t> shifts = {};  // by which both places are moved on
};

struct RotaryPair {
  float theta = 0;       // radians a place
  float wavelength = 0;  // places for a whole turn
  float q_turns = 0;     // turns that the query's place makes, the key's
  float k_turns = 0;
  Eigen::Array2f q_turned = Eigen::Array2f::Zero();
  Eigen::Array2f k_turned = Eigen::Array2f::Zero();
  float product = 0;  // of the turned pairs: the sum of their two products
};

struct RotaryScore {
  std::int64_t m = 0, n = 0;
  float score = 0;
};

struct RotaryOutput {
  std::vector<RotaryPair> pairs;       // [d / 2], numbers 2j and 2j + 1
  float score = 0;                     // the pairs' products added up
  float unturned = 0;                  // of the lists as they are
  float at_distance = 0;               // the query turned by m − n places, the key not at all
  std::vector<RotaryScore> elsewhere;  // [shifts]: the same distance further on
  float most_apart = 0;                // largest difference between any two of score, at_distance and elsewhere
  std::vector<std::vector<float>> compared;  // [bases][d / 2]: wavelengths
};

// Pair j turns by theta_j = base^(−2j/d) a place: Su et al. 2021, equation 15, with j from 0. Angles in double, since a
// far place has many turns behind it; products in float. Fails on sizes or numbers outside the limits.
Result<RotaryOutput> rotary(const RotaryInput& input);

}  // namespace lookback::lessons
