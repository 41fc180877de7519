// config.json: what is read, what is refused, and that each sentence names the key and its value.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/checkpoint/config_json.hpp"

namespace lookback {
namespace {

using nlohmann::json;
using namespace std::string_literals;

// As the hub has it for GPT-2 small.
json gpt2() {
  return json::parse(R"({
    "activation_function": "gelu_new", "architectures": ["GPT2LMHeadModel"], "attn_pdrop": 0.1, "bos_token_id": 50256,
    "embd_pdrop": 0.1, "eos_token_id": 50256, "initializer_range": 0.02, "layer_norm_epsilon": 1e-05,
    "model_type": "gpt2", "n_ctx": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024,
    "resid_pdrop": 0.1, "summary_activation": null, "summary_first_dropout": 0.1, "summary_proj_to_labels": true,
    "task_specific_params": {"text-generation": {"do_sample": true, "max_length": 50}}, "vocab_size": 50257})");
}

json with(const std::string& key, const json& value) {
  json config = gpt2();
  config[key] = value;
  return config;
}

json without(const std::string& key) {
  json config = gpt2();
  config.erase(key);
  return config;
}

Config accepted(const json& config) {
  const Result<Config> result = parse_config(config.dump());
  if (!result) FAIL(result.error().sentence);
  return *result;
}

void refused_text(std::string_view text, std::string_view phrase) {
  CAPTURE(text.substr(0, 200));
  const Result<Config> result = parse_config(text);
  REQUIRE_FALSE(result);
  CAPTURE(result.error().sentence);
  CHECK(result.error().code == ErrorCode::bad_file);
  CHECK_FALSE(result.error().sentence.starts_with("config.json"));  // the caller knows the file and names it
  CHECK(result.error().sentence.find(phrase) != std::string::npos);
  CHECK(result.error().sentence.ends_with("."));
}

void refused(const json& config, std::string_view phrase) { refused_text(config.dump(), phrase); }

TEST_CASE("config.json: a value nested beyond the stack is refused by its kind") {
  const std::string deep(400'000, '[');
  const Result<Config> result = parse_config("{\"n_layer\":" + deep + std::string(400'000, ']') + "}");
  REQUIRE_FALSE(result);
  CHECK(result.error().code == ErrorCode::bad_file);
}

TEST_CASE("config.json: GPT-2 small is read") {
  const Config config = accepted(gpt2());
  CHECK(config.n_layers == 12);
  CHECK(config.n_heads == 12);
  CHECK(config.d_model == 768);
  CHECK(config.d_mlp == 3072);
  CHECK(config.n_positions == 1024);
  CHECK(config.d_vocab == 50257);
  CHECK(config.layer_norm_eps == 1e-5f);
  CHECK(config.tied_head);
  CHECK(config.d_head() == 64);
}

TEST_CASE("config.json: keys that may be absent have GPT-2's values") {
  for (const std::string key : {"n_ctx", "layer_norm_epsilon", "activation_function", "model_type"}) {
    const Config config = accepted(without(key));
    CHECK(config.n_positions == 1024);
    CHECK(config.layer_norm_eps == 1e-5f);
  }
  json config = without("n_positions");
  config["n_ctx"] = 77;
  CHECK(accepted(config).n_positions == 77);
  CHECK(accepted(with("n_ctx", 77)).n_positions == 1024);
  CHECK(accepted(with("n_inner", nullptr)).d_mlp == 3072);
  CHECK(accepted(with("n_inner", 100)).d_mlp == 100);
  CHECK_FALSE(accepted(with("tie_word_embeddings", false)).tied_head);
  CHECK(accepted(with("tie_word_embeddings", true)).tied_head);
  CHECK(accepted(with("layer_norm_epsilon", 0.001)).layer_norm_eps == 0.001f);
  CHECK(accepted(with("activation_function", "gelu_pytorch_tanh")).d_model == 768);
}

TEST_CASE("config.json: the sizes are needed, whole and within reason") {
  for (const std::string key : {"n_layer", "n_head", "n_embd", "n_positions", "vocab_size"}) {
    json config = without(key);
    config.erase("n_ctx");
    refused(config, "“" + key + "” is missing");
    config[key] = nullptr;
    refused(config, "“" + key + "” is missing");
  }
  for (const std::string key : {"n_layer", "n_head", "n_embd", "n_inner", "n_positions", "vocab_size"}) {
    refused(with(key, 0), key + " is 0; expected a whole number from 1 to ");
    refused(with(key, -12), key + " is “-12”; expected a whole number from 1 to ");
    refused(with(key, 12.5), key + " is “12.5”; expected a whole number");
    refused(with(key, 12.0), key + " is “12.0”; expected a whole number");
    refused(with(key, "12"), key + " is “\"12\"”; expected a whole number");
    refused(with(key, true), key + " is “true”; expected a whole number");
    refused(with(key, json::array({12})), key + " is a JSON array; expected a whole number");
    refused(with(key, 5'000'000), key + " is 5000000; expected a whole number from 1 to ");
    refused(with(key, ~std::uint64_t{0}), key + " is 18446744073709551615; expected");
    refused(with(key, 1e300), key + " is “1e+300”; expected");
  }
  json zero_ctx = without("n_positions");
  zero_ctx["n_ctx"] = 0;
  refused(zero_ctx, "n_ctx is 0");
}

TEST_CASE("config.json: the width must divide into the heads") {
  refused(with("n_head", 11), "n_embd is 768 and n_head is 11; expected n_embd to be a multiple of n_head");
  refused(with("n_head", 1000), "multiple");
  CHECK(accepted(with("n_head", 768)).d_head() == 1);
}

TEST_CASE("config.json: an epsilon out of range is refused") {
  for (const json& eps : {json(0), json(-1e-5), json(1), json(1e-30), json("1e-5"), json(true), json::array()}) {
    refused(with("layer_norm_epsilon", eps), "layer_norm_epsilon is “");
  }
}

TEST_CASE("config.json: variants that would give other numbers are refused") {
  for (const std::string name : {"gelu", "relu", "silu", "tanh", "gelu_fast", ""}) {
    refused(with("activation_function", name),
            "activation_function is “\"" + name + "\"”; expected “gelu_new” or “gelu_pytorch_tanh”");
  }
  refused(with("activation_function", 1), "activation_function is “1”");
  refused(with("model_type", "llama"), "model_type is “\"llama\"”; expected “gpt2”");
  refused(with("scale_attn_weights", false), "scale_attn_weights is “false”; expected true");
  refused(with("scale_attn_by_inverse_layer_idx", true), "scale_attn_by_inverse_layer_idx is “true”; expected false");
  refused(with("add_cross_attention", true), "add_cross_attention is “true”; expected false");
  refused(with("add_cross_attention", "no"), "add_cross_attention");
  refused(with("tie_word_embeddings", 1), "tie_word_embeddings is “1”; expected true or false");
  json plain = gpt2();
  plain["scale_attn_weights"] = true;
  plain["scale_attn_by_inverse_layer_idx"] = false;
  plain["reorder_and_upcast_attn"] = true;  // another order of the same sum, for 16-bit arithmetic
  plain["add_cross_attention"] = false;
  accepted(plain);
}

TEST_CASE("config.json: what is not one JSON object is refused") {
  for (const std::string text : {"", " ", "[]", "12", "null", "{", "{}x", "{\"n_layer\":}", "\xff", "{\"a\":\"\xff\"}",
                                 "<!DOCTYPE html>", "version https://git-lfs.github.com/spec/v1"}) {
    refused_text(text, "not a JSON object");
  }
  refused_text(gpt2().dump() + "\0"s, "not a JSON object");
  refused_text("{\"a\":1e999}", "not a JSON object");
  refused_text("{}", "missing");
}

TEST_CASE("config.json: a key given twice is refused, inner objects are not looked at") {
  std::string text = gpt2().dump();
  text.insert(1, "\"n_layer\":24,");
  refused_text(text, "“n_layer” stands there twice");
  accepted(with("other", json{{"n_layer", 3}, {"n_head", -1}}));
}

TEST_CASE("config.json: depth and length do no harm") {
  std::string deep = gpt2().dump();
  deep.insert(1, "\"x\":" + std::string(200'000, '[') + std::string(200'000, ']') + ",");
  CHECK(parse_config(deep));
  refused_text(std::string(1'000'000, '['), "not a JSON object");
  refused_text(std::string(2'000'000, ' '), "2000000 bytes; expected at most");
}

TEST_CASE("check_config: the same limits for a config that came another way") {
  Config config = accepted(gpt2());
  CHECK(check_config(config));
  config.n_heads = 11;
  CHECK(check_config(config).error().sentence ==
        "The model's n_embd is 768 and n_head is 11; expected n_embd to be a multiple of n_head.");
  config.n_heads = 0;
  CHECK(check_config(config).error().code == ErrorCode::bad_argument);
  config = accepted(gpt2());
  config.d_vocab = 5'000'000;
  CHECK(check_config(config).error().sentence.find("vocab_size is 5000000") != std::string::npos);
  CHECK_FALSE(check_config(Config{}));
}

}  // namespace
}  // namespace lookback
