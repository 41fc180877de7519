// Which tensors a GPT-2 checkpoint holds, and where each one goes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/weights.hpp"

namespace lookback {

enum class Layout {
  vector,  // copied as it is, row-major
  linear,  // Conv1D matrix [in, out]: element (k, n) becomes packed (k, n)
  table,   // token table or lm_head [d_vocab, d_model]: element (v, d) becomes packed (d, v)
};

// What a tensor is needed for: a model that still arrives can compute as far as its parts are there.
enum class Part {
  wte,
  wpe,
  attention_in,   // ln_1 and c_attn: what a layer's half step 0 needs (core/model/transformer.hpp)
  attention_out,  // attn.c_proj: half step 1
  mlp,            // ln_2, mlp.c_fc, mlp.c_proj: half step 2
  last,           // ln_f
  lm_head,
};

std::string_view name_of(Part part);  // as above

struct Slot {
  std::string name;  // without the prefix "transformer."
  std::vector<std::uint64_t> shape;
  Part part = Part::wte;
  int layer = -1;  // -1: of none
  Layout layout = Layout::vector;
  std::vector<float>* vector = nullptr;  // where it goes: one of the two, inside the Weights given
  PackedMatrix* matrix = nullptr;

  // In memory, when matrices are kept in this precision; vectors are always f32.
  std::uint64_t bytes_kept(Precision precision) const;
};

// All tensors of a model of this shape. Resizes weights.blocks and sets weights.config, but takes no memory for
// numbers. The pointers hold as long as `weights` stays where it is. lm_head.weight is listed unless config.tied_head.
std::vector<Slot> list_slots(const Config& config, Weights& weights);

// Whether the name (without prefix) is a buffer that GPT-2's exports carry along and the model does not need: the mask
// h.{L}.attn.bias and its fill h.{L}.attn.masked_bias, with L below n_layers.
bool is_mask_buffer(std::string_view name, const Config& config);

}  // namespace lookback
