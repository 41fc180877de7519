#include "core/lens/activations.hpp"

#include <array>
#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "core/lens/heads.hpp"
#include "core/model/transformer.hpp"
#include "core/lens/layer_lengths.hpp"
#include "core/lens/logit_lens.hpp"
#include "core/lens/places.hpp"
#include "core/model/edits.hpp"
#include "core/numerics/functions.hpp"
#include "core/numerics/layer_norm.hpp"
#include "core/numerics/matmul.hpp"

namespace lookback {
namespace {

struct Asked {
  const Weights& weights;
  const Trace& trace;
  std::size_t layer;
  Pool& pool;

  const BlockWeights& block() const { return weights.blocks[layer]; }
  std::size_t n() const { return trace.n_tokens(); }
  std::size_t d() const { return trace.config.d_model; }
};

std::vector<float> norm(const Asked& a, const std::vector<float>& rows, const LayerNormWeights& w) {
  std::vector<float> out(rows.size());
  for (std::size_t t = 0; t < a.n(); ++t)
    layer_norm({&rows[t * a.d()], a.d()}, w.weight, w.bias, a.trace.config.layer_norm_eps, {&out[t * a.d()], a.d()});
  return out;
}

std::vector<float> linear(const Asked& a, const std::vector<float>& x, const LinearWeights& w) {
  const std::size_t columns = w.weight.n_columns;
  std::vector<float> y(a.n() * columns);
  a.pool.split(PackedMatrix::n_panels(columns), [&](std::size_t begin, std::size_t end) {
    multiply(x.data(), w.weight.k_rows, a.n(), w.weight, w.bias, y.data(), columns, begin, end);
  });
  return y;
}

// Heads' grids one after the other: [n_heads, n, n].
template <class Grid>
std::vector<float> every_head(const Asked& a, Grid grid) {
  std::vector<float> out;
  for (std::size_t head = 0; head < a.trace.config.n_heads; ++head) {
    const std::vector<float> one = grid(a.trace, HeadIndex{a.layer, head});
    out.insert(out.end(), one.begin(), one.end());
  }
  return out;
}

// Heads' rows side by side: [n, n_heads, d_head].
template <class Rows>
std::vector<float> beside(const Asked& a, Rows rows) {
  const std::size_t d_head = a.trace.config.d_head();
  std::vector<float> out(a.n() * a.d());
  for (std::size_t head = 0; head < a.trace.config.n_heads; ++head) {
    const std::vector<float> one = rows(a.trace, HeadIndex{a.layer, head});
    for (std::size_t t = 0; t < a.n(); ++t)
      std::copy_n(&one[t * d_head], d_head, &out[t * a.d() + head * d_head]);
  }
  return out;
}

// The tokens' rows in the token table.
std::vector<float> token_rows(const Asked& a) {
  std::vector<float> out(a.n() * a.d());
  for (std::size_t t = 0; t < a.n(); ++t)
    for (std::size_t i = 0; i < a.d(); ++i) out[t * a.d() + i] = a.weights.wte.at(i, static_cast<std::size_t>(a.trace.ids[t]));
  return out;
}

// The rows of the position table that the pass added to them.
std::vector<float> place_rows(const Asked& a) {
  std::vector<float> out(a.n() * a.d());
  if (a.trace.edits.positions == Positions::none) return out;
  const std::vector<std::size_t> rows = position_rows(a.trace.edits, a.trace.config.n_positions);
  for (std::size_t t = 0; t < a.n(); ++t) std::copy_n(&a.weights.wpe[rows[t] * a.d()], a.d(), &out[t * a.d()]);
  return out;
}

std::vector<float> ln1(const Asked& a) { return norm(a, a.trace.blocks[a.layer].resid_pre, a.block().ln_1); }
std::vector<float> ln2(const Asked& a) { return norm(a, a.trace.blocks[a.layer].resid_mid, a.block().ln_2); }
std::vector<float> z(const Asked& a) { return beside(a, blends); }
std::vector<float> mlp_pre(const Asked& a) { return linear(a, ln2(a), a.block().mlp_fc); }
std::vector<float> mlp_post(const Asked& a) {
  std::vector<float> neurons = mlp_pre(a);
  gelu(std::span<float>(neurons));
  return neurons;
}

enum class Kind { rows, heads_beside, head_grids, neurons };

struct Hook {
  std::string_view name;  // after "blocks.{L}."
  Kind kind;
  std::size_t half_steps;  // of its layer that it needs done
  std::function<std::vector<float>(const Asked&)> work;
};

const std::array<Hook, 16>& hooks() {
  static const std::array<Hook, 16> table = {{
      {"hook_resid_pre", Kind::rows, 1, [](const Asked& a) { return a.trace.blocks[a.layer].resid_pre; }},
      {"hook_resid_mid", Kind::rows, 2, [](const Asked& a) { return a.trace.blocks[a.layer].resid_mid; }},
      {"hook_resid_post", Kind::rows, 3, [](const Asked& a) { return a.trace.residual(a.layer + 1); }},
      {"ln1.hook_normalized", Kind::rows, 1, ln1},
      {"attn.hook_q", Kind::heads_beside, 1, [](const Asked& a) { return a.trace.blocks[a.layer].q; }},
      {"attn.hook_k", Kind::heads_beside, 1, [](const Asked& a) { return beside(a, keys); }},
      {"attn.hook_v", Kind::heads_beside, 1, [](const Asked& a) { return a.trace.blocks[a.layer].v; }},
      {"attn.hook_scores_raw", Kind::head_grids, 1, [](const Asked& a) { return every_head(a, scores_raw); }},
      {"attn.hook_attn_scores", Kind::head_grids, 1, [](const Asked& a) { return every_head(a, scores_masked); }},
      {"attn.hook_pattern", Kind::head_grids, 1, [](const Asked& a) { return every_head(a, pattern); }},
      {"attn.hook_z", Kind::heads_beside, 1, z},
      {"hook_attn_out", Kind::rows, 2, [](const Asked& a) { return linear(a, z(a), a.block().c_proj); }},
      {"ln2.hook_normalized", Kind::rows, 3, ln2},
      {"mlp.hook_pre", Kind::neurons, 3, mlp_pre},
      {"mlp.hook_post", Kind::neurons, 3, mlp_post},
      {"hook_mlp_out", Kind::rows, 3, [](const Asked& a) { return linear(a, mlp_post(a), a.block().mlp_proj); }},
  }};
  return table;
}

std::vector<std::size_t> shape_of(Kind kind, const Trace& trace) {
  const std::size_t n = trace.n_tokens();
  const Config& c = trace.config;
  switch (kind) {
    case Kind::rows: return {n, c.d_model};
    case Kind::heads_beside: return {n, c.n_heads, c.d_head()};
    case Kind::head_grids: return {c.n_heads, n, n};
    case Kind::neurons: return {n, c.d_mlp};
  }
  return {};
}

// Takes a prefix and the number behind it off a name: "blocks.3.attn.hook_q" less "blocks." -> 3 and ".attn.hook_q".
std::optional<std::size_t> take_number(std::string_view& name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  std::size_t number = 0;
  const char* end = name.data() + name.size();
  const auto [after, problem] = std::from_chars(name.data() + prefix.size(), end, number);
  if (problem != std::errc{}) return std::nullopt;
  name = {after, static_cast<std::size_t>(end - after)};
  return number;
}

std::optional<Activation> embedding_named(const Asked& a, std::string_view name) {
  if (name == "hook_embed") return Activation{shape_of(Kind::rows, a.trace), token_rows(a)};
  if (name == "hook_pos_embed") return Activation{shape_of(Kind::rows, a.trace), place_rows(a)};
  const Config& config = a.trace.config;
  if (name == "wpe") return Activation{{config.n_positions, config.d_model}, a.weights.wpe};
  const auto place = take_number(name, "wpe_cosines.");
  if (!place || *place >= config.n_positions || !name.empty()) return std::nullopt;
  return Activation{{config.n_positions}, place_cosines(a.weights, *place)};
}

std::optional<Activation> lengths_named(const Asked& a, std::string_view name) {
  const auto position = take_number(name, "lengths.");
  if (!position || *position >= a.n() || !name.empty()) return std::nullopt;
  std::vector<float> data;
  for (const LayerLengths& l : layer_lengths(a.trace, *position))
    data.insert(data.end(), {l.before, l.attention, l.between, l.feed_forward, l.after});
  return Activation{{a.trace.config.n_layers, 5}, data};
}

std::optional<Activation> shares_named(const Asked& a, std::string_view name) {
  const auto position = take_number(name, "shares.");
  if (!position || *position >= a.n() || !name.empty()) return std::nullopt;
  const auto [n_layers, n_heads] = std::pair{a.trace.config.n_layers, a.trace.config.n_heads};
  std::vector<float> data;
  for (std::size_t layer = 0; layer < n_layers; ++layer)
    for (std::size_t head = 0; head < n_heads; ++head) {
      const std::vector<float> row = pattern_row(a.trace, {layer, head}, *position);
      data.insert(data.end(), row.begin(), row.end());
    }
  return Activation{{n_layers, n_heads, *position + 1}, data};
}

std::optional<Activation> mean_shares_named(const Asked& a, std::string_view name) {
  const auto position = take_number(name, "mean_shares.");
  if (!position || *position >= a.n() || !name.empty()) return std::nullopt;
  return Activation{{*position + 1}, mean_pattern_row(a.trace, *position)};
}

// A token's row on its way: in the token table, then with its place, then after each layer.
std::optional<Activation> rows_named(const Asked& a, std::string_view name) {
  const auto position = take_number(name, "rows.");
  if (!position || *position >= a.n() || !name.empty()) return std::nullopt;
  std::vector<float> data;
  const auto id = static_cast<std::size_t>(a.trace.ids[*position]);
  for (std::size_t i = 0; i < a.d(); ++i) data.push_back(a.weights.wte.at(i, id));
  for (std::size_t done = 0; done <= a.trace.config.n_layers; ++done) {
    const float* row = &a.trace.residual(done)[*position * a.d()];
    data.insert(data.end(), row, row + a.d());
  }
  return Activation{{a.trace.config.n_layers + 2, a.d()}, data};
}

// The model's own scores for the token after a position.
std::optional<Activation> logits_named(const Asked& a, std::string_view name) {
  const auto position = take_number(name, "logits.");
  if (!position || *position >= a.n() || !name.empty()) return std::nullopt;
  return Activation{{a.trace.config.d_vocab}, logit_lens(a.weights, a.trace, a.trace.config.n_layers, *position, a.pool)};
}

std::optional<Activation> lens_named(const Asked& a, std::string_view name) {
  const auto position = take_number(name, "lens.");
  if (!position || *position >= a.n()) return std::nullopt;
  const auto token = take_number(name, ".");
  if (!token || *token >= a.trace.config.d_vocab || !name.empty()) return std::nullopt;
  std::vector<float> data;
  for (const Standing& s : standing_by_layers(a.weights, a.trace, *position, static_cast<int>(*token), a.pool))
    data.insert(data.end(), {s.probability, static_cast<float>(s.rank)});
  return Activation{{a.trace.config.n_layers + 1, 2}, data};
}

}  // namespace

std::optional<std::size_t> half_steps_for(std::string_view name) {
  if (name == "hook_embed" || name == "hook_pos_embed" || reads_position_table(name)) return 1;
  const std::optional<std::size_t> layer = take_number(name, "blocks.");
  if (!layer || !name.starts_with(".")) return std::nullopt;
  for (const Hook& hook : hooks())
    if (hook.name == name.substr(1)) return half_steps_a_layer * *layer + hook.half_steps;
  return std::nullopt;
}

bool reads_position_table(std::string_view name) { return name == "wpe" || name.starts_with("wpe_cosines."); }

Result<Activation> activation(const Weights& weights, const Trace& trace, std::string_view name, Pool& pool) {
  if (name == "ln_final.hook_normalized") {
    const Asked asked{weights, trace, 0, pool};
    return Activation{shape_of(Kind::rows, trace), norm(asked, trace.resid_final, weights.ln_f)};
  }
  std::string_view rest = name;
  const std::optional<std::size_t> layer = take_number(rest, "blocks.");
  if (layer && *layer < trace.config.n_layers && rest.starts_with(".")) {
    for (const Hook& hook : hooks())
      if (hook.name == rest.substr(1)) return Activation{shape_of(hook.kind, trace), hook.work({weights, trace, *layer, pool})};
  }
  for (const auto reading : {embedding_named, lengths_named, shares_named, mean_shares_named, rows_named, logits_named, lens_named})
    if (std::optional<Activation> found = reading({weights, trace, 0, pool}, name)) return *std::move(found);
  std::string known = "hook_embed, hook_pos_embed, wpe, wpe_cosines.PLACE, lengths.POSITION, shares.POSITION, mean_shares.POSITION, rows.POSITION, logits.POSITION, lens.POSITION.TOKEN, ln_final.hook_normalized";
  for (const Hook& hook : hooks()) known += ", blocks.L." + std::string(hook.name);
  return fail(ErrorCode::bad_argument, "There is no activation \"" + std::string(name) + "\"; known are, with L from 0 to " +
                                           std::to_string(trace.config.n_layers - 1) + ": " + known + ".");
}

}  // namespace lookback
