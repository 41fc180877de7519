#include "core/lens/apart.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/lens/activations.hpp"
#include "core/numerics/vector.hpp"

namespace lookback {
namespace {

// hook_attn_out of a trace's last token, [d_model].
std::vector<float> brought(const Weights& weights, const Trace& trace, std::size_t layer, Pool& pool) {
  const std::string name = "blocks." + std::to_string(layer) + ".hook_attn_out";
  const Result<Activation> found = activation(weights, trace, name, pool);
  return {found->data.end() - static_cast<std::ptrdiff_t>(trace.config.d_model), found->data.end()};
}

}  // namespace

Apart apart(std::span<const float> one, std::span<const float> two) {
  Apart found;
  for (std::size_t c = 0; c < one.size(); ++c) {
    const double a = one[c], b = two[c];
    found.one += a * a;
    found.two += b * b;
    found.difference += (a - b) * (a - b);
    found.most = std::max(found.most, std::fabs(a - b));
    found.equal += bits_of(one[c]) == bits_of(two[c]) ? 1 : 0;
  }
  for (double* squares : {&found.one, &found.two, &found.difference}) *squares = std::sqrt(*squares);
  return found;
}

std::vector<Apart> attention_apart(const Weights& weights, const Trace& one, const Trace& two, Pool& pool) {
  std::vector<Apart> layers;
  for (std::size_t layer = 0; layer < one.config.n_layers; ++layer)
    layers.push_back(apart(brought(weights, one, layer, pool), brought(weights, two, layer, pool)));
  return layers;
}

}  // namespace lookback
