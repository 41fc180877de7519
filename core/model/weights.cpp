#include "core/model/weights.hpp"

namespace lookback {

std::size_t n_parameters(const Config& c) {
  const std::size_t d = c.d_model, norm = 2 * d;
  const std::size_t attention = (d + 1) * 3 * d + (d + 1) * d;
  const std::size_t feed_forward = (d + 1) * c.d_mlp + (c.d_mlp + 1) * d;
  const std::size_t tables = (c.d_vocab * (c.tied_head ? 1 : 2) + c.n_positions) * d;
  return tables + c.n_layers * (2 * norm + attention + feed_forward) + norm;
}

}  // namespace lookback
