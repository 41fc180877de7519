#include "core/lens/layer_lengths.hpp"

#include <cmath>
#include <span>

namespace lookback {
namespace {

using Row = std::span<const float>;

float length(Row row) {
  double squares = 0;
  for (const float x : row) squares += static_cast<double>(x) * x;
  return static_cast<float>(std::sqrt(squares));
}

float length_of_difference(Row after, Row before) {
  double squares = 0;
  for (std::size_t c = 0; c < after.size(); ++c) {
    const double added = static_cast<double>(after[c]) - before[c];
    squares += added * added;
  }
  return static_cast<float>(std::sqrt(squares));
}

}  // namespace

std::vector<LayerLengths> layer_lengths(const Trace& trace, std::size_t position) {
  const std::size_t d = trace.config.d_model;
  const auto row = [&](const std::vector<float>& rows) { return Row(&rows[position * d], d); };
  std::vector<LayerLengths> lengths;
  for (std::size_t layer = 0; layer < trace.config.n_layers; ++layer) {
    const Row before = row(trace.residual(layer)), between = row(trace.blocks[layer].resid_mid),
              after = row(trace.residual(layer + 1));
    lengths.push_back({length(before), length_of_difference(between, before), length(between),
                       length_of_difference(after, between), length(after)});
  }
  return lengths;
}

}  // namespace lookback
