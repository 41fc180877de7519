#include "core/numerics/strided.hpp"

#include "core/numerics/vector.hpp"

namespace lookback {
namespace {

// Rows × 8 columns at once.
template <int Rows, class Real>
inline void tile(StridedMatrix<Real> a, const Real* b, std::size_t b_stride, std::size_t n_terms, Real* c,
                 std::size_t c_stride) {
  Eight<Real> sum[Rows];
  for (std::size_t k = 0; k < n_terms; ++k) {
    const Eight<Real> bk = Eight<Real>::load(b + k * b_stride);
    const Real* terms = a.data + k * a.term_stride;
    for (int r = 0; r < Rows; ++r) sum[r].add_product(terms[r * a.row_stride], bk);
  }
  for (int r = 0; r < Rows; ++r) {
    Eight<Real> out = Eight<Real>::load(c + r * c_stride);
    out.add(sum[r]);
    out.store(c + r * c_stride);
  }
}

}  // namespace

template <class Real>
void add_product(StridedMatrix<Real> a, const Real* b, std::size_t b_stride, std::size_t n_rows, std::size_t n_terms,
                 std::size_t n_columns, Real* c, std::size_t c_stride) {
  std::size_t n = 0;
  for (; n + 8 <= n_columns; n += 8) {
    std::size_t r = 0;
    for (; r + tile_height <= n_rows; r += tile_height)
      tile<tile_height>({a.data + r * a.row_stride, a.row_stride, a.term_stride}, b + n, b_stride, n_terms, c + r * c_stride + n,
              c_stride);
    for (; r < n_rows; ++r)
      tile<1>({a.data + r * a.row_stride, a.row_stride, a.term_stride}, b + n, b_stride, n_terms, c + r * c_stride + n,
              c_stride);
  }
  for (std::size_t r = 0; r < n_rows; ++r) {
    for (std::size_t column = n; column < n_columns; ++column) {
      Real sum = 0;
      for (std::size_t k = 0; k < n_terms; ++k) sum += a.data[r * a.row_stride + k * a.term_stride] * b[k * b_stride + column];
      c[r * c_stride + column] += sum;
    }
  }
}

template void add_product(StridedMatrix<float>, const float*, std::size_t, std::size_t, std::size_t, std::size_t,
                          float*, std::size_t);
template void add_product(StridedMatrix<double>, const double*, std::size_t, std::size_t, std::size_t, std::size_t,
                          double*, std::size_t);

}  // namespace lookback
