// The way back: from the loss on the next token through the trace to the slope of every weight.
//
// Scores, shares and neurons are worked out again from the trace by the forward pass's own functions, so a trace made
// for looking at is all that learning needs. The rule for each step is the chain rule; the derivations are in the
// comments of backward.cpp and of the numerics they call.
#pragma once

#include <span>
#include <vector>

#include "core/model/trace.hpp"
#include "core/model/weights.hpp"

namespace lookback {

// The matrices with their sides exchanged, packed: upstream slopes go back through them. Made again after each step.
template <class Real>
struct TransposedBlock {
  BasicPackedMatrix<Real> c_attn, c_proj, mlp_fc, mlp_proj;
};
template <class Real>
struct TransposedWeights {
  std::vector<TransposedBlock<Real>> blocks;
  BasicPackedMatrix<Real> head;  // [d_vocab, d_model]
};
template <class Real>
void transpose(const BasicWeights<Real>& weights, TransposedWeights<Real>& out);

// Room that the way back needs; taken at the first use and kept.
template <class Real>
struct BackwardScratch {
  std::vector<Real> d_resid;             // [n, d_model] the loss's slope by the residual stream at hand
  std::vector<Real> normalized;          // [n, d_model]
  std::vector<Real> d_normalized;        // [n, d_model]
  std::vector<Real> z, d_z;              // [n, d_model]
  std::vector<Real> d_qkv;               // [n, 3 d_model]
  std::vector<Real> before, neurons;     // [n, d_mlp] before and after GELU
  std::vector<Real> d_neurons;           // [n, d_mlp]
  std::vector<Real> shares, d_shares;    // [n, n rounded up to 8]
  std::vector<Real> keys;                // [n, d_head] one head's keys as rows
  std::vector<Real> values_across;       // [d_head, n rounded up to 8] one head's values as columns
  std::vector<Real> logits;              // [64, d_vocab]
};

constexpr int not_counted = -1;

// The loss of a finished trace, -ln p(target), summed over the positions whose target counts; targets [n] are ids or
// not_counted. Adds `scale` times its slope by every weight to `gradient`, which has the shape of `weights`.
// Hendrycks-and-Gimpel GELU, Ba et al. norms and Vaswani et al. attention, differentiated; no term but the next token's.
template <class Real>
Real add_gradient(const BasicWeights<Real>& weights, const TransposedWeights<Real>& transposed,
                  const BasicTrace<Real>& trace, std::span<const int> targets, Real scale,
                  BasicWeights<Real>& gradient, BackwardScratch<Real>& scratch);

// The loss alone.
template <class Real>
Real next_token_loss(const BasicWeights<Real>& weights, const BasicTrace<Real>& trace, std::span<const int> targets);

}  // namespace lookback
