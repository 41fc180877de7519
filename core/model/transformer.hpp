// The forward pass of GPT-2's architecture (Radford et al. 2019): pre-norm blocks of causal attention and a tanh-GELU
// feed-forward step, each added to the residual stream.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "core/model/trace.hpp"
#include "core/model/weights.hpp"
#include "core/numerics/pool.hpp"
#include "core/result.hpp"

namespace lookback {

// Room that a pass needs beside the trace; at most 64 tokens go through a layer together.
template <class Real>
struct PassScratch {
  std::vector<Real> normalized;  // [rows, d_model]
  std::vector<Real> qkv;         // [rows, 3 * d_model]
  std::vector<Real> z;           // [rows, d_model]
  std::vector<Real> added;       // [rows, d_model]
  std::vector<Real> neurons;     // [rows, d_mlp]
  std::vector<Real> scores;      // [threads, rows, n_keys rounded up to 8]
  std::size_t scores_a_thread = 0;
};

// A layer is worked out in three half steps. Each needs its own weights only, so a pass can begin on a model that still
// arrives: (0) ln_1 and c_attn give q, k, v; (1) attention and c_proj give resid_mid; (2) ln_2 and the feed-forward step
// give resid_post. Counted through the model: half step 3 * layer + 0, 1 or 2.
constexpr std::size_t half_steps_a_layer = 3;
constexpr std::size_t every_half_step = std::numeric_limits<std::size_t>::max();

// A pass over a text in small steps, so that a page can stop between two of them. One step is one half step of one layer
// for up to 64 tokens (a chunk).
//
// The trace becomes the trace of `ids`. Rows that it already holds for a common beginning are kept, not computed again;
// by invariant 2 the result has the same bits as a pass from nothing. So typing one more token costs one token.
// weights, trace and pool must outlive the pass; the trace may not be changed by anything else until it is finished, and
// of it only the half steps that are done for all tokens may be read.
template <class Real>
class BasicPass {
 public:
  // Errors: window_full (more ids than positions), bad_argument (an id outside the vocabulary, no ids at all, an edit
  // that fits nothing): the trace is left as it was. out_of_memory: the trace is empty afterwards. The embedding's rows of
  // all ids must be there. Other edits than the trace has mean that nothing of it is kept.
  static Result<BasicPass> begin(const BasicWeights<Real>& weights, std::span<const int> ids, BasicTrace<Real>& trace,
                                 Pool& pool, const Edits& edits = {});

  bool finished() const { return half_steps_done() == half_steps_in_all(); }
  std::size_t steps_done() const { return steps_done_; }
  std::size_t steps_in_all() const { return chunks_.size() * half_steps_in_all(); }

  // One step of the first chunk that can go on. `ready`: the weights of that many half steps, counted from the first
  // layer on, are there; no others are read. False, and nothing happens, when every chunk waits for more or is finished.
  bool step(std::size_t ready = every_half_step);

  // How many half steps are done for all tokens: the next step needs the weights of the half step of this number.
  std::size_t half_steps_done() const { return chunks_.empty() ? half_steps_in_all() : chunks_.back(); }

  // Ends early: the trace keeps the tokens that went through all layers, possibly none.
  void abandon();

 private:
  BasicPass(const BasicWeights<Real>& weights, BasicTrace<Real>& trace, Pool& pool)
      : weights_(&weights), trace_(&trace), pool_(&pool) {}

  std::size_t half_steps_in_all() const { return half_steps_a_layer * weights_->config.n_layers; }
  std::size_t row_of(std::size_t chunk) const;  // where the chunk begins; where the last ends for the one behind it

  const BasicWeights<Real>* weights_;
  BasicTrace<Real>* trace_;
  Pool* pool_;
  PassScratch<Real> scratch_;
  std::size_t n_tokens_ = 0, first_row_ = 0;
  // Half steps done, by chunk. A chunk is never ahead of the one before, whose keys and values it reads.
  std::vector<std::size_t> chunks_;
  std::size_t steps_done_ = 0;
};
using Pass = BasicPass<float>;

// The whole pass in one call. Errors as Pass::begin.
template <class Real>
Result<> run(const BasicWeights<Real>& weights, std::span<const int> ids, BasicTrace<Real>& trace, Pool& pool,
             const Edits& edits = {});

// The residual stream's row as the next-token scores: ln_f, then the read-out. residual [d_model] -> [d_vocab].
std::vector<float> logits(const Weights& weights, std::span<const float> residual, Pool& pool);

}  // namespace lookback
