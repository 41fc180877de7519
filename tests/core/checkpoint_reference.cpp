// The trained model of the reference data loads, and its embeddings are those that its authors recorded.
#include <doctest/doctest.h>

#include "core/checkpoint/config_json.hpp"
#include "core/checkpoint/loader.hpp"
#include "tests/core/checkpoint_fixtures.hpp"
#include "tests/core/checkpoint_fixtures_loading.hpp"

namespace lookback {
namespace {

TEST_CASE("reference: gpt-nano-sort loads whole") {
  const auto config_text = fixtures::reference_file("gpt-nano-sort/config.json");
  const auto file = fixtures::reference_file("gpt-nano-sort/model.safetensors");
  const auto partials = fixtures::reference_file("gpt-nano-sort/partials.safetensors");
  if (!config_text || !file || !partials) return;

  const Result<Config> config = parse_config(*config_text);
  REQUIRE(config);
  CHECK(config->n_layers == 3);
  CHECK(config->n_heads == 3);
  CHECK(config->d_model == 48);
  CHECK(config->d_mlp == 192);
  CHECK(config->n_positions == 11);
  CHECK(config->d_vocab == 3);
  CHECK_FALSE(config->tied_head);

  std::vector<std::string> notes;
  const Result<Weights> weights = load(*file, *config, &notes);
  if (!weights) FAIL(weights.error().sentence);
  CHECK(notes.empty());
  check_weights(*weights, *file, "");

  const auto ids = fixtures::read_tensor(*partials, "idx");
  const auto token_rows = fixtures::read_tensor(*partials, "tok_emb");  // [3, 11, 48]
  REQUIRE(ids);
  REQUIRE(token_rows);
  std::size_t mismatches = 0;
  for (std::size_t token = 0; token < ids->values.size(); ++token) {
    for (std::size_t d = 0; d < 48; ++d) {
      const float value = weights->wte.at(d, static_cast<std::size_t>(ids->values[token]));
      mismatches += fixtures::bits_of(value) != fixtures::bits_of(token_rows->values[token * 48 + d]);
    }
  }
  CHECK(mismatches == 0);
  const auto position_rows = fixtures::read_tensor(*partials, "pos_emb");  // [1, 11, 48]
  REQUIRE(position_rows);
  CHECK(position_rows->values == weights->wpe);
}

TEST_CASE("reference: a part of GPT-2 is refused as a whole model, by the name of what is missing") {
  const auto file = fixtures::reference_file("gpt2-reference/attention-layers-4-5-9.safetensors");
  if (!file) return;
  Config config;
  config.n_layers = config.n_heads = 12;
  config.d_model = 768;
  config.d_mlp = 3072;
  config.n_positions = 1024;
  config.d_vocab = 50257;
  const Result<Weights> weights = load(*file, config);
  REQUIRE_FALSE(weights);
  CHECK(weights.error().sentence == "The tensor “wte.weight” is missing; expected it with the shape [50257, 768].");
  config.n_layers = 5;
  CHECK(load(*file, config).error().sentence.find("“h.5.ln_1.weight” is unknown") != std::string::npos);
}

}  // namespace
}  // namespace lookback
