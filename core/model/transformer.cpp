#include "core/model/transformer.hpp"

#include <algorithm>
#include <new>
#include <string>

#include "core/model/attention.hpp"
#include "core/numerics/functions.hpp"
#include "core/numerics/layer_norm.hpp"
#include "core/numerics/matmul.hpp"

namespace lookback {
namespace {

// Tokens that go through the layers together: enough to use each weight often, few enough that scratch stays small.
constexpr std::size_t chunk_rows = 64;

template <class Real>
PassScratch<Real> make_scratch(const Config& config, std::size_t n_tokens, std::size_t n_threads) {
  const std::size_t rows = std::min(chunk_rows, n_tokens);
  const std::size_t scores_a_thread = rows * PackedMatrix::n_panels(n_tokens) * PackedMatrix::panel_width;
  PassScratch<Real> scratch;
  scratch.normalized.resize(rows * config.d_model);
  scratch.qkv.resize(rows * 3 * config.d_model);
  scratch.z.resize(rows * config.d_model);
  scratch.added.resize(rows * config.d_model);
  scratch.neurons.resize(rows * config.d_mlp);
  scratch.scores.resize(scores_a_thread * n_threads);
  scratch.scores_a_thread = scores_a_thread;
  return scratch;
}

template <class Real>
void norm_rows(const Real* x, std::size_t n_rows, const BasicLayerNormWeights<Real>& w, Real eps, Real* out, Pool& pool) {
  const std::size_t d = w.weight.size();
  pool.split(n_rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) layer_norm({x + r * d, d}, w.weight, w.bias, eps, {out + r * d, d});
  });
}

template <class Real>
void linear(const Real* x, std::size_t n_rows, const BasicLinearWeights<Real>& w, Real* y, Pool& pool) {
  pool.split(PackedMatrix::n_panels(w.weight.n_columns), [&](std::size_t begin, std::size_t end) {
    multiply<Real>(x, w.weight.k_rows, n_rows, w.weight, w.bias, y, w.weight.n_columns, begin, end);
  });
}

template <class Real>
void add(const Real* a, const Real* b, std::size_t n, Real* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] + b[i];
}

// Token row + position row; which position row, if any, the edits say.
template <class Real>
void embed(const BasicWeights<Real>& weights, BasicTrace<Real>& trace, std::size_t row_begin, std::size_t row_end) {
  const std::size_t d = weights.config.d_model;
  const bool placed = trace.edits.positions != Positions::none;
  const std::vector<std::size_t> places = position_rows(trace.edits, placed ? weights.config.n_positions : 0);
  std::vector<Real>& out = trace.blocks[0].resid_pre;
  for (std::size_t t = row_begin; t < row_end; ++t) {
    const std::size_t id = static_cast<std::size_t>(trace.ids[t]);
    for (std::size_t i = 0; i < d; ++i) out[t * d + i] = weights.wte.at(i, id);
    if (!placed) continue;
    for (std::size_t i = 0; i < d; ++i) out[t * d + i] += weights.wpe[places[t] * d + i];
  }
}

// q | k | v of the chunk into the trace; keys into their panels.
template <class Real>
void keep_qkv(const BasicTrace<Real>& trace, BasicBlockTrace<Real>& block, const Real* qkv, std::size_t row_begin,
              std::size_t row_end, Pool& pool) {
  const std::size_t d = trace.config.d_model, d_head = trace.config.d_head();
  pool.split(row_end - row_begin, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      const std::size_t t = row_begin + r;
      const Real* row = qkv + r * 3 * d;
      std::copy_n(row, d, &block.q[t * d]);
      std::copy_n(row + 2 * d, d, &block.v[t * d]);
      for (std::size_t i = 0; i < d; ++i) block.k[trace.key_index(t, i / d_head, i % d_head)] = row[d + i];
    }
  });
}

// One chunk of tokens at one layer, as its half steps see it.
template <class Real>
struct Chunk {
  const BasicWeights<Real>& weights;
  BasicTrace<Real>& trace;
  std::size_t layer, row_begin, row_end;
  PassScratch<Real>& scratch;
  Pool& pool;

  const BasicBlockWeights<Real>& w() const { return weights.blocks[layer]; }
  BasicBlockTrace<Real>& block() const { return trace.blocks[layer]; }
  Real eps() const { return Real(weights.config.layer_norm_eps); }
  std::size_t n_rows() const { return row_end - row_begin; }
  std::size_t size() const { return n_rows() * weights.config.d_model; }
  Real* rows(std::vector<Real>& array) const { return &array[row_begin * weights.config.d_model]; }
};

template <class Real>
void look_ready(const Chunk<Real>& c) {
  if (c.layer == 0) embed(c.weights, c.trace, c.row_begin, c.row_end);
  norm_rows(c.rows(c.block().resid_pre), c.n_rows(), c.w().ln_1, c.eps(), c.scratch.normalized.data(), c.pool);
  linear(c.scratch.normalized.data(), c.n_rows(), c.w().c_attn, c.scratch.qkv.data(), c.pool);
  keep_qkv(c.trace, c.block(), c.scratch.qkv.data(), c.row_begin, c.row_end, c.pool);
}

template <class Real>
void look(const Chunk<Real>& c) {
  // Heads side by side; each thread has its own room for scores.
  const std::size_t n_heads = c.weights.config.n_heads, n_threads = c.pool.n_threads();
  PassScratch<Real>& scratch = c.scratch;
  c.pool.split(std::min(n_threads, n_heads), [&](std::size_t begin, std::size_t end) {
    const std::size_t shares = std::min(n_threads, n_heads);
    const std::span<Real> scores{&scratch.scores[begin * scratch.scores_a_thread], scratch.scores_a_thread};
    for (std::size_t head = n_heads * begin / shares; head < n_heads * end / shares; ++head)
      attend(c.trace, c.layer, head, c.row_begin, c.row_end, scores, scratch.z.data());
  });
  linear(scratch.z.data(), c.n_rows(), c.w().c_proj, scratch.added.data(), c.pool);
  add(c.rows(c.block().resid_pre), scratch.added.data(), c.size(), c.rows(c.block().resid_mid));
}

template <class Real>
void feed_forward(const Chunk<Real>& c) {
  const std::size_t d_mlp = c.weights.config.d_mlp;
  PassScratch<Real>& scratch = c.scratch;
  const bool last = c.layer + 1 == c.trace.blocks.size();
  std::vector<Real>& post = last ? c.trace.resid_final : c.trace.blocks[c.layer + 1].resid_pre;
  norm_rows(c.rows(c.block().resid_mid), c.n_rows(), c.w().ln_2, c.eps(), scratch.normalized.data(), c.pool);
  linear(scratch.normalized.data(), c.n_rows(), c.w().mlp_fc, scratch.neurons.data(), c.pool);
  c.pool.split(c.n_rows(), [&](std::size_t begin, std::size_t end) {
    gelu(std::span<Real>{&scratch.neurons[begin * d_mlp], (end - begin) * d_mlp});
  });
  linear(scratch.neurons.data(), c.n_rows(), c.w().mlp_proj, scratch.added.data(), c.pool);
  add(c.rows(c.block().resid_mid), scratch.added.data(), c.size(), c.rows(post));
}

template <class Real>
constexpr void (*half_steps[half_steps_a_layer])(const Chunk<Real>&) = {look_ready<Real>, look<Real>, feed_forward<Real>};

Result<> check_ids(const Config& config, std::span<const int> ids) {
  if (ids.empty()) return fail(ErrorCode::bad_argument, "The text is empty; at least one token was expected.");
  if (ids.size() > config.n_positions)
    return fail(ErrorCode::window_full, "The text has " + std::to_string(ids.size()) + " tokens, but the model's window holds " +
                                            std::to_string(config.n_positions) + ".");
  for (const int id : ids) {
    if (id < 0 || static_cast<std::size_t>(id) >= config.d_vocab)
      return fail(ErrorCode::bad_argument, "Token id " + std::to_string(id) + " is not in the vocabulary; ids from 0 to " +
                                               std::to_string(config.d_vocab - 1) + " were expected.");
  }
  return Nothing{};
}

}  // namespace

template <class Real>
Result<BasicPass<Real>> BasicPass<Real>::begin(const BasicWeights<Real>& weights, std::span<const int> ids,
                                               BasicTrace<Real>& trace, Pool& pool, const Edits& edits) {
  if (const Result<> checked = check_ids(weights.config, ids); !checked) return checked.error();
  if (const Result<> checked = check_edits(edits, weights.config, ids.size()); !checked) return checked.error();
  const std::size_t n = ids.size();
  const std::size_t comparable = trace.edits == edits ? std::min(n, trace.n_tokens()) : 0;
  std::size_t kept = 0;
  while (kept < comparable && trace.ids[kept] == ids[kept]) ++kept;

  BasicPass pass(weights, trace, pool);
  pass.n_tokens_ = n;
  pass.first_row_ = kept;
  try {
    pass.chunks_.resize((n - kept + chunk_rows - 1) / chunk_rows);
    trace.config = weights.config;
    trace.edits = edits;
    if (kept < trace.n_tokens()) resize(trace, kept);  // drops what belongs to another text
    if (pass.finished()) return pass;
    pass.scratch_ = make_scratch<Real>(weights.config, n, pool.n_threads());
    resize(trace, n);
  } catch (...) {
    trace = BasicTrace<Real>{};
    return fail(ErrorCode::out_of_memory, "There is not enough memory for the trace of " + std::to_string(n) +
                                              " tokens; " + std::to_string(trace_bytes(weights.config, n)) +
                                              " bytes were asked for.");
  }
  std::copy(ids.begin() + static_cast<std::ptrdiff_t>(kept), ids.end(), trace.ids.begin() + static_cast<std::ptrdiff_t>(kept));
  return pass;
}

template <class Real>
std::size_t BasicPass<Real>::row_of(std::size_t chunk) const {
  return std::min(first_row_ + chunk * chunk_rows, n_tokens_);
}

template <class Real>
bool BasicPass<Real>::step(std::size_t ready) {
  const std::size_t end = std::min(ready, half_steps_in_all());
  const auto found = std::find_if(chunks_.begin(), chunks_.end(), [&](std::size_t done) { return done < end; });
  if (found == chunks_.end()) return false;
  const auto chunk = static_cast<std::size_t>(found - chunks_.begin());
  half_steps<Real>[*found % half_steps_a_layer](
      {*weights_, *trace_, *found / half_steps_a_layer, row_of(chunk), row_of(chunk + 1), scratch_, *pool_});
  ++*found;
  ++steps_done_;
  return true;
}

template <class Real>
void BasicPass<Real>::abandon() {
  const std::size_t end = half_steps_in_all();
  const auto found = std::find_if(chunks_.begin(), chunks_.end(), [&](std::size_t done) { return done < end; });
  n_tokens_ = row_of(static_cast<std::size_t>(found - chunks_.begin()));
  chunks_.erase(found, chunks_.end());
  resize(*trace_, n_tokens_);
}

template <class Real>
Result<> run(const BasicWeights<Real>& weights, std::span<const int> ids, BasicTrace<Real>& trace, Pool& pool,
             const Edits& edits) {
  Result<BasicPass<Real>> pass = BasicPass<Real>::begin(weights, ids, trace, pool, edits);
  if (!pass) return pass.error();
  while (pass->step()) {
  }
  return Nothing{};
}

std::vector<float> logits(const Weights& weights, std::span<const float> residual, Pool& pool) {
  const Config& config = weights.config;
  std::vector<float> normalized(config.d_model), out(config.d_vocab);
  layer_norm(residual, weights.ln_f.weight, weights.ln_f.bias, config.layer_norm_eps, normalized);
  const PackedMatrix& head = weights.head();
  pool.split(PackedMatrix::n_panels(config.d_vocab), [&](std::size_t begin, std::size_t end) {
    multiply(normalized.data(), config.d_model, 1, head, {}, out.data(), config.d_vocab, begin, end);
  });
  return out;
}

template class BasicPass<float>;
template class BasicPass<double>;
template Result<> run(const BasicWeights<float>&, std::span<const int>, BasicTrace<float>&, Pool&, const Edits&);
template Result<> run(const BasicWeights<double>&, std::span<const int>, BasicTrace<double>&, Pool&, const Edits&);

}  // namespace lookback
