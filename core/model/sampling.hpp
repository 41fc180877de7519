// Choosing the next token from its scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/result.hpp"

namespace lookback {

struct Sampling {
  float temperature = 1.0f;  // scores are divided by it; 0 = greedy
  std::size_t top_k = 0;     // keep the k likeliest; 0 = all
  float top_p = 1.0f;        // then keep the smallest set of likeliest tokens whose chances reach p
};

// Errors: bad_argument for a temperature below 0 or not finite, top_p outside (0, 1].
Result<> check_sampling(const Sampling& sampling);

// A token and its chance to be drawn.
struct Choice {
  int id = 0;
  float probability = 0;
};

struct Draw {
  Choice drawn;
  std::vector<Choice> likeliest;  // by score; a token that top-k or top-p leaves out has the chance 0
};

// Order of work: temperature, top-k, softmax, top-p over all that is left, then a draw. Of equal scores the lower id
// counts as likelier. std::mt19937_64 is defined by the C++ standard, so a seed gives the same text everywhere. `logits`
// holds one score or more; of the likeliest, n_likeliest come along.
Draw draw(std::span<const float> logits, const Sampling& sampling, std::mt19937_64& random, std::size_t n_likeliest);

// The token only.
int sample(std::span<const float> logits, const Sampling& sampling, std::mt19937_64& random);

}  // namespace lookback
