// The loader's plan and its pieces: names, shapes, dtypes, heads, memory.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/checkpoint/config_json.hpp"
#include "core/checkpoint/wording.hpp"
#include "core/checkpoint/loader.hpp"
#include "core/model/trace.hpp"
#include "tests/core/checkpoint_fixtures.hpp"
#include "tests/core/checkpoint_fixtures_loading.hpp"

#ifdef __linux__
#include <sys/resource.h>
#endif

namespace lookback {
namespace {

using fixtures::ModelOptions;
using fixtures::odd_config;
using fixtures::random_model;
using fixtures::safetensors_file;
using fixtures::Tensor;
using Tensors = std::vector<Tensor>;

Tensor& named(Tensors& tensors, std::string_view name) {
  const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == name; });
  REQUIRE(found != tensors.end());
  return *found;
}

void check_refused(const Tensors& tensors, const Config& config, ErrorCode code, std::string_view phrase) {
  const Result<Weights> result = load(safetensors_file(tensors), config);
  REQUIRE_FALSE(result);
  CAPTURE(result.error().sentence);
  CHECK(result.error().code == code);
  CHECK(result.error().sentence.find(phrase) != std::string::npos);
  CHECK(result.error().sentence.ends_with("."));
}

TEST_CASE("loader: every tensor lands where the model reads it, in every dtype, prefixed or not, tied or not") {
  for (const std::string dtype : {"F32", "F16", "BF16"}) {
    for (const std::string prefix : {"", "transformer."}) {
      for (const bool tied : {true, false}) {
        CAPTURE(dtype);
        CAPTURE(prefix);
        CAPTURE(tied);
        const Config config = odd_config(tied);
        const ModelOptions options{dtype, prefix, tied, 0.25f};
        for (std::size_t misalignment = 0; misalignment < 8; ++misalignment) {
          const std::string file = safetensors_file(random_model(config, 1, options), misalignment);
          const Result<Weights> weights = load(file, config);
          if (!weights) FAIL(weights.error().sentence);
          check_weights(*weights, file, prefix);
          CHECK(weights->lm_head.data.empty() == tied);
          CHECK(&weights->head() == (tied ? &weights->wte : &weights->lm_head));
        }
      }
    }
  }
}

TEST_CASE("loader: sizes from one to several panels, also exact ones") {
  for (const std::size_t width : {1, 7, 8, 9, 16, 24, 31}) {
    Config config = odd_config(false);
    config.n_heads = 1;
    config.d_model = width;
    config.d_mlp = 33 - width;
    config.d_vocab = width == 9 ? 3 : 2 * width;
    config.n_positions = 1;
    const std::string file = safetensors_file(random_model(config, width), 3);
    const Result<Weights> weights = load(file, config);
    if (!weights) FAIL(weights.error().sentence);
    check_weights(*weights, file, "");
  }
}

TEST_CASE("loader: 16-bit values of every kind arrive exactly") {
  for (const std::string dtype : {"F16", "BF16"}) {
    Config config = odd_config();
    config.n_layers = 1;
    config.d_vocab = 65536 / 15 + 1;
    Tensors tensors = random_model(config, 2, {dtype, "", false, 0.25f});
    std::vector<std::uint16_t> patterns(config.d_vocab * config.d_model);
    for (std::size_t i = 0; i < patterns.size(); ++i) patterns[i] = static_cast<std::uint16_t>(i);
    named(tensors, "wte.weight").bytes = fixtures::bytes_of_values(patterns);
    std::vector<std::string> notes;
    const Result<Weights> weights = load(safetensors_file(tensors), config, &notes);
    REQUIRE(weights);
    int mismatches = 0;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const auto expected = dtype == "F16" ? f32_bits_from_f16(patterns[i]) : f32_bits_from_bf16(patterns[i]);
      mismatches += fixtures::bits_of(weights->wte.at(i % 15, i / 15)) != expected;
    }
    CHECK(mismatches == 0);
    // Of the 65,536 patterns two are infinite; the few that repeat at the end of the table are 0 and small.
    REQUIRE(notes.size() == 1);
    CHECK(notes[0] == "The tensor “wte.weight” holds " + std::string(dtype == "F16" ? "2046" : "254") +
                          " NaN and 2 infinite values.");
  }
}

TEST_CASE("loader: the plan lists the file's tensors and the memory") {
  const Config config = odd_config(false);
  Tensors tensors = random_model(config, 3, {"F16", "transformer.", true, 0.25f});
  std::reverse(tensors.begin(), tensors.end());
  const std::string file = safetensors_file(tensors, 5);
  const Header header = header_of(file);
  const Result<Loader> loader = Loader::plan(header, config);
  REQUIRE(loader);
  REQUIRE(loader->tensors().size() == tensors.size());
  std::uint64_t reached = header.data_start, read = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const TensorPlan& plan = loader->tensors()[i];
    CHECK(plan.name == tensors[i].name);
    CHECK(plan.begin == reached);
    CHECK(plan.end == reached + tensors[i].bytes.size());
    CHECK(plan.skipped == (plan.name.ends_with(".attn.bias") || plan.name.ends_with(".attn.masked_bias")));
    CHECK(file.substr(plan.begin, plan.end - plan.begin) == tensors[i].bytes);
    reached = plan.end;
    read += plan.skipped ? 0 : plan.end - plan.begin;
  }
  CHECK(loader->bytes_to_read() == read);

  const Result<Weights> weights = load(file, config);
  REQUIRE(weights);
  CHECK(loader->kept_bytes() == bytes_held(*weights));
}

TEST_CASE("loader: a missing tensor is named with its shape") {
  const Config config = odd_config(false);
  for (const std::string prefix : {"", "transformer."}) {
    const Tensors all = random_model(config, 4, {"F32", prefix, true, 0.25f});
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].name.ends_with(".attn.bias") || all[i].name.ends_with(".attn.masked_bias")) continue;
      Tensors tensors = all;
      tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(i));
      check_refused(
          tensors, config, ErrorCode::missing_tensor,
          "The tensor “" + all[i].name + "” is missing; expected it with the shape " + shape_text(all[i].shape) + ".");
    }
  }
  check_refused({}, config, ErrorCode::missing_tensor, "“wte.weight” is missing");
}

TEST_CASE("loader: a wrong shape is named with the right one") {
  const Config config = odd_config(false);
  const Tensors all = random_model(config, 5);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Tensors tensors = all;
    const std::string expected = shape_text(all[i].shape);
    if (all[i].shape.size() == 2) {
      std::reverse(tensors[i].shape.begin(), tensors[i].shape.end());
      if (tensors[i].shape == all[i].shape) tensors[i].shape.push_back(1);
    } else {
      tensors[i].shape.insert(tensors[i].shape.begin(), 1);
    }
    check_refused(tensors, config, ErrorCode::missing_tensor,
                  "The tensor “" + all[i].name + "” has the shape " + shape_text(tensors[i].shape) + "; expected " +
                      expected + " by config.json.");
  }
}

TEST_CASE("loader: an unknown tensor is named") {
  const Config config = odd_config();
  for (const std::string name : {"model.embed_tokens.weight", "h.2.ln_1.weight", "h.2.attn.bias", "h.00.attn.bias",
                                 "h..attn.bias", "h.0.attn.rotary", "h.0.attn.bias2", "h.-1.attn.bias",
                                 "h.99999999999999999999.attn.bias", "wte", "x", "lm_head.bias", "score.weight"}) {
    Tensors tensors = random_model(config, 6);
    tensors.push_back(fixtures::f32_tensor(name, {1}, {0}));
    check_refused(tensors, config, ErrorCode::missing_tensor,
                  "The tensor “" + name + "” is unknown; expected those of a GPT-2 model with 2 layers, h.0 to h.1.");
  }
  Tensors tensors = random_model(config, 6, {"F32", "transformer.", false, 0.25f});
  tensors.push_back(fixtures::f32_tensor("transformer.lm_head.weight", {1}, {0}));
  check_refused(tensors, config, ErrorCode::missing_tensor, "“transformer.lm_head.weight” is unknown");
  tensors.back().name = "transformer.transformer.wte.weight";
  check_refused(tensors, config, ErrorCode::missing_tensor, "“transformer.transformer.wte.weight” is unknown");
  tensors.back().name = "score.weight";
  check_refused(tensors, config, ErrorCode::missing_tensor, "“score.weight” is unknown");
}

TEST_CASE("loader: names with and without the prefix in one file are refused") {
  const Config config = odd_config(false);
  Tensors tensors = random_model(config, 7, {"F32", "transformer.", true, 0.25f});
  named(tensors, "transformer.ln_f.bias").name = "ln_f.bias";
  check_refused(tensors, config, ErrorCode::missing_tensor, "“ln_f.bias” lacks the prefix “transformer.”");
  tensors = random_model(config, 7, {"F32", "", true, 0.25f});
  named(tensors, "h.1.attn.bias").name = "transformer.h.1.attn.bias";
  check_refused(tensors, config, ErrorCode::missing_tensor, "“wte.weight” lacks the prefix “transformer.”");
}

TEST_CASE("loader: other dtypes are refused, but mask buffers may have any") {
  const Config config = odd_config();
  for (const auto& [dtype, bytes] : std::vector<std::pair<std::string, std::size_t>>{
           {"I32", 4}, {"F64", 8}, {"U8", 1}, {"F8_E4M3", 1}, {"BOOL", 1}}) {
    Tensors tensors = random_model(config, 8, {"F32", "", true, 0.25f});
    Tensor& buffer = named(tensors, "h.0.attn.bias");
    buffer.dtype = dtype;
    buffer.bytes = std::string(buffer.shape[2] * buffer.shape[3] * bytes, '\1');
    CHECK(load(safetensors_file(tensors), config));
    Tensor& tensor = named(tensors, "h.1.mlp.c_fc.bias");
    tensor.dtype = dtype;
    tensor.bytes = std::string(tensor.shape[0] * bytes, '\0');
    check_refused(tensors, config, ErrorCode::bad_file,
                  "“h.1.mlp.c_fc.bias” has the dtype " + dtype + "; expected F32, F16 or BF16.");
  }
}

TEST_CASE("loader: dtypes may differ from tensor to tensor") {
  const Config config = odd_config(false);
  Tensors tensors = random_model(config, 9);
  const Tensors halves = random_model(config, 10, {"F16", "", false, 0.25f});
  const Tensors brains = random_model(config, 11, {"BF16", "", false, 0.25f});
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (i % 3 == 1) tensors[i] = halves[i];
    if (i % 3 == 2) tensors[i] = brains[i];
  }
  const std::string file = safetensors_file(tensors);
  const Result<Weights> weights = load(file, config);
  REQUIRE(weights);
  check_weights(*weights, file, "");
}

TEST_CASE("loader: an untied config needs lm_head.weight, and a stored one is used with a tied config too") {
  check_refused(random_model(odd_config(true), 12), odd_config(false), ErrorCode::missing_tensor,
                "“lm_head.weight” is missing; expected it with the shape [11, 15]");
  std::vector<std::string> notes;
  const std::string file = safetensors_file(random_model(odd_config(false), 12));
  const Result<Weights> weights = load(file, odd_config(true), &notes);
  REQUIRE(weights);
  CHECK_FALSE(weights->config.tied_head);
  check_weights(*weights, file, "");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("“lm_head.weight” although config.json ties") != std::string::npos);
}

TEST_CASE("loader: NaN and infinite values are kept and the tensor that holds them is named") {
  const Config config = odd_config();
  Tensors tensors = random_model(config, 13);
  const auto poke = [&](std::string_view name, std::size_t element, std::uint32_t bits) {
    std::memcpy(named(tensors, name).bytes.data() + 4 * element, &bits, 4);
  };
  poke("h.0.mlp.c_fc.weight", 40, 0x7fc00000);
  poke("h.0.mlp.c_fc.weight", 41, 0x7f800001);  // a signalling NaN
  poke("h.0.mlp.c_fc.weight", 500, 0xff800000);
  poke("wpe.weight", 0, 0x7f800000);
  poke("ln_f.bias", 14, 0xffffffff);
  poke("wte.weight", 1, 0x7f7fffff);  // the largest finite number is none of them
  std::vector<std::string> notes;
  const Result<Weights> weights = load(safetensors_file(tensors), config, &notes);
  REQUIRE(weights);
  CHECK(notes == std::vector<std::string>{"The tensor “wpe.weight” holds 0 NaN and 1 infinite values.",
                                          "The tensor “h.0.mlp.c_fc.weight” holds 2 NaN and 1 infinite values.",
                                          "The tensor “ln_f.bias” holds 1 NaN and 0 infinite values."});
  CHECK(fixtures::bits_of(weights->blocks[0].mlp_fc.weight.at(1, 4)) == 0x7f800001);
  CHECK(fixtures::bits_of(weights->ln_f.bias[14]) == 0xffffffff);
}

TEST_CASE("loader: what is too large for f16 is counted and named") {
  const Config config = odd_config();
  Tensors tensors = random_model(config, 13);
  const auto poke = [&](std::string_view name, std::size_t element, float value) {
    std::memcpy(named(tensors, name).bytes.data() + 4 * element, &value, 4);
  };
  poke("h.0.mlp.c_fc.weight", 40, 65520.0f);
  poke("h.0.mlp.c_fc.weight", 41, -1e9f);
  poke("h.0.mlp.c_fc.weight", 42, 65519.0f);  // rounds down to the largest half
  poke("ln_f.bias", 3, 1e9f);                 // vectors stay f32
  const std::string file = safetensors_file(tensors);
  std::vector<std::string> notes;
  REQUIRE(load(file, config, &notes, Precision::f16));
  CHECK(notes == std::vector<std::string>{"The tensor “h.0.mlp.c_fc.weight” holds 2 values of 65,520 or more, too large for f16; "
                                          "they became infinite. As f32 they stay as they are."});
  for (const Precision precision : {Precision::f32, Precision::int8}) {
    notes.clear();
    REQUIRE(load(file, config, &notes, precision));
    CHECK(notes.empty());
  }
}

TEST_CASE("loader: a config that no model can have is refused before the tensors are looked at") {
  Config config = odd_config();
  config.n_heads = 4;
  const Result<Loader> loader = Loader::plan(Header{}, config);
  REQUIRE_FALSE(loader);
  CHECK(loader.error().code == ErrorCode::bad_argument);
  CHECK(loader.error().sentence.find("multiple of n_head") != std::string::npos);
}

TEST_CASE("loader: what would not fit is refused by the plan, which names a precision that would") {
  const Config config = odd_config();
  const Header header = header_of(safetensors_file(random_model(config, 14, {"F16", "", false, 0.25f})));
  const auto needed = [&](Precision precision) {
    return Loader::plan(header, config, {precision, address_space})->kept_bytes() + trace_bytes(config, config.n_positions);
  };
  const std::uint64_t f32 = needed(Precision::f32), f16 = needed(Precision::f16), int8 = needed(Precision::int8);
  CHECK(f16 < f32);
  CHECK(int8 < f16);
  const auto refusal = [&](Precision precision, std::uint64_t memory) {
    const Result<Loader> refused = Loader::plan(header, config, {precision, memory});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::out_of_memory);
    return refused.error().sentence;
  };
  CHECK(Loader::plan(header, config, {Precision::f32, f32}));
  CHECK(Loader::plan(header, config, {Precision::f16, f16}));
  CHECK(Loader::plan(header, config, {Precision::int8, int8}));
  const std::string trace = std::to_string(trace_bytes(config, config.n_positions));
  CHECK(refusal(Precision::f32, f32 - 1) ==
        "As f32 this model needs " + std::to_string(f32 - trace_bytes(config, 7)) + " bytes for its weights and " + trace +
            " bytes for a text that fills its window; this program has " + std::to_string(f32 - 1) +
            " bytes. As f16 it fits, with " + std::to_string(f16 - trace_bytes(config, 7)) + " bytes for its weights.");
  CHECK(refusal(Precision::f32, f16 - 1).find("As int8 it fits") != std::string::npos);
  CHECK(refusal(Precision::f16, f16 - 1).find("As int8 it fits") != std::string::npos);
  CHECK(refusal(Precision::f32, int8 - 1).find("it fits") == std::string::npos);
  CHECK(refusal(Precision::int8, int8 - 1).find("it fits") == std::string::npos);
}

#ifndef __SANITIZE_ADDRESS__  // which ends the program at an allocation that fails
// 3.3 GB of weights are refused: under wasm always (no array may pass 2 GB), natively by a limit on this process.
TEST_CASE("loader: memory that is refused is an error, not an end") {
  Config config = odd_config();
  config.n_layers = 1;
  config.n_heads = 1;
  config.d_model = 1024;
  config.d_mlp = 1;
  config.d_vocab = 800'000;
  Header header;
  Weights unused;
  for (const Slot& slot : list_slots(config, unused)) {
    std::uint64_t bytes = 4;
    for (const std::uint64_t size : slot.shape) bytes *= size;
    const std::uint64_t begin = header.tensors.empty() ? 0 : header.tensors.back().end;
    header.tensors.push_back({slot.name, Dtype::f32, slot.shape, begin, begin + bytes});
  }
  Result<Loader> loader = Loader::plan(header, config);
  REQUIRE(loader);
#ifdef __linux__
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  rlimit tight = before;
  tight.rlim_cur = 3'000'000'000;
  REQUIRE(setrlimit(RLIMIT_AS, &tight) == 0);
  const Result<> memory = loader->allocate();
  REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
#else
  const Result<> memory = loader->allocate();
#endif
  REQUIRE_FALSE(memory);
  CHECK(memory.error().code == ErrorCode::out_of_memory);
  CHECK(memory.error().sentence.find(bytes_text(loader->kept_bytes()) + " of memory") != std::string::npos);
  CHECK_FALSE(loader->finish());
}
#endif

}  // namespace
}  // namespace lookback
