#include "core/checkpoint/save.hpp"

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/numerics/float_formats.hpp"
#include "core/checkpoint/tensor_table.hpp"
#include "core/numerics/vector.hpp"

namespace lookback {
namespace {

using Json = nlohmann::ordered_json;

// Element number `i` of the tensor in row-major order.
float element(const Slot& slot, std::size_t i) {
  if (slot.layout == Layout::vector) return (*slot.vector)[i];
  const auto row_length = static_cast<std::size_t>(slot.shape[1]);
  const std::size_t row = i / row_length, column = i % row_length;
  return slot.layout == Layout::linear ? slot.matrix->at(row, column) : slot.matrix->at(column, row);
}

std::size_t count(const Slot& slot) {
  std::size_t n = 1;
  for (const std::uint64_t side : slot.shape) n *= static_cast<std::size_t>(side);
  return n;
}

template <class Number>
void append(std::string& out, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof number);
}

}  // namespace

Result<std::string> save(const Weights& weights, Dtype dtype) {
  if (dtype != Dtype::f32 && dtype != Dtype::f16)
    return fail(ErrorCode::bad_argument, "Weights are saved as F32 or F16; another dtype was asked for.");
  // list_slots() points into weights that may be written to; here they are only read.
  const std::vector<Slot> slots = list_slots(weights.config, const_cast<Weights&>(weights));

  Json header = Json::object();
  header["__metadata__"] = {{"format", "pt"}};
  std::size_t offset = 0;
  for (const Slot& slot : slots) {
    const std::size_t end = offset + count(slot) * bytes_of(dtype);
    header[slot.name] = {{"dtype", dtype == Dtype::f32 ? "F32" : "F16"}, {"shape", slot.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the data begins at a multiple of 8

  std::string out;
  out.reserve(8 + text.size() + offset);
  append(out, std::uint64_t{text.size()});
  out += text;
  for (const Slot& slot : slots) {
    for (std::size_t i = 0; i < count(slot); ++i) {
      const float value = element(slot, i);
      if (dtype == Dtype::f32) {
        append(out, value);
        continue;
      }
      const std::uint16_t half = f16_bits_from_f32(bits_of(value));
      if ((half & 0x7fffu) >= 0x7c00u)
        return fail(ErrorCode::bad_argument, slot.name + " holds a number that F16 cannot: " + std::to_string(value) + ".");
      append(out, half);
    }
  }
  return out;
}

std::string config_json(const Config& c) {
  const Json json = {{"architectures", {"GPT2LMHeadModel"}}, {"model_type", "gpt2"}, {"activation_function", "gelu_new"},
                     {"n_layer", c.n_layers}, {"n_head", c.n_heads}, {"n_embd", c.d_model}, {"n_inner", c.d_mlp},
                     {"n_positions", c.n_positions}, {"n_ctx", c.n_positions}, {"vocab_size", c.d_vocab},
                     {"layer_norm_epsilon", 1e-5}, {"tie_word_embeddings", c.tied_head}};
  return json.dump(2) + "\n";
}

}  // namespace lookback
