// config.json, and the list of tensors that follows from it.
#include "core/checkpoint/config_json.hpp"
#include "core/checkpoint/tensor_table.hpp"
#include "tests/fuzz/property.hpp"

using namespace lookback;
using namespace lookback::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<Config> config = parse_config(as_text(data, size));
  if (refused(config)) return 0;
  hold(bool(check_config(*config)), "a config that was read is one that the program takes");
  hold(config->d_model % config->n_heads == 0 && config->d_head() > 0, "the width is a multiple of the heads");
  hold(config->layer_norm_eps > 0 && config->layer_norm_eps <= 0.1f, "epsilon is in range");
  if (config->n_layers > 8) return 0;  // more would only be slow
  Weights weights;
  unsigned __int128 bytes = 0;
  for (const Slot& slot : list_slots(*config, weights)) {
    unsigned __int128 expected = 4;
    for (const std::uint64_t length : slot.shape) expected *= length;
    const std::uint64_t kept = slot.bytes_kept(Precision::f32);
    hold(kept >= expected && kept <= 64 * expected, "no tensor's size overflows", slot.name);
    bytes += kept;
    hold(bytes >> 63 == 0, "the model's size does not overflow");
    hold(!is_mask_buffer(slot.name, *config), "no tensor of the model is a mask", slot.name);
  }
  return 0;
}
