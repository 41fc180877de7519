#include "core/checkpoint/tensor_table.hpp"

#include <charconv>

namespace lookback {

std::string_view name_of(Part part) {
  constexpr std::string_view names[] = {"wte", "wpe", "attention_in", "attention_out", "mlp", "last", "lm_head"};
  return names[static_cast<std::size_t>(part)];
}

std::uint64_t Slot::bytes_kept(Precision precision) const {
  if (layout == Layout::vector) return (shape.size() == 1 ? shape[0] : shape[0] * shape[1]) * sizeof(float);
  return layout == Layout::linear ? packed_bytes(shape[0], shape[1], precision) : packed_bytes(shape[1], shape[0], precision);
}

std::vector<Slot> list_slots(const Config& config, Weights& weights) {
  const std::uint64_t d = config.d_model, mlp = config.d_mlp;
  weights.config = config;
  weights.blocks.resize(config.n_layers);

  std::vector<Slot> slots;
  Part part = Part::wte;  // of what is added next
  int layer = -1;
  const auto add_vector = [&](std::string name, std::vector<std::uint64_t> shape, std::vector<float>& to) {
    slots.push_back({std::move(name), std::move(shape), part, layer, Layout::vector, &to, nullptr});
  };
  const auto add_table = [&](std::string name, PackedMatrix& to) {
    slots.push_back({std::move(name), {config.d_vocab, d}, part, layer, Layout::table, nullptr, &to});
  };
  const auto add_norm = [&](const std::string& name, LayerNormWeights& to) {
    add_vector(name + ".weight", {d}, to.weight);
    add_vector(name + ".bias", {d}, to.bias);
  };
  const auto add_linear = [&](const std::string& name, std::uint64_t in, std::uint64_t out, LinearWeights& to) {
    slots.push_back({name + ".weight", {in, out}, part, layer, Layout::linear, nullptr, &to.weight});
    add_vector(name + ".bias", {out}, to.bias);
  };

  add_table("wte.weight", weights.wte);
  part = Part::wpe;
  add_vector("wpe.weight", {config.n_positions, d}, weights.wpe);
  for (std::size_t i = 0; i < config.n_layers; ++i) {
    layer = static_cast<int>(i);
    BlockWeights& block = weights.blocks[i];
    const std::string h = "h." + std::to_string(layer);
    part = Part::attention_in;
    add_norm(h + ".ln_1", block.ln_1);
    add_linear(h + ".attn.c_attn", d, 3 * d, block.c_attn);
    part = Part::attention_out;
    add_linear(h + ".attn.c_proj", d, d, block.c_proj);
    part = Part::mlp;
    add_norm(h + ".ln_2", block.ln_2);
    add_linear(h + ".mlp.c_fc", d, mlp, block.mlp_fc);
    add_linear(h + ".mlp.c_proj", mlp, d, block.mlp_proj);
  }
  layer = -1;
  part = Part::last;
  add_norm("ln_f", weights.ln_f);
  part = Part::lm_head;
  if (!config.tied_head) add_table("lm_head.weight", weights.lm_head);
  return slots;
}

bool is_mask_buffer(std::string_view name, const Config& config) {
  if (!name.starts_with("h.")) return false;
  name.remove_prefix(2);
  std::size_t layer = 0;
  const auto [after, error] = std::from_chars(name.data(), name.data() + name.size(), layer);
  if (error != std::errc() || layer >= config.n_layers) return false;
  const std::string digits = std::to_string(layer);  // "00" is not how a layer is written
  return name == digits + ".attn.bias" || name == digits + ".attn.masked_bias";
}

}  // namespace lookback
