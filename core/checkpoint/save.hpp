// Weights into the bytes of a safetensors file, with GPT-2's names and layout: what loader.hpp reads.
#pragma once

#include <string>

#include "core/checkpoint/safetensors.hpp"
#include "core/model/weights.hpp"

namespace lookback {

// The whole file. dtype is f32, or f16: each number is rounded to the nearest f16, of two equally near ones to the even.
// The same weights give the same bytes. Error bad_argument for another dtype, or a number too large for f16.
Result<std::string> save(const Weights& weights, Dtype dtype);

// The model's config.json, as the hub writes it.
std::string config_json(const Config& config);

}  // namespace lookback
