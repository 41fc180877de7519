#include "core/model/attention.hpp"

#include <algorithm>
#include <cmath>

#include "core/numerics/matmul.hpp"
#include "core/numerics/softmax.hpp"
#include "core/numerics/vector.hpp"

namespace lookback {

constexpr std::size_t width = PackedMatrix::panel_width;

template <class Real>
void scores_raw_rows(const BasicTrace<Real>& trace, std::size_t layer, std::size_t head, std::size_t row_begin,
                     std::size_t row_end, std::size_t n_keys, Real* out, std::size_t out_stride) {
  const std::size_t d_model = trace.config.d_model, d_head = trace.config.d_head();
  const Real* q = &trace.blocks[layer].q[row_begin * d_model + head * d_head];
  for (std::size_t panel = 0; panel * width < n_keys; ++panel)
    multiply_panel(q, d_model, row_end - row_begin, trace.key_panel(layer, panel, head), d_head, out + panel * width,
                   out_stride);
}

namespace {

template <class Real>
void scale_row(std::span<Real> scores, std::size_t d_head) {
  const Real root = std::sqrt(static_cast<Real>(d_head));
  for (Real& score : scores) score /= root;
}

}  // namespace

void scale_scores(std::span<float> scores, std::size_t d_head) { scale_row(scores, d_head); }
void scale_scores(std::span<double> scores, std::size_t d_head) { scale_row(scores, d_head); }

template <class Real>
void blend_values(const BasicTrace<Real>& trace, std::size_t layer, std::size_t head,
                  std::span<const std::type_identity_t<Real>> shares, std::span<std::type_identity_t<Real>> z) {
  const std::size_t d_model = trace.config.d_model, d_head = z.size();
  const Real* v = &trace.blocks[layer].v[head * d_head];
  std::fill(z.begin(), z.end(), Real(0));
  for (std::size_t j = 0; j < shares.size(); ++j) {
    const Real* row = v + j * d_model;
    const auto share = splat(shares[j]);
    std::size_t i = 0;
    for (; i + 4 <= d_head; i += 4) store4(&z[i], load4(&z[i]) + share * load4(row + i));
    for (; i < d_head; ++i) z[i] += shares[j] * row[i];
  }
}

template <class Real>
void attend(const BasicTrace<Real>& trace, std::size_t layer, std::size_t head, std::size_t row_begin, std::size_t row_end,
            std::span<std::type_identity_t<Real>> scratch, Real* out) {
  const std::size_t d_model = trace.config.d_model, d_head = trace.config.d_head();
  const std::size_t stride = PackedMatrix::n_panels(row_end) * width;
  scores_raw_rows(trace, layer, head, row_begin, row_end, row_end, scratch.data(), stride);
  for (std::size_t row = row_begin; row < row_end; ++row) {
    // The mask: a row's softmax sees its own and earlier positions only.
    const std::span<Real> shares = scratch.subspan((row - row_begin) * stride, row + 1);
    scale_scores(shares, d_head);
    softmax(shares);
    blend_values(trace, layer, head, shares, {out + (row - row_begin) * d_model + head * d_head, d_head});
  }
}

template void scores_raw_rows(const BasicTrace<float>&, std::size_t, std::size_t, std::size_t, std::size_t, std::size_t,
                              float*, std::size_t);
template void scores_raw_rows(const BasicTrace<double>&, std::size_t, std::size_t, std::size_t, std::size_t,
                              std::size_t, double*, std::size_t);
template void blend_values(const BasicTrace<float>&, std::size_t, std::size_t, std::span<const float>, std::span<float>);
template void blend_values(const BasicTrace<double>&, std::size_t, std::size_t, std::span<const double>,
                           std::span<double>);
template void attend(const BasicTrace<float>&, std::size_t, std::size_t, std::size_t, std::size_t, std::span<float>,
                     float*);
template void attend(const BasicTrace<double>&, std::size_t, std::size_t, std::size_t, std::size_t, std::span<double>,
                     double*);

}  // namespace lookback
