// What a forward pass leaves behind: per token and layer q, k, v and the residual stream. Everything else (scores,
// patterns, normalised rows, neurons) is worked out from these when someone looks, so memory grows with n, not n².
//
// Names follow the field's: blocks.{L}.attn.hook_q is q[L], and so on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/model/config.hpp"
#include "core/model/edits.hpp"
#include "core/numerics/packed_matrix.hpp"

namespace lookback {

template <class Real>
struct BasicBlockTrace {
  std::vector<Real> resid_pre;  // [n, d_model]  blocks.{L}.hook_resid_pre
  std::vector<Real> q;          // [n, d_model]  heads side by side; head h owns columns h * d_head … (h + 1) * d_head
  // Keys packed for the score product: panels of 8 positions, each [n_heads][d_head][8]. Key element (position t, head
  // h, dimension i) lies at ((t / 8 * n_heads + h) * d_head + i) * 8 + t % 8; absent positions hold 0.
  std::vector<Real> k;
  std::vector<Real> v;          // [n, d_model]
  std::vector<Real> resid_mid;  // [n, d_model]  blocks.{L}.hook_resid_mid: after attention
};

template <class Real>
struct BasicTrace {
  Config config;
  Edits edits;                       // what the pass changed
  std::vector<int> ids;              // [n]
  std::vector<BasicBlockTrace<Real>> blocks;  // [n_layers]
  std::vector<Real> resid_final;    // [n, d_model]  the last layer's hook_resid_post

  std::size_t n_tokens() const { return ids.size(); }

  // The residual stream [n, d_model] after `layers_done` layers: 0 is the embedding, n_layers the end.
  const std::vector<Real>& residual(std::size_t layers_done) const {
    return layers_done < blocks.size() ? blocks[layers_done].resid_pre : resid_final;
  }
  std::size_t key_index(std::size_t position, std::size_t head, std::size_t i) const {
    constexpr std::size_t width = PackedMatrix::panel_width;
    return ((position / width * config.n_heads + head) * config.d_head() + i) * width + position % width;
  }
  // The panel of 8 keys [d_head][8] that holds positions 8 * panel …
  const Real* key_panel(std::size_t layer, std::size_t panel, std::size_t head) const {
    return &blocks[layer].k[(panel * config.n_heads + head) * config.d_head() * PackedMatrix::panel_width];
  }
};

using BlockTrace = BasicBlockTrace<float>;
using Trace = BasicTrace<float>;

// Bytes that a trace of n tokens holds.
std::uint64_t trace_bytes(const Config& config, std::size_t n_tokens);

// Room for n_tokens rows in every array; rows beyond the present ones hold 0. Shrinks too. Throws std::bad_alloc.
template <class Real>
void resize(BasicTrace<Real>& trace, std::size_t n_tokens);

}  // namespace lookback
