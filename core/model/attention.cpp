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
void shares_of_row(const BasicTrace<Real>& trace, std::size_t layer, std::size_t head, std::size_t row,
                   std::span<std::type_identity_t<Real>> scores) {
  if (const ReplacedRow* replaced = trace.edits.replacement(layer, head, row)) {
    std::copy(replaced->shares.begin(), replaced->shares.end(), scores.begin());
    return;
  }
  scale_scores(scores, trace.config.d_head());
  softmax(scores);
}

template <class Real>
void blend_values(const BasicTrace<Real>& trace, std::size_t layer, std::size_t head,
                  std::span<const std::type_identity_t<Real>> shares, std::span<std::type_identity_t<Real>> z) {
  const std::size_t d_model = trace.config.d_model, d_head = z.size();
  const Real* v = &trace.blocks[layer].v[head * d_head];
  std::fill(z.begin(), z.end(), Real(0));
  if (trace.edits.silences(layer, head)) return;
  for (std::size_t j = 0; j < shares.size(); ++j) {
    const Real* row = v + j * d_model;
    const auto share = splat(shares[j]);
    std::size_t i = 0;
    for (; i + 4 <= d_head; i += 4) store4(&z[i], load4(&z[i]) + share * load4(row + i));
    for (; i < d_head; ++i) z[i] += shares[j] * row[i];
  }
}

namespace {

// z of Rows neighbouring rows at Panels times 8 columns: first the keys that all of these rows see, then those that only
// the later ones do. Each sum adds up as blend_values has it, in increasing j.
template <int Rows, int Panels, class Real>
void blend_tile(const Real* shares, std::size_t share_stride, std::size_t seen_by_all, const Real* v, Real* z,
                std::size_t d_model) {
  Eight<Real> sum[Rows][Panels];
  for (std::size_t j = 0; j < seen_by_all; ++j)
    for (int p = 0; p < Panels; ++p) {
      const Eight<Real> value = Eight<Real>::load(v + j * d_model + p * width);
      for (int r = 0; r < Rows; ++r) sum[r][p].add_product(shares[r * share_stride + j], value);
    }
  for (int r = 1; r < Rows; ++r)
    for (std::size_t j = seen_by_all; j < seen_by_all + r; ++j)
      for (int p = 0; p < Panels; ++p)
        sum[r][p].add_product(shares[r * share_stride + j], Eight<Real>::load(v + j * d_model + p * width));
  for (int r = 0; r < Rows; ++r)
    for (int p = 0; p < Panels; ++p) sum[r][p].store(z + r * d_model + p * width);
}

// z of all rows of one head. shares [n_rows][share_stride], the first of which sees first_row + 1 keys; z and v begin at
// the head's columns. What is left beside tiles goes by blend_values.
template <class Real>
void blend_rows(const BasicTrace<Real>& trace, std::size_t layer, std::size_t head, std::size_t first_row,
                std::size_t n_rows, const Real* shares, std::size_t share_stride, Real* z) {
  const std::size_t d_model = trace.config.d_model, d_head = trace.config.d_head();
  if (d_head % width != 0 || trace.edits.silences(layer, head)) {
    for (std::size_t r = 0; r < n_rows; ++r)
      blend_values<Real>(trace, layer, head, {shares + r * share_stride, first_row + r + 1}, {z + r * d_model, d_head});
    return;
  }
  constexpr std::size_t together = 4;
  const Real* v = &trace.blocks[layer].v[head * d_head];
  const std::size_t tiled = n_rows / tile_height * tile_height;
  for (std::size_t column = 0; column < d_head; column += width)
    for (std::size_t r = 0; r < tiled; r += tile_height)
      blend_tile<tile_height, 1>(shares + r * share_stride, share_stride, first_row + r + 1, v + column,
                                 z + r * d_model + column, d_model);
  for (std::size_t r = tiled; r < n_rows; ++r) {
    const Real* row = shares + r * share_stride;
    std::size_t column = 0;
    for (; column + together * width <= d_head; column += together * width)
      blend_tile<1, together>(row, share_stride, first_row + r + 1, v + column, z + r * d_model + column, d_model);
    for (; column < d_head; column += width)
      blend_tile<1, 1>(row, share_stride, first_row + r + 1, v + column, z + r * d_model + column, d_model);
  }
}

}  // namespace

template <class Real>
void attend(const BasicTrace<Real>& trace, std::size_t layer, std::size_t head, std::size_t row_begin, std::size_t row_end,
            std::span<std::type_identity_t<Real>> scratch, Real* out) {
  const std::size_t d_head = trace.config.d_head();
  const std::size_t stride = PackedMatrix::n_panels(row_end) * width;
  scores_raw_rows(trace, layer, head, row_begin, row_end, row_end, scratch.data(), stride);
  // The mask: a row's softmax sees its own and earlier positions only.
  for (std::size_t row = row_begin; row < row_end; ++row)
    shares_of_row(trace, layer, head, row, scratch.subspan((row - row_begin) * stride, row + 1));
  blend_rows(trace, layer, head, row_begin, row_end - row_begin, scratch.data(), stride, out + head * d_head);
}

template void scores_raw_rows(const BasicTrace<float>&, std::size_t, std::size_t, std::size_t, std::size_t, std::size_t,
                              float*, std::size_t);
template void scores_raw_rows(const BasicTrace<double>&, std::size_t, std::size_t, std::size_t, std::size_t,
                              std::size_t, double*, std::size_t);
template void shares_of_row(const BasicTrace<float>&, std::size_t, std::size_t, std::size_t, std::span<float>);
template void shares_of_row(const BasicTrace<double>&, std::size_t, std::size_t, std::size_t, std::span<double>);
template void blend_values(const BasicTrace<float>&, std::size_t, std::size_t, std::span<const float>, std::span<float>);
template void blend_values(const BasicTrace<double>&, std::size_t, std::size_t, std::span<const double>,
                           std::span<double>);
template void attend(const BasicTrace<float>&, std::size_t, std::size_t, std::size_t, std::size_t, std::span<float>,
                     float*);
template void attend(const BasicTrace<double>&, std::size_t, std::size_t, std::size_t, std::size_t, std::span<double>,
                     double*);

}  // namespace lookback
