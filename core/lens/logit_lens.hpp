// The logit lens (nostalgebraist 2020, "interpreting GPT: the logit lens"): the final read-out applied to the residual
// stream after any number of layers, as if the model had to guess then.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/model/transformer.hpp"

namespace lookback {

// Scores for the next token after `layers_done` layers (0 = the embedding, n_layers = the model's own guess) at one
// position, [d_vocab]. Needs layers_done <= n_layers and position < n_tokens.
std::vector<float> logit_lens(const Weights& weights, const Trace& trace, std::size_t layers_done,
                              std::size_t position, Pool& pool);

struct Guess {
  int id = 0;
  float logit = 0;
  float probability = 0;  // softmax over the whole vocabulary
};

// The k likeliest tokens, likeliest first; of equals the lower id first.
std::vector<Guess> top_k(std::span<const float> logits, std::size_t k);

// One token's probability and its rank, 0 = the likeliest; of equals the lower id ranks first.
struct Standing {
  float probability = 0;
  std::size_t rank = 0;
};
Standing standing_of(std::span<const float> logits, int id);

// Where one token stands as the next at a position, after 0, 1, … n_layers layers: [n_layers + 1]. Needs position <
// n_tokens and id < d_vocab.
std::vector<Standing> standing_by_layers(const Weights& weights, const Trace& trace, std::size_t position, int id,
                                         Pool& pool);

}  // namespace lookback
