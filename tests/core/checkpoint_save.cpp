// What save() writes, load() reads back: to the bit as F32, rounded to the nearest as F16.
#include <doctest/doctest.h>

#include <cmath>

#include "core/checkpoint/config_json.hpp"
#include "core/numerics/float_formats.hpp"
#include "core/checkpoint/loader.hpp"
#include "core/checkpoint/save.hpp"
#include "core/numerics/vector.hpp"
#include "tests/core/reference.hpp"

using namespace lookback;

namespace {

float narrowed(float value) {
  return float_of(f32_bits_from_f16(f16_bits_from_f32(bits_of(value))));
}

}  // namespace

TEST_CASE("float formats: every F16 comes back from float, and what lies between goes to the nearer, ties to even") {
  int wrong = 0;
  for (std::uint32_t half = 0; half < 0x7c00; ++half) {
    const std::uint32_t low = f32_bits_from_f16(static_cast<std::uint16_t>(half));
    wrong += f16_bits_from_f32(low) != half || f16_bits_from_f32(low | 0x80000000u) != (half | 0x8000u);
    if (half == 0x7bff) break;
    const double a = float_of(low);
    const double b = float_of(f32_bits_from_f16(static_cast<std::uint16_t>(half + 1)));
    const float middle = static_cast<float>((a + b) / 2);  // exact: one bit more than F16 has
    const std::uint32_t even = half & 1 ? half + 1 : half;
    const auto at = [&](float x) { return f16_bits_from_f32(bits_of(x)); };
    wrong += at(middle) != even;
    wrong += at(std::nextafter(middle, 0.0f)) != half;
    wrong += at(std::nextafter(middle, 1e9f)) != half + 1;
  }
  CHECK(wrong == 0);
  CHECK(f16_bits_from_f32(bits_of(65519.996f)) == 0x7bff);
  CHECK(f16_bits_from_f32(bits_of(65520.0f)) == 0x7c00);
  CHECK(f16_bits_from_f32(bits_of(-INFINITY)) == 0xfc00);
  CHECK((f16_bits_from_f32(bits_of(NAN)) & 0x7fff) > 0x7c00);
}

TEST_CASE("save: F32 comes back bit for bit, tied and untied, odd sizes") {
  for (const bool tied : {true, false}) {
    const Config config{.n_layers = 2, .n_heads = 3, .d_model = 15, .d_mlp = 21, .n_positions = 5, .d_vocab = 13, .tied_head = tied};
    const Weights weights = reference::random_weights(config, 5);
    const Result<std::string> file = save(weights, Dtype::f32);
    REQUIRE(file);
    const Result<Config> read = parse_config(config_json(config));
    REQUIRE(read);
    std::vector<std::string> notes;
    const Result<Weights> back = load(*file, *read, &notes);
    REQUIRE(back);
    CHECK(notes.empty());
    CHECK(back->wte.data == weights.wte.data);
    CHECK(back->wpe == weights.wpe);
    CHECK(back->lm_head.data == weights.lm_head.data);
    CHECK(back->blocks[1].c_attn.weight.data == weights.blocks[1].c_attn.weight.data);
    CHECK(back->blocks[1].mlp_proj.weight.data == weights.blocks[1].mlp_proj.weight.data);
    CHECK(back->blocks[0].mlp_fc.bias == weights.blocks[0].mlp_fc.bias);
    CHECK(back->ln_f.weight == weights.ln_f.weight);
    CHECK(read->d_mlp == 21);
    CHECK(*save(weights, Dtype::f32) == *file);
  }
}

TEST_CASE("save: F16 is half as large and rounds each number once") {
  const Config config{.n_layers = 1, .n_heads = 1, .d_model = 8, .d_mlp = 8, .n_positions = 3, .d_vocab = 9};
  Weights weights = reference::random_weights(config, 6);
  const Result<std::string> file = save(weights, Dtype::f16);
  REQUIRE(file);
  const Result<Weights> back = load(*file, config);
  REQUIRE(back);
  for (std::size_t i = 0; i < weights.wpe.size(); ++i) CHECK(back->wpe[i] == narrowed(weights.wpe[i]));
  for (std::size_t i = 0; i < weights.wte.data.size(); ++i) CHECK(back->wte.data[i] == narrowed(weights.wte.data[i]));

  weights.ln_f.bias[2] = 70000;
  const Result<std::string> refused = save(weights, Dtype::f16);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().sentence.starts_with("ln_f.bias holds a number that F16 cannot: 70000"));
  CHECK_FALSE(save(weights, Dtype::bf16));
}
