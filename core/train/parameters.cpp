#include "core/train/parameters.hpp"

namespace lookback {

template <class Real>
std::vector<Parameter<Real>> parameters(BasicWeights<Real>& weights) {
  std::vector<Parameter<Real>> list;
  const auto add = [&](std::vector<Real>& values, bool decays) { list.push_back({values, decays}); };
  const auto add_norm = [&](BasicLayerNormWeights<Real>& norm) {
    add(norm.weight, false);
    add(norm.bias, false);
  };
  const auto add_linear = [&](BasicLinearWeights<Real>& linear) {
    add(linear.weight.data, true);
    add(linear.bias, false);
  };
  add(weights.wte.data, true);
  add(weights.wpe, true);
  for (BasicBlockWeights<Real>& block : weights.blocks) {
    add_norm(block.ln_1);
    add_linear(block.c_attn);
    add_linear(block.c_proj);
    add_norm(block.ln_2);
    add_linear(block.mlp_fc);
    add_linear(block.mlp_proj);
  }
  add_norm(weights.ln_f);
  if (!weights.config.tied_head) add(weights.lm_head.data, true);
  return list;
}

template <class Real>
BasicWeights<Real> zero_weights(const Config& config) {
  const std::size_t d = config.d_model;
  const auto linear = [](std::size_t in, std::size_t out) {
    return BasicLinearWeights<Real>{BasicPackedMatrix<Real>(in, out), std::vector<Real>(out)};
  };
  const auto norm = [&] { return BasicLayerNormWeights<Real>{std::vector<Real>(d), std::vector<Real>(d)}; };
  BasicWeights<Real> weights;
  weights.config = config;
  weights.wte = BasicPackedMatrix<Real>(d, config.d_vocab);
  weights.wpe.resize(config.n_positions * d);
  for (std::size_t layer = 0; layer < config.n_layers; ++layer)
    weights.blocks.push_back(
        {norm(), linear(d, 3 * d), linear(d, d), norm(), linear(d, config.d_mlp), linear(config.d_mlp, d)});
  weights.ln_f = norm();
  if (!config.tied_head) weights.lm_head = BasicPackedMatrix<Real>(d, config.d_vocab);
  return weights;
}

template std::vector<Parameter<float>> parameters(BasicWeights<float>&);
template std::vector<Parameter<double>> parameters(BasicWeights<double>&);
template BasicWeights<float> zero_weights(const Config&);
template BasicWeights<double> zero_weights(const Config&);

}  // namespace lookback
