// The product with a matrix kept as int8; matmul.hpp defines its arithmetic.
#pragma once

#include <cstddef>
#include <span>

#include "core/numerics/packed_matrix.hpp"

namespace lookback {

// As multiply (matmul.hpp), for w.precision == Precision::int8.
void multiply_int8(const float* x, std::size_t x_stride, std::size_t n_rows, const PackedMatrix& w,
                   std::span<const float> bias, float* y, std::size_t y_stride, std::size_t panel_begin,
                   std::size_t panel_end);

}  // namespace lookback
