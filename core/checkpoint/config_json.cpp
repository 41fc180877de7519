#include "core/checkpoint/config_json.hpp"

#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "core/checkpoint/wording.hpp"
#include "core/json_text.hpp"

namespace lookback {
namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_config = 1 << 20;  // bytes; GPT-2's has under 1000

struct Size {
  const char* key;
  std::size_t Config::*member;
  std::uint64_t most;
};

// The largest sizes keep every product of two of them, times 32, within 64 bits. GPT-2 XL: 48, 25, 1600, 6400, 1024.
constexpr Size sizes[] = {
    {"n_layer", &Config::n_layers, 1 << 10},        {"n_head", &Config::n_heads, 1 << 10},
    {"n_embd", &Config::d_model, 1 << 16},          {"n_inner", &Config::d_mlp, 1 << 20},
    {"n_positions", &Config::n_positions, 1 << 20}, {"vocab_size", &Config::d_vocab, 1 << 22},
};

constexpr double smallest_eps = 1e-12;  // below, a row of equal numbers would divide by almost nothing
constexpr double largest_eps = 0.1;

Error refuse(std::string sentence) { return fail(ErrorCode::bad_file, std::move(sentence)); }

Error refuse(const std::string& key, const Json& value, const std::string& expected) {
  // A list or an object is named by its kind: it may be nested deeper than the stack can follow.
  const std::string found = value.is_structured() && !value.empty() ? std::string("a JSON ") + value.type_name() : in_quotes(value.dump());
  return refuse(key + " is " + found + "; expected " + expected + ".");
}

// The value, or null when the key is absent. A key with the value null counts as absent.
const Json* find(const Json& config, const char* key) {
  const auto found = config.find(key);
  return found == config.end() || found->is_null() ? nullptr : &*found;
}

std::string out_of_range(const std::string& key, std::uint64_t value, std::uint64_t most) {
  return key + " is " + std::to_string(value) + "; expected a whole number from 1 to " + std::to_string(most) + ".";
}

Result<> read_size(const Json& config, const char* key, const Size& size, Config& into) {
  const Json* value = find(config, key);
  if (!value) return refuse("the key " + in_quotes(key) + " is missing; expected a whole number.");
  if (!value->is_number_unsigned()) {
    return refuse(key, *value, "a whole number from 1 to " + std::to_string(size.most));
  }
  const auto number = value->get<std::uint64_t>();
  if (number == 0 || number > size.most) return refuse(out_of_range(key, number, size.most));
  into.*size.member = static_cast<std::size_t>(number);
  return Nothing{};
}

Result<> read_sizes(const Json& json, Config& config) {
  for (const Size& size : sizes) {
    const char* key = size.key;
    if (size.member == &Config::d_mlp && !find(json, key)) {
      config.d_mlp = 4 * config.d_model;  // n_embd stands before n_inner in the table
      continue;
    }
    if (size.member == &Config::n_positions && !find(json, key) && find(json, "n_ctx")) key = "n_ctx";
    const Result<> read = read_size(json, key, size, config);
    if (!read) return read.error();
  }
  return Nothing{};
}

Result<> read_eps(const Json& json, Config& config) {
  const Json* value = find(json, "layer_norm_epsilon");
  if (!value) return Nothing{};
  const double eps = value->is_number() ? value->get<double>() : 0;
  if (!(eps >= smallest_eps && eps <= largest_eps)) {
    return refuse("layer_norm_epsilon", *value, "a number from 1e-12 to 0.1");
  }
  config.layer_norm_eps = static_cast<float>(eps);
  return Nothing{};
}

struct Switch {
  const char* key;
  bool needed;
};

// Variants of the architecture that this model does not compute; GPT-2 has the values given here.
constexpr Switch switches[] = {
    {"scale_attn_weights", true},
    {"scale_attn_by_inverse_layer_idx", false},
    {"add_cross_attention", false},
    {"is_encoder_decoder", false},
};

Result<> check_variant(const Json& json) {
  if (const Json* type = find(json, "model_type"); type && *type != "gpt2") {
    return refuse("model_type", *type, "“gpt2”");
  }
  if (const Json* activation = find(json, "activation_function");
      activation && *activation != "gelu_new" && *activation != "gelu_pytorch_tanh") {
    return refuse("activation_function", *activation, "“gelu_new” or “gelu_pytorch_tanh” (the GELU with tanh)");
  }
  for (const Switch& option : switches) {
    const Json* value = find(json, option.key);
    if (value && *value != option.needed) return refuse(option.key, *value, option.needed ? "true" : "false");
  }
  return Nothing{};
}

Result<> read_tied(const Json& json, Config& config) {
  const Json* value = find(json, "tie_word_embeddings");
  if (!value) return Nothing{};
  if (!value->is_boolean()) return refuse("tie_word_embeddings", *value, "true or false");
  config.tied_head = value->get<bool>();
  return Nothing{};
}

// What is wrong with the heads, or "".
std::string heads_misfit(const Config& config) {
  if (config.d_model % config.n_heads == 0) return "";
  return "n_embd is " + std::to_string(config.d_model) + " and n_head is " + std::to_string(config.n_heads) +
         "; expected n_embd to be a multiple of n_head.";
}

}  // namespace

Result<Config> parse_config(std::string_view text) try {
  if (text.size() > longest_config) {
    return refuse("the file has " + std::to_string(text.size()) + " bytes; expected at most " +
                  std::to_string(longest_config) + ".");
  }
  std::set<std::string> keys;
  std::optional<std::string> twice;
  const auto watch_keys = [&](int depth, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::key && depth == 1) {
      const auto& key = value.get_ref<const std::string&>();
      if (!keys.insert(key).second) twice = key;
    }
    return true;
  };
  const Json json = holds_nul(text) ? Json(Json::value_t::discarded) : Json::parse(text, watch_keys, false);
  if (!json.is_object()) return refuse("the file is not a JSON object in valid UTF-8.");
  if (twice) return refuse("the key " + in_quotes(*twice) + " stands there twice.");

  Config config;
  for (const Result<>& step :
       {check_variant(json), read_sizes(json, config), read_eps(json, config), read_tied(json, config)}) {
    if (!step) return step.error();
  }
  if (const std::string misfit = heads_misfit(config); !misfit.empty()) return refuse(misfit);
  return config;
} catch (...) {
  return fail(ErrorCode::out_of_memory, "There is not enough memory to read config.json.");
}

Result<> check_config(const Config& config) {
  for (const Size& size : sizes) {
    const std::uint64_t value = config.*size.member;
    if (value == 0 || value > size.most) {
      return fail(ErrorCode::bad_argument, "The model's " + out_of_range(size.key, value, size.most));
    }
  }
  if (const std::string misfit = heads_misfit(config); !misfit.empty()) {
    return fail(ErrorCode::bad_argument, "The model's " + misfit);
  }
  return Nothing{};
}

}  // namespace lookback
