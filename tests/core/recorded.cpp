// The core against recorded numbers of real models: gpt-nano-sort with every intermediate, and what is at hand of
// GPT-2 small. Where the reference data is absent each case prints so and is skipped.
#include <doctest/doctest.h>

#include <cmath>

#include "core/checkpoint/config_json.hpp"
#include "core/checkpoint/loader.hpp"
#include "core/lens/activations.hpp"
#include "core/lens/heads.hpp"
#include "core/lens/logit_lens.hpp"
#include "core/model/attention.hpp"
#include "core/model/transformer.hpp"
#include "core/numerics/matmul.hpp"
#include "core/numerics/softmax.hpp"
#include "core/text/bpe.hpp"
#include "tests/core/checkpoint_fixtures.hpp"
#include "tests/core/text_fixtures.hpp"

namespace lookback {
namespace {

std::vector<float> recorded(const std::string& file, const std::string& name) {
  const auto array = fixtures::read_tensor(file, name);
  REQUIRE_MESSAGE(array, name);
  return array->values;
}

double largest_difference(const std::vector<float>& a, const float* b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::fabs(double(a[i]) - double(b[i])));
  return worst;
}

// [n_heads, n, d_head] as recorded -> [n, n_heads, d_head] as the core has it.
std::vector<float> heads_beside(const float* by_head, std::size_t n_heads, std::size_t n, std::size_t d_head) {
  std::vector<float> out(n_heads * n * d_head);
  for (std::size_t h = 0; h < n_heads; ++h)
    for (std::size_t t = 0; t < n; ++t)
      std::copy_n(by_head + (h * n + t) * d_head, d_head, &out[(t * n_heads + h) * d_head]);
  return out;
}

}  // namespace

TEST_CASE("recorded: every intermediate of gpt-nano-sort, to 5e-6") {
  const auto config_text = fixtures::reference_file("gpt-nano-sort/config.json");
  const auto file = fixtures::reference_file("gpt-nano-sort/model.safetensors");
  const auto partials = fixtures::reference_file("gpt-nano-sort/partials.safetensors");
  if (!config_text || !file || !partials) return;
  const Result<Weights> weights = load(*file, *parse_config(*config_text));
  REQUIRE(weights);
  constexpr std::size_t n = 11, d = 48, n_heads = 3, d_head = 16;
  const std::vector<float> idx = recorded(*partials, "idx");
  double worst = 0;

  for (std::size_t batch = 0; batch < 3; ++batch) {
    std::vector<int> ids(n);
    for (std::size_t t = 0; t < n; ++t) ids[t] = static_cast<int>(idx[batch * n + t]);
    Pool pool(2);
    Trace trace;
    REQUIRE(run(*weights, ids, trace, pool));

    const auto compare = [&](const std::string& hook, const std::string& name, std::size_t width) {
      const Result<Activation> found = activation(*weights, trace, hook, pool);
      REQUIRE(found);
      REQUIRE(found->data.size() == n * width);
      const double difference = largest_difference(found->data, &recorded(*partials, name)[batch * n * width]);
      CHECK_MESSAGE(difference < 5e-6, hook << " differs from " << name << " by " << difference);
      worst = std::max(worst, difference);
    };
    const auto compare_heads = [&](const std::string& hook, const std::string& name) {
      const std::vector<float> all = recorded(*partials, name);
      const Result<Activation> found = activation(*weights, trace, hook, pool);
      REQUIRE(found);
      const double difference = largest_difference(
          found->data, heads_beside(&all[batch * n_heads * n * d_head], n_heads, n, d_head).data());
      CHECK_MESSAGE(difference < 5e-6, hook << " differs by " << difference);
      worst = std::max(worst, difference);
    };
    compare("blocks.0.hook_resid_pre", "x", d);
    compare("blocks.0.ln1.hook_normalized", "ln1", d);
    compare_heads("blocks.0.attn.hook_q", "q");
    compare_heads("blocks.0.attn.hook_k", "k");
    compare_heads("blocks.0.attn.hook_v", "v");
    compare("blocks.0.attn.hook_z", "y", d);
    compare("blocks.0.hook_attn_out", "yProj", d);
    compare("blocks.0.hook_resid_mid", "attnResid", d);
    compare("blocks.0.ln2.hook_normalized", "ln2", d);
    compare("blocks.0.mlp.hook_pre", "fc", 4 * d);
    compare("blocks.0.mlp.hook_post", "gelu", 4 * d);
    compare("blocks.0.hook_mlp_out", "mlp", d);
    compare("blocks.0.hook_resid_post", "block0", d);
    compare("blocks.1.hook_resid_post", "block1", d);
    compare("blocks.2.hook_resid_post", "block2", d);
    compare("ln_final.hook_normalized", "ln_f", d);

    // Scores and shares: recorded where the mask lets a token look.
    const std::vector<float> att = recorded(*partials, "att"), shares = recorded(*partials, "attSm");
    for (std::size_t head = 0; head < n_heads; ++head) {
      const std::vector<float> mine = scores_scaled(trace, {0, head}), pattern_here = pattern(trace, {0, head});
      for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < n; ++column) {
          const std::size_t there = ((batch * n_heads + head) * n + row) * n + column;
          if (column <= row) CHECK(std::fabs(mine[row * n + column] - att[there]) < 5e-6);
          CHECK(std::fabs(pattern_here[row * n + column] - shares[there]) < 5e-6);
        }
    }

    const std::vector<float> scores = recorded(*partials, "lm_head"), chances = recorded(*partials, "probs");
    for (std::size_t t = 0; t < n; ++t) {
      std::vector<float> row = logit_lens(*weights, trace, 3, t, pool);
      CHECK(largest_difference(row, &scores[(batch * n + t) * 3]) < 5e-6 * 10);  // logits reach 30
      softmax(row);
      CHECK(largest_difference(row, &chances[(batch * n + t) * 3]) < 5e-6);
    }
  }
  MESSAGE("gpt-nano-sort: largest difference " << worst);
}

TEST_CASE("recorded: GPT-2 small's attention in layers 4, 5 and 9") {
  const auto weights = fixtures::reference_file("gpt2-reference/attention-layers-4-5-9.safetensors");
  const auto figures = fixtures::reference_file("gpt2-reference/john-smith.safetensors");
  if (!weights || !figures) return;
  constexpr std::size_t n = 9, d = 768, n_heads = 12, d_head = 64;
  const std::vector<float> normalized = recorded(*figures, "ln1_normalized"), q = recorded(*figures, "hook_q"),
                           k = recorded(*figures, "hook_k"), shares = recorded(*figures, "hook_pattern");
  for (const std::size_t layer : {4, 5, 9}) {
    const std::string block = "h." + std::to_string(layer) + ".";
    const std::vector<float> norm_weight = recorded(*weights, block + "ln_1.weight"),
                             norm_bias = recorded(*weights, block + "ln_1.bias"),
                             matrix = recorded(*weights, block + "attn.c_attn.weight"),
                             bias = recorded(*weights, block + "attn.c_attn.bias");
    std::vector<float> x(&normalized[layer * n * d], &normalized[layer * n * d] + n * d);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] * norm_weight[i % d] + norm_bias[i % d];
    PackedMatrix w(d, 3 * d);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < 3 * d; ++j) w.full(i, j) = matrix[i * 3 * d + j];
    std::vector<float> qkv(n * 3 * d);
    multiply(x.data(), d, n, w, bias, qkv.data(), 3 * d, 0, PackedMatrix::n_panels(3 * d));

    Trace trace;
    trace.config = {1, n_heads, d, 4 * d, 1024, 50257, 1e-5f, true};
    resize(trace, n);
    const std::vector<float> q_here = heads_beside(&q[layer * n * d], n_heads, n, d_head),
                             k_here = heads_beside(&k[layer * n * d], n_heads, n, d_head);
    double worst = 0, worst_share = 0;
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t i = 0; i < d; ++i) {
        const float mine_q = qkv[t * 3 * d + i], mine_k = qkv[t * 3 * d + d + i];
        worst = std::max({worst, std::fabs(double(mine_q) - q_here[t * d + i]), std::fabs(double(mine_k) - k_here[t * d + i])});
        trace.blocks[0].q[t * d + i] = mine_q;
        trace.blocks[0].k[trace.key_index(t, i / d_head, i % d_head)] = mine_k;
      }
    for (std::size_t head = 0; head < n_heads; ++head)
      worst_share = std::max(worst_share, largest_difference(pattern(trace, {0, head}),
                                                             &shares[((layer * n_heads) + head) * n * n]));
    MESSAGE("GPT-2 layer " << layer << ": q and k differ by " << worst << ", shares by " << worst_share);
    CHECK(worst < 2e-5);
    CHECK(worst_share < 2e-6);
  }
}

TEST_CASE("recorded: GPT-2 small's prompts, from text to ids and from raw scores to shares") {
  const std::optional<Vocabulary> vocabulary = testing::gpt2_vocabulary();
  for (const int prompt : {0, 1, 2}) {
    const auto file = fixtures::reference_file("gpt2-reference/prompt-" + std::to_string(prompt) + ".safetensors");
    if (!file) return;
    const std::vector<float> ids = recorded(*file, "token_ids"), raw = recorded(*file, "scores_raw"),
                             scaled = recorded(*file, "scores_scaled"), shares = recorded(*file, "pattern");
    const std::size_t n = ids.size();
    REQUIRE(raw.size() == 144 * n * n);
    double worst = 0, worst_share = 0;
    for (std::size_t row = 0; row < 144 * n; ++row) {
      const std::size_t visible = row % n + 1;
      std::vector<float> mine(&raw[row * n], &raw[row * n] + visible);
      scale_scores(mine, 64);
      worst = std::max(worst, largest_difference(mine, &scaled[row * n]));
      softmax(mine);
      worst_share = std::max(worst_share, largest_difference(mine, &shares[row * n]));
    }
    CHECK(worst < 2e-5);
    CHECK(worst_share < 2e-6);

    if (!vocabulary) continue;
    const std::string marker = "\"prompt\": \"";
    const std::size_t begin = file->find(marker);
    REQUIRE(begin != std::string::npos);
    const std::string text = file->substr(begin + marker.size(), file->find('"', begin + marker.size()) - begin - marker.size());
    const std::vector<int> encoded = encode(*vocabulary, text, SpecialTokens::as_text);
    CHECK(std::vector<float>(encoded.begin(), encoded.end()) == ids);
  }
}

}  // namespace lookback
