#include "core/numerics/softmax.hpp"

#include <cstddef>

#include "core/numerics/functions.hpp"

namespace lookback {
namespace {

template <class Real>
BasicSoftmaxSteps<Real> softmax_row(std::span<Real> row) {
  BasicSoftmaxSteps<Real> steps;
  if (row.empty()) return steps;
  steps.maximum = row[0];
  for (const Real score : row) steps.maximum = score > steps.maximum ? score : steps.maximum;

  const auto maximum = splat(steps.maximum);
  auto lanes = splat(Real(0));
  std::size_t i = 0;
  for (; i + 4 <= row.size(); i += 4) {
    const auto e = exp(load4(&row[i]) - maximum);
    store4(&row[i], e);
    lanes += e;
  }
  for (std::size_t lane = 0; i < row.size(); ++i, ++lane) {
    row[i] = exp(row[i] - steps.maximum);
    lanes[lane] += row[i];
  }
  steps.sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  for (Real& share : row) share /= steps.sum;
  return steps;
}

}  // namespace

SoftmaxSteps softmax(std::span<float> row) { return softmax_row(row); }
BasicSoftmaxSteps<double> softmax(std::span<double> row) { return softmax_row(row); }

}  // namespace lookback
