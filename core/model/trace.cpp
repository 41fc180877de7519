#include "core/model/trace.hpp"

#include <algorithm>

namespace lookback {
namespace {

constexpr std::size_t width = PackedMatrix::panel_width;

std::size_t padded(std::size_t n) { return PackedMatrix::n_panels(n) * width; }

// Room grows by 32 rows at a time: a vector's own doubling would break the promised memory, and growing row by row
// would copy the whole trace for each token typed.
template <class Real>
void resize_rows(std::vector<Real>& array, std::size_t n_rows, std::size_t d_model) {
  constexpr std::size_t step = 32;
  if (n_rows * d_model > array.capacity()) array.reserve((n_rows + step - 1) / step * step * d_model);
  array.resize(n_rows * d_model);
}

}  // namespace

std::uint64_t trace_bytes(const Config& config, std::size_t n_tokens) {
  const std::uint64_t per_layer = 4 * n_tokens + padded(n_tokens);
  return (config.n_layers * per_layer + n_tokens) * config.d_model * sizeof(float) + n_tokens * sizeof(int);
}

template <class Real>
void resize(BasicTrace<Real>& trace, std::size_t n_tokens) {
  const std::size_t d_model = trace.config.d_model, old_tokens = trace.ids.size();
  trace.blocks.resize(trace.config.n_layers);
  for (BasicBlockTrace<Real>& block : trace.blocks) {
    for (std::vector<Real>* rows : {&block.resid_pre, &block.q, &block.v, &block.resid_mid})
      resize_rows(*rows, n_tokens, d_model);
    resize_rows(block.k, padded(n_tokens), d_model);
  }
  resize_rows(trace.resid_final, n_tokens, d_model);
  trace.ids.resize(n_tokens);

  // Keys of dropped positions share a panel with kept ones: clear them, so that absent positions hold 0.
  for (std::size_t t = n_tokens; t < std::min(padded(n_tokens), old_tokens); ++t) {
    for (BasicBlockTrace<Real>& block : trace.blocks)
      for (std::size_t head = 0; head < trace.config.n_heads; ++head)
        for (std::size_t i = 0; i < trace.config.d_head(); ++i) block.k[trace.key_index(t, head, i)] = 0;
  }
}

template void resize(BasicTrace<float>&, std::size_t);
template void resize(BasicTrace<double>&, std::size_t);

}  // namespace lookback
