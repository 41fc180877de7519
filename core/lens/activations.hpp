// Any intermediate of the forward pass by its name. Kept ones are copied from the trace, the others are worked out
// again by the pass's own functions.
//
// Names, with L a layer: blocks.{L}.hook_resid_pre | hook_resid_mid | hook_resid_post | ln1.hook_normalized |
// attn.hook_q | attn.hook_k | attn.hook_v | attn.hook_scores_raw | attn.hook_attn_scores | attn.hook_pattern |
// attn.hook_z | hook_attn_out | ln2.hook_normalized | mlp.hook_pre | mlp.hook_post | hook_mlp_out, and
// ln_final.hook_normalized. Normalised rows include the norm's weight and bias. What the first of these is the sum of:
// hook_embed, the tokens' rows, and hook_pos_embed, the places' rows as the pass used them (all 0 where it used none).
//
// The position table itself: wpe, [n_positions, d_model], and wpe_cosines.{place}, how alike the row of a place is to every
// row of the table, [n_positions].
//
// Readings of one position go by name as well, counted from 0: lengths.{position}, how long the token's row is and
// what is added to it in each layer, [n_layers, 5] in the order of LayerLengths; shares.{position}, where the token
// looks in every head, [n_layers, n_heads, position + 1]; mean_shares.{position}, the mean of these heads,
// [position + 1]; rows.{position}, the token's row in the token table, then with its position row, then after each
// layer, [n_layers + 2, d_model]; lens.{position}.{token}, the chance of a token to come next and its rank (0 = the
// likeliest) after 0, 1, … layers, [n_layers + 1, 2].
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/model/trace.hpp"
#include "core/model/weights.hpp"
#include "core/numerics/pool.hpp"
#include "core/result.hpp"

namespace lookback {

struct Activation {
  std::vector<std::size_t> shape;  // q, k, v, z: [n, n_heads, d_head]; scores, pattern: [n_heads, n, n]; rows: [n, width]
  std::vector<float> data;         // row-major
};

// How many half steps of the pass (core/model/transformer.hpp) must be done for all tokens before activation() may be
// asked for this name; nothing where it needs the whole model or is unknown.
std::optional<std::size_t> half_steps_for(std::string_view name);

// Whether the whole position table must be there for this name.
bool reads_position_table(std::string_view name);

// Errors: bad_argument for an unknown name, which lists the known ones.
Result<Activation> activation(const Weights& weights, const Trace& trace, std::string_view name, Pool& pool);

}  // namespace lookback
