// The one hot loop: y = x W + b with W packed in panels of 8 columns (packed_matrix.hpp).
//
// Defined arithmetic, by the storage of W:
//   f32, f16  y[t][n] starts at 0, adds x[t][k] * w[k][n] in increasing k, each product and sum rounded to f32, and adds
//             b[n] last. A half is widened exactly, so weights that are halves give the same bits in both storages.
//   int8      each row of x becomes levels of -32,767 to 32,767 (quantize.hpp); the products of levels add up exactly,
//             as integers; their sum times the exact product of the row's and the column's scale is rounded to double,
//             then to f32, and b[n] is added last. A row with a NaN or an infinity gives NaN in every column.
// Tiles, panels and threads only choose which elements are worked out together, so a row's bits do not depend on how
// many rows or threads there are.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "core/numerics/packed_matrix.hpp"

namespace lookback {

// One panel, k_rows terms: out[r * out_stride + c] = sum over k of x[r * x_stride + k] * panel[k * 8 + c], for rows
// r < n_rows and columns c < 8. The building block that attention scores share.
template <class Real>
void multiply_panel(const Real* x, std::size_t x_stride, std::size_t n_rows, const Real* panel, std::size_t k_rows,
                    Real* out, std::size_t out_stride);

// y [n_rows, n_columns] = x [n_rows, k_rows] W [k_rows, n_columns] + bias, for the panels [panel_begin, panel_end) of W
// only. bias is [n_columns] or empty. Strides are in numbers; y holds every column of W. Takes no memory from the heap.
template <class Real>
void multiply(const Real* x, std::size_t x_stride, std::size_t n_rows, const BasicPackedMatrix<Real>& w,
              std::span<const std::type_identity_t<Real>> bias, Real* y, std::size_t y_stride, std::size_t panel_begin,
              std::size_t panel_end);

}  // namespace lookback
