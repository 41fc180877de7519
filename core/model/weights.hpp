// All numbers that a model learned, packed once on arrival.
//
// The matrices may be kept in any storage of packed_matrix.hpp; biases, norms and wpe are always f32.
// Names in comments are the checkpoint's keys. "Conv1D" matrices are [in, out], as GPT-2's checkpoints hold them.
#pragma once

#include <vector>

#include "core/model/config.hpp"
#include "core/numerics/packed_matrix.hpp"

namespace lookback {

template <class Real>
struct BasicLayerNormWeights {
  std::vector<Real> weight;  // [d_model]
  std::vector<Real> bias;    // [d_model]
};

template <class Real>
struct BasicLinearWeights {
  BasicPackedMatrix<Real> weight;      // [in, out]
  std::vector<Real> bias;  // [out]
};

template <class Real>
struct BasicBlockWeights {
  BasicLayerNormWeights<Real> ln_1;  // h.{L}.ln_1
  BasicLinearWeights<Real> c_attn;   // h.{L}.attn.c_attn  [d_model, 3 * d_model]: q | k | v
  BasicLinearWeights<Real> c_proj;   // h.{L}.attn.c_proj  [d_model, d_model]: W_O, heads side by side
  BasicLayerNormWeights<Real> ln_2;  // h.{L}.ln_2
  BasicLinearWeights<Real> mlp_fc;   // h.{L}.mlp.c_fc     [d_model, d_mlp]
  BasicLinearWeights<Real> mlp_proj; // h.{L}.mlp.c_proj   [d_mlp, d_model]
};

template <class Real>
struct BasicWeights {
  Config config;
  BasicPackedMatrix<Real> wte;        // token table, packed as the read-out: [d_model, d_vocab]; serves look-up too
  std::vector<Real> wpe;  // position table [n_positions, d_model], row-major
  std::vector<BasicBlockWeights<Real>> blocks;
  BasicLayerNormWeights<Real> ln_f;
  BasicPackedMatrix<Real> lm_head;  // [d_model, d_vocab]; empty when config.tied_head

  // The read-out matrix [d_model, d_vocab].
  const BasicPackedMatrix<Real>& head() const { return config.tied_head ? wte : lm_head; }
};

using LayerNormWeights = BasicLayerNormWeights<float>;
using LinearWeights = BasicLinearWeights<float>;
using BlockWeights = BasicBlockWeights<float>;
using Weights = BasicWeights<float>;

// Numbers learned, without the packing's padding.
std::size_t n_parameters(const Config& config);

}  // namespace lookback
