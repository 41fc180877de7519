// Products of matrices that lie in memory in any direction: what the way back through a transformer is made of.
#pragma once

#include <cstddef>

namespace lookback {

// A [n_rows, n_terms] read as data[row * row_stride + term * term_stride]: plain or transposed.
template <class Real>
struct StridedMatrix {
  const Real* data;
  std::size_t row_stride, term_stride;
};

// c += a b: c[r * c_stride + n] += sum over k of a(r, k) * b[k * b_stride + n], for r < n_rows, n < n_columns, k < n_terms.
// The sum begins at 0, runs in increasing k, and is added to c last: each element's bits depend on its own terms alone.
template <class Real>
void add_product(StridedMatrix<Real> a, const Real* b, std::size_t b_stride, std::size_t n_rows, std::size_t n_terms,
                 std::size_t n_columns, Real* c, std::size_t c_stride);

}  // namespace lookback
