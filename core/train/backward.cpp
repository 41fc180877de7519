#include "core/train/backward.hpp"

#include <algorithm>
#include <cmath>

#include "core/model/attention.hpp"
#include "core/numerics/functions.hpp"
#include "core/numerics/layer_norm.hpp"
#include "core/numerics/matmul.hpp"
#include "core/numerics/softmax.hpp"
#include "core/numerics/strided.hpp"

namespace lookback {
namespace {

constexpr std::size_t width = PackedMatrix::panel_width;
constexpr std::size_t logit_rows = 64;  // rows of logits that are held at a time

std::size_t padded(std::size_t n) { return PackedMatrix::n_panels(n) * width; }

template <class Real>
void transpose(const BasicPackedMatrix<Real>& w, BasicPackedMatrix<Real>& out) {
  if (out.k_rows != w.n_columns || out.n_columns != w.k_rows) out = BasicPackedMatrix<Real>(w.n_columns, w.k_rows);
  for (std::size_t k = 0; k < w.k_rows; ++k)
    for (std::size_t n = 0; n < w.n_columns; ++n) out.full(n, k) = w.full(k, n);
}

// y [n, columns] = x W + bias.
template <class Real>
void product(const Real* x, std::size_t n, const BasicPackedMatrix<Real>& w, std::span<const Real> bias, Real* y) {
  multiply<Real>(x, w.k_rows, n, w, bias, y, w.n_columns, 0, BasicPackedMatrix<Real>::n_panels(w.n_columns));
}

// For y = x W + bias: d_W += x^T d_y, panel by panel of the packed matrix.
template <class Real>
void add_matrix_gradient(const Real* x, const Real* d_y, std::size_t n, BasicPackedMatrix<Real>& d_w) {
  for (std::size_t column = 0; column < d_w.n_columns; column += width)
    add_product<Real>({x, 1, d_w.k_rows}, d_y + column, d_w.n_columns, d_w.k_rows, n,
                      std::min(width, d_w.n_columns - column), &d_w.data[d_w.index(0, column)], width);
}

// And d_bias += the column sums of d_y.
template <class Real>
void add_linear_gradient(const Real* x, const Real* d_y, std::size_t n, BasicLinearWeights<Real>& d_w) {
  add_matrix_gradient(x, d_y, n, d_w.weight);
  const std::size_t columns = d_w.bias.size();
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t i = 0; i < columns; ++i) d_w.bias[i] += d_y[t * columns + i];
}

template <class Real>
void norm_rows(const std::vector<Real>& x, std::size_t n, const BasicLayerNormWeights<Real>& w, Real eps,
               std::vector<Real>& out) {
  const std::size_t d = w.weight.size();
  for (std::size_t t = 0; t < n; ++t)
    layer_norm(std::span<const Real>{&x[t * d], d}, w.weight, w.bias, eps, std::span<Real>{&out[t * d], d});
}

template <class Real>
void norm_rows_backward(const std::vector<Real>& x, std::size_t n, const BasicLayerNormWeights<Real>& w, Real eps,
                        const std::vector<Real>& upstream, std::vector<Real>& d_x, BasicLayerNormWeights<Real>& d_w) {
  const std::size_t d = w.weight.size();
  for (std::size_t t = 0; t < n; ++t)
    layer_norm_backward(std::span<const Real>{&x[t * d], d}, w.weight, eps, std::span<const Real>{&upstream[t * d], d},
                        std::span<Real>{&d_x[t * d], d}, d_w.weight, d_w.bias);
}

template <class Real>
void prepare(BackwardScratch<Real>& s, const Config& c, std::size_t n) {
  const std::size_t d = c.d_model;
  for (std::vector<Real>* rows : {&s.d_resid, &s.normalized, &s.d_normalized, &s.z, &s.d_z}) rows->resize(n * d);
  s.d_qkv.resize(n * 3 * d);
  for (std::vector<Real>* rows : {&s.before, &s.neurons, &s.d_neurons}) rows->resize(n * c.d_mlp);
  for (std::vector<Real>* grid : {&s.shares, &s.d_shares}) grid->resize(n * padded(n));
  s.keys.resize(n * c.d_head());
  s.values_across.resize(c.d_head() * padded(n));
  s.logits.resize(std::min(n, logit_rows) * c.d_vocab);
}

// ln p of the targets, then d_logits = scale (p - [token is the target]): the slope of -ln softmax. In place.
template <class Real>
Real loss_of_rows(Real* logits, std::size_t n, std::size_t d_vocab, std::span<const int> targets, Real scale) {
  Real loss = 0;
  for (std::size_t t = 0; t < n; ++t) {
    const std::span<Real> row{logits + t * d_vocab, d_vocab};
    if (targets[t] == not_counted) {
      std::fill(row.begin(), row.end(), Real(0));
      continue;
    }
    const auto target = static_cast<std::size_t>(targets[t]);
    const Real score = row[target];
    const BasicSoftmaxSteps<Real> steps = softmax(row);
    loss += log(steps.sum) - (score - steps.maximum);
    for (Real& share : row) share *= scale;
    row[target] -= scale;
  }
  return loss;
}

// From the loss to the slope by the last residual stream, s.d_resid; adds the read-out's and ln_f's gradient.
template <class Real>
Real read_out_backward(const BasicWeights<Real>& w, const TransposedWeights<Real>& transposed,
                       const BasicTrace<Real>& trace, std::span<const int> targets, Real scale,
                       BasicWeights<Real>& gradient, BackwardScratch<Real>& s) {
  const std::size_t n = trace.n_tokens(), d = w.config.d_model, d_vocab = w.config.d_vocab;
  const Real eps = w.config.layer_norm_eps;
  norm_rows(trace.resid_final, n, w.ln_f, eps, s.normalized);
  Real loss = 0;
  for (std::size_t begin = 0; begin < n; begin += logit_rows) {
    const std::size_t rows = std::min(logit_rows, n - begin);
    const Real* x = &s.normalized[begin * d];
    product<Real>(x, rows, w.head(), {}, s.logits.data());
    loss += loss_of_rows(s.logits.data(), rows, d_vocab, targets.subspan(begin, rows), scale);
    add_matrix_gradient(x, s.logits.data(), rows, w.config.tied_head ? gradient.wte : gradient.lm_head);
    product<Real>(s.logits.data(), rows, transposed.head, {}, &s.d_normalized[begin * d]);
  }
  std::fill(s.d_resid.begin(), s.d_resid.end(), Real(0));
  norm_rows_backward(trace.resid_final, n, w.ln_f, eps, s.d_normalized, s.d_resid, gradient.ln_f);
  return loss;
}

// post = mid + W_proj gelu(W_fc ln_2(mid)): s.d_resid turns from the slope by post into the slope by mid.
template <class Real>
void feed_forward_backward(const BasicWeights<Real>& weights, const TransposedBlock<Real>& transposed,
                           const BasicTrace<Real>& trace, std::size_t layer, BasicBlockWeights<Real>& gradient,
                           BackwardScratch<Real>& s) {
  const BasicBlockWeights<Real>& w = weights.blocks[layer];
  const std::vector<Real>& resid_mid = trace.blocks[layer].resid_mid;
  const std::size_t n = trace.n_tokens();
  const Real eps = weights.config.layer_norm_eps;
  norm_rows(resid_mid, n, w.ln_2, eps, s.normalized);
  product<Real>(s.normalized.data(), n, w.mlp_fc.weight, w.mlp_fc.bias, s.before.data());
  std::copy(s.before.begin(), s.before.end(), s.neurons.begin());
  gelu(std::span<Real>(s.neurons));

  add_linear_gradient(s.neurons.data(), s.d_resid.data(), n, gradient.mlp_proj);
  product<Real>(s.d_resid.data(), n, transposed.mlp_proj, {}, s.d_neurons.data());
  gelu_backward(s.before, s.d_neurons);
  add_linear_gradient(s.normalized.data(), s.d_neurons.data(), n, gradient.mlp_fc);
  product<Real>(s.d_neurons.data(), n, transposed.mlp_fc, {}, s.d_normalized.data());
  norm_rows_backward(resid_mid, n, w.ln_2, eps, s.d_normalized, s.d_resid, gradient.ln_2);
}

// One head's shares, 0 where masked, and its blends into s.z.
template <class Real>
void head_again(const BasicTrace<Real>& trace, std::size_t layer, std::size_t head, BackwardScratch<Real>& s) {
  const std::size_t n = trace.n_tokens(), d = trace.config.d_model, d_head = trace.config.d_head(), stride = padded(n);
  scores_raw_rows(trace, layer, head, 0, n, n, s.shares.data(), stride);
  for (std::size_t row = 0; row < n; ++row) {
    const std::span<Real> shares{&s.shares[row * stride], row + 1};
    scale_scores(shares, d_head);
    softmax(shares);
    std::fill(shares.data() + row + 1, shares.data() + stride, Real(0));
  }
  const Real* v = &trace.blocks[layer].v[head * d_head];
  add_product<Real>({s.shares.data(), stride, 1}, v, d, n, n, d_head, &s.z[head * d_head], d);
}

// One head from d_z to d_q, d_k, d_v. With shares P = softmax(S), S = q k^T / root, z = P v:
// d_v = P^T d_z;  d_P = d_z v^T;  d_S = P (d_P - row sum of P d_P);  d_q = d_S k / root;  d_k = d_S^T q / root.
template <class Real>
void head_backward(const BasicTrace<Real>& trace, std::size_t layer, std::size_t head, BackwardScratch<Real>& s) {
  const std::size_t n = trace.n_tokens(), d = trace.config.d_model, d_head = trace.config.d_head(), stride = padded(n);
  const BasicBlockTrace<Real>& block = trace.blocks[layer];
  const Real* d_z = &s.d_z[head * d_head];
  Real* d_q = &s.d_qkv[head * d_head];
  add_product<Real>({s.shares.data(), 1, stride}, d_z, d, n, n, d_head, d_q + 2 * d, 3 * d);

  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t i = 0; i < d_head; ++i) {
      s.values_across[i * stride + t] = block.v[t * d + head * d_head + i];
      s.keys[t * d_head + i] = block.k[trace.key_index(t, head, i)];
    }
  }
  std::fill(s.d_shares.begin(), s.d_shares.end(), Real(0));
  add_product<Real>({d_z, d, 1}, s.values_across.data(), stride, n, d_head, n, s.d_shares.data(), stride);

  const Real root = std::sqrt(static_cast<Real>(d_head));
  for (std::size_t row = 0; row < n; ++row) {
    const Real* shares = &s.shares[row * stride];
    Real* slopes = &s.d_shares[row * stride];
    Real weighted = 0;
    for (std::size_t j = 0; j <= row; ++j) weighted += shares[j] * slopes[j];
    for (std::size_t j = 0; j <= row; ++j) slopes[j] = shares[j] * (slopes[j] - weighted) / root;
    std::fill(slopes + row + 1, slopes + stride, Real(0));
  }
  add_product<Real>({s.d_shares.data(), stride, 1}, s.keys.data(), d_head, n, n, d_head, d_q, 3 * d);
  add_product<Real>({s.d_shares.data(), 1, stride}, &block.q[head * d_head], d, n, n, d_head, d_q + d, 3 * d);
}

// mid = pre + W_O z(ln_1(pre)): s.d_resid turns from the slope by mid into the slope by pre.
template <class Real>
void attention_backward(const BasicWeights<Real>& weights, const TransposedBlock<Real>& transposed,
                        const BasicTrace<Real>& trace, std::size_t layer, BasicBlockWeights<Real>& gradient,
                        BackwardScratch<Real>& s) {
  const BasicBlockWeights<Real>& w = weights.blocks[layer];
  const std::size_t n = trace.n_tokens();
  const Real eps = weights.config.layer_norm_eps;
  product<Real>(s.d_resid.data(), n, transposed.c_proj, {}, s.d_z.data());
  std::fill(s.z.begin(), s.z.end(), Real(0));
  std::fill(s.d_qkv.begin(), s.d_qkv.end(), Real(0));
  for (std::size_t head = 0; head < weights.config.n_heads; ++head) {
    head_again(trace, layer, head, s);
    head_backward(trace, layer, head, s);
  }
  add_linear_gradient(s.z.data(), s.d_resid.data(), n, gradient.c_proj);

  const std::vector<Real>& resid_pre = trace.blocks[layer].resid_pre;
  norm_rows(resid_pre, n, w.ln_1, eps, s.normalized);
  add_linear_gradient(s.normalized.data(), s.d_qkv.data(), n, gradient.c_attn);
  product<Real>(s.d_qkv.data(), n, transposed.c_attn, {}, s.d_normalized.data());
  norm_rows_backward(resid_pre, n, w.ln_1, eps, s.d_normalized, s.d_resid, gradient.ln_1);
}

// A token's start is its row of wte plus its place's row of wpe.
template <class Real>
void embedding_backward(const BasicTrace<Real>& trace, const BackwardScratch<Real>& s, BasicWeights<Real>& gradient) {
  const std::size_t d = trace.config.d_model;
  for (std::size_t t = 0; t < trace.n_tokens(); ++t) {
    const auto id = static_cast<std::size_t>(trace.ids[t]);
    for (std::size_t i = 0; i < d; ++i) {
      gradient.wpe[t * d + i] += s.d_resid[t * d + i];
      gradient.wte.full(i, id) += s.d_resid[t * d + i];
    }
  }
}

}  // namespace

template <class Real>
void transpose(const BasicWeights<Real>& weights, TransposedWeights<Real>& out) {
  out.blocks.resize(weights.blocks.size());
  for (std::size_t layer = 0; layer < weights.blocks.size(); ++layer) {
    const BasicBlockWeights<Real>& block = weights.blocks[layer];
    transpose(block.c_attn.weight, out.blocks[layer].c_attn);
    transpose(block.c_proj.weight, out.blocks[layer].c_proj);
    transpose(block.mlp_fc.weight, out.blocks[layer].mlp_fc);
    transpose(block.mlp_proj.weight, out.blocks[layer].mlp_proj);
  }
  transpose(weights.head(), out.head);
}

template <class Real>
Real add_gradient(const BasicWeights<Real>& weights, const TransposedWeights<Real>& transposed,
                  const BasicTrace<Real>& trace, std::span<const int> targets, Real scale,
                  BasicWeights<Real>& gradient, BackwardScratch<Real>& scratch) {
  prepare(scratch, weights.config, trace.n_tokens());
  const Real loss = read_out_backward(weights, transposed, trace, targets, scale, gradient, scratch);
  for (std::size_t layer = weights.config.n_layers; layer-- > 0;) {
    feed_forward_backward(weights, transposed.blocks[layer], trace, layer, gradient.blocks[layer], scratch);
    attention_backward(weights, transposed.blocks[layer], trace, layer, gradient.blocks[layer], scratch);
  }
  embedding_backward(trace, scratch, gradient);
  return loss;
}

template <class Real>
Real next_token_loss(const BasicWeights<Real>& weights, const BasicTrace<Real>& trace, std::span<const int> targets) {
  const std::size_t n = trace.n_tokens(), d = weights.config.d_model;
  std::vector<Real> normalized(n * d), logits(std::min(n, logit_rows) * weights.config.d_vocab);
  norm_rows(trace.resid_final, n, weights.ln_f, Real(weights.config.layer_norm_eps), normalized);
  Real loss = 0;
  for (std::size_t begin = 0; begin < n; begin += logit_rows) {
    const std::size_t rows = std::min(logit_rows, n - begin);
    product<Real>(&normalized[begin * d], rows, weights.head(), {}, logits.data());
    loss += loss_of_rows(logits.data(), rows, weights.config.d_vocab, targets.subspan(begin, rows), Real(1));
  }
  return loss;
}

template void transpose(const BasicWeights<float>&, TransposedWeights<float>&);
template void transpose(const BasicWeights<double>&, TransposedWeights<double>&);
template float add_gradient(const BasicWeights<float>&, const TransposedWeights<float>&, const BasicTrace<float>&,
                            std::span<const int>, float, BasicWeights<float>&, BackwardScratch<float>&);
template double add_gradient(const BasicWeights<double>&, const TransposedWeights<double>&, const BasicTrace<double>&,
                             std::span<const int>, double, BasicWeights<double>&, BackwardScratch<double>&);
template float next_token_loss(const BasicWeights<float>&, const BasicTrace<float>&, std::span<const int>);
template double next_token_loss(const BasicWeights<double>&, const BasicTrace<double>&, std::span<const int>);

}  // namespace lookback
