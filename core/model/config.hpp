// The shape of a model of GPT-2's architecture.
#pragma once

#include <cstddef>

namespace lookback {

struct Config {
  std::size_t n_layers = 0;
  std::size_t n_heads = 0;
  std::size_t d_model = 0;      // width of the residual stream
  std::size_t d_mlp = 0;        // width of the feed-forward step, 4 * d_model in GPT-2
  std::size_t n_positions = 0;  // the window: rows of the position table
  std::size_t d_vocab = 0;      // rows of the token table
  float layer_norm_eps = 1e-5f;
  bool tied_head = true;  // the read-out uses the token table; false: lm_head.weight [d_vocab, d_model]

  std::size_t d_head() const { return d_model / n_heads; }
};

}  // namespace lookback
