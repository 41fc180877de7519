// One head's attention, row by row. The forward pass and the lenses call the same functions, so a grid that is worked
// out later holds the very numbers that the pass used.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "core/model/trace.hpp"
#include "core/numerics/softmax.hpp"

namespace lookback {

// blocks.{layer}.attn.hook_scores_raw: q · k before scaling, rows [row_begin, row_end) against keys [0, n_keys).
// out has n_keys rounded up to 8 floats a row, at out + (row - row_begin) * out_stride. n_keys <= trace.n_tokens().
template <class Real>
void scores_raw_rows(const BasicTrace<Real>& trace, std::size_t layer, std::size_t head, std::size_t row_begin,
                     std::size_t row_end, std::size_t n_keys, Real* out, std::size_t out_stride);

// Raw scores to hook_attn_scores, in place: division by sqrt(d_head). Vaswani et al. 2017, equation 1.
void scale_scores(std::span<float> scores, std::size_t d_head);
void scale_scores(std::span<double> scores, std::size_t d_head);

// blocks.{layer}.attn.hook_pattern of one row, in place: its visible raw scores [row + 1] scaled, then softmax; or the
// shares that the trace's edits put there.
template <class Real>
void shares_of_row(const BasicTrace<Real>& trace, std::size_t layer, std::size_t head, std::size_t row,
                   std::span<std::type_identity_t<Real>> scores);

// blocks.{layer}.attn.hook_z of one row: z = sum over j of share[j] * v[j], in increasing j; 0 where the trace's edits
// silence the head. shares [row + 1], z [d_head].
template <class Real>
void blend_values(const BasicTrace<Real>& trace, std::size_t layer, std::size_t head,
                  std::span<const std::type_identity_t<Real>> shares, std::span<std::type_identity_t<Real>> z);

// Rows [row_begin, row_end) of one head from q, k, v to z, written to out [rows, d_model] at the head's columns.
// scratch holds at least (row_end - row_begin) * (row_end rounded up to 8) floats.
template <class Real>
void attend(const BasicTrace<Real>& trace, std::size_t layer, std::size_t head, std::size_t row_begin, std::size_t row_end,
            std::span<std::type_identity_t<Real>> scratch, Real* out);

}  // namespace lookback
