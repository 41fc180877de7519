#include "core/lens/saved_trace.hpp"

#include "core/checkpoint/write_header.hpp"

namespace lookback {
namespace {

enum class Kind { rows, heads, grids, neurons };
struct Hook {
  std::string_view name;
  Kind kind;
};

// Of a layer, in the order of the pass.
constexpr Hook hooks[] = {
    {"hook_resid_pre", Kind::rows},         {"ln1.hook_normalized", Kind::rows}, {"attn.hook_q", Kind::heads},
    {"attn.hook_k", Kind::heads},           {"attn.hook_v", Kind::heads},        {"attn.hook_attn_scores", Kind::grids},
    {"attn.hook_pattern", Kind::grids},     {"attn.hook_z", Kind::heads},        {"hook_attn_out", Kind::rows},
    {"hook_resid_mid", Kind::rows},         {"ln2.hook_normalized", Kind::rows}, {"mlp.hook_pre", Kind::neurons},
    {"mlp.hook_post", Kind::neurons},       {"hook_mlp_out", Kind::rows},        {"hook_resid_post", Kind::rows},
};

std::vector<std::uint64_t> shape_of(Kind kind, std::size_t n, const Config& c) {
  switch (kind) {
    case Kind::rows: return {n, c.d_model};
    case Kind::heads: return {n, c.n_heads, c.d_head()};
    case Kind::grids: return {c.n_heads, n, n};
    case Kind::neurons: return {n, c.d_mlp};
  }
  return {};
}

std::string list_of(const std::vector<int>& ids) {
  std::string out = "[";
  for (const int id : ids) out += (out.size() > 1 ? "," : "") + std::to_string(id);
  return out + "]";
}

}  // namespace

SavedTrace plan_saved_trace(const Trace& trace, std::string_view text, bool grids) {
  const Config& c = trace.config;
  const std::size_t n = trace.n_tokens();
  SavedTrace plan;
  std::vector<ListedTensor> tensors;
  const auto add = [&](const std::string& name, Kind kind) {
    tensors.push_back({name, shape_of(kind, n, c)});
    plan.pieces.push_back(name);
  };
  add("hook_embed", Kind::rows);
  add("hook_pos_embed", Kind::rows);
  for (std::size_t layer = 0; layer < c.n_layers; ++layer)
    for (const Hook& hook : hooks)
      if (grids || hook.kind != Kind::grids) add("blocks." + std::to_string(layer) + "." + std::string(hook.name), hook.kind);
  add("ln_final.hook_normalized", Kind::rows);
  // Of a large vocabulary all rows together would not fit beside the trace.
  tensors.push_back({"logits", {n, c.d_vocab}});
  for (std::size_t t = 0; t < n; ++t) plan.pieces.push_back("logits." + std::to_string(t));

  plan.header = write_header(Dtype::f32, tensors, {{"text", std::string(text)}, {"token_ids", list_of(trace.ids)},
                                                   {"normalized", "with the norm's weight and bias"}});
  plan.bytes = plan.header.size() + data_bytes(Dtype::f32, tensors);
  return plan;
}

Result<> save_trace(const Weights& weights, const Trace& trace, const SavedTrace& plan, Pool& pool,
                    const std::function<bool(std::string_view)>& write) try {
  if (!write(plan.header)) return Nothing{};
  for (const std::string& piece : plan.pieces) {
    const Result<Activation> found = activation(weights, trace, piece, pool);
    if (!found) return found.error();
    // Little-endian, as the file wants it, wherever this runs.
    if (!write({reinterpret_cast<const char*>(found->data.data()), found->data.size() * sizeof(float)})) break;
  }
  return Nothing{};
} catch (...) {
  return fail(ErrorCode::out_of_memory, "There is not enough memory to work out what is to be saved.");
}

}  // namespace lookback
