// How far apart two texts are in what attention brings to their last tokens: whether the order of words shows, and from
// which layer on.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/model/trace.hpp"
#include "core/model/weights.hpp"
#include "core/numerics/pool.hpp"

namespace lookback {

// Two rows of equally many numbers, held against each other.
struct Apart {
  double one = 0, two = 0;   // their lengths
  double difference = 0;     // the length of one − two
  double most = 0;           // the largest |one[c] − two[c]|
  std::size_t equal = 0;     // numbers that are the same to the last bit
};

// one, two: [n] each.
Apart apart(std::span<const float> one, std::span<const float> two);

// Of hook_attn_out of the last token, layer by layer, [n_layers]. Both traces are of these weights and finished.
std::vector<Apart> attention_apart(const Weights& weights, const Trace& one, const Trace& two, Pool& pool);

}  // namespace lookback
