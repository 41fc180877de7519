// Reads GPT-2's config.json, as the hub lays it beside the weights.
#pragma once

#include <string_view>

#include "core/model/config.hpp"
#include "core/result.hpp"

namespace lookback {

// Keys read: n_layer, n_head, n_embd, vocab_size, n_positions (or n_ctx), needed; n_inner (null or absent: 4 * n_embd),
// layer_norm_epsilon (1e-5), tie_word_embeddings (true), activation_function (gelu_new). Refused, because the numbers
// would be others: another model_type, another activation, scores that are not divided by sqrt(d_head) or are divided
// by the layer's number too, cross-attention. Errors: bad_file, with the key, its value and what was expected.
Result<Config> parse_config(std::string_view json);

// Whether the sizes are ones that the program takes: none 0, none beyond reason, n_embd a multiple of n_head.
// Error bad_argument; sentences use the keys of config.json.
Result<> check_config(const Config& config);

}  // namespace lookback
