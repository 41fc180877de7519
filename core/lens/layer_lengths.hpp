// How long a token's row is on its way through the layers, and how long what each half of a layer adds to it.
#pragma once

#include <cstddef>
#include <vector>

#include "core/model/trace.hpp"

namespace lookback {

// Lengths: the square root of the sum of a row's squares. What is added is the row after less the row before, so it is
// what the sum really took up, rounding included.
struct LayerLengths {
  float before = 0;        // of hook_resid_pre
  float attention = 0;     // of hook_resid_mid − hook_resid_pre
  float between = 0;       // of hook_resid_mid
  float feed_forward = 0;  // of hook_resid_post − hook_resid_mid
  float after = 0;         // of hook_resid_post
};

// [n_layers]. Needs position < n_tokens.
std::vector<LayerLengths> layer_lengths(const Trace& trace, std::size_t position);

}  // namespace lookback
