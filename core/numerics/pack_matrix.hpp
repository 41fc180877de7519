// Numbers into a packed matrix, whatever its storage, and from one storage into another.
//
// f32 keeps every bit, also of a NaN. f16 takes the nearest half, of two equally near ones the even one: 65,520 and more
// become infinite, what is at most 2^-25 becomes 0. int8 needs whole columns, for their scale (quantize.hpp).
#pragma once

#include <cstddef>
#include <span>

#include "core/numerics/packed_matrix.hpp"

namespace lookback {

// A run of one row: elements (k, n), (k, n + 1) and following. The matrix is kept as f32 or f16.
void place_row(PackedMatrix& matrix, std::size_t k, std::size_t n, std::span<const float> run);

// A run of one column: elements (k, n), (k + 1, n) and following. The matrix is kept as f32 or f16.
void place_column(PackedMatrix& matrix, std::size_t k, std::size_t n, std::span<const float> run);

// The whole column n, [k_rows], in any storage.
void place_whole_column(PackedMatrix& matrix, std::size_t n, std::span<const float> column);

// Every element, from a matrix of the same shape kept as f32, into any storage. Throws std::bad_alloc when memory for one
// column is refused.
void place_matrix(PackedMatrix& matrix, const PackedMatrix& from);

}  // namespace lookback
