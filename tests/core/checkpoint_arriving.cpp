// A model that still arrives: passes over what has come, parts and rows that are there, storages that wait for columns.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/checkpoint/loader.hpp"
#include "core/lens/fingerprint.hpp"
#include "core/model/transformer.hpp"
#include "core/numerics/pack_matrix.hpp"
#include "tests/core/checkpoint_fixtures.hpp"
#include "tests/core/checkpoint_fixtures_loading.hpp"

namespace lookback {
namespace {

using fixtures::odd_config;
using fixtures::random_model;
using fixtures::safetensors_file;

constexpr Precision every_precision[] = {Precision::f32, Precision::f16, Precision::int8};

std::span<const std::byte> part(std::string_view file, std::uint64_t begin, std::uint64_t end) {
  return fixtures::as_bytes(file.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
}

Loader ready(std::string_view file, const Config& config, Precision precision = Precision::f32) {
  Result<Loader> loader = Loader::plan(header_of(file), config, {precision, address_space});
  if (!loader) FAIL(loader.error().sentence);
  REQUIRE(loader->allocate());
  return std::move(*loader);
}

const TensorPlan& named(const Loader& loader, std::string_view name) {
  for (const TensorPlan& tensor : loader.tensors())
    if (tensor.name == name) return tensor;
  FAIL("no tensor " << name);
  return loader.tensors()[0];
}

std::string whole_fingerprint(const Weights& weights, std::span<const int> ids) {
  Pool pool;
  Trace trace;
  REQUIRE(run(weights, ids, trace, pool));
  return fingerprint(trace);
}

using Chunks = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Chunks chunks_of(std::string_view file, std::uint64_t longest, fixtures::Numbers& numbers) {
  Chunks chunks;
  for (std::uint64_t at = 0; at < file.size();) {
    const std::uint64_t end = std::min<std::uint64_t>(at + 1 + numbers.whole(longest), file.size());
    chunks.emplace_back(at, end);
    at = end;
  }
  for (std::size_t i = chunks.size(); i > 1; --i) std::swap(chunks[i - 1], chunks[numbers.whole(i)]);
  return chunks;
}

TEST_CASE("arriving: a pass that goes on whenever it can ends with the bits of one over the whole model") {
  fixtures::Numbers numbers(30);
  Config config = odd_config();
  config.n_positions = 70;  // more than one chunk of tokens
  std::size_t early_steps = 0;
  for (int round = 0; round < 48; ++round) {
    const Precision precision = every_precision[round % 3];
    config.tied_head = round % 4 != 0;
    const std::string dtype = round % 5 == 0 ? "F16" : "F32";
    const std::string file = safetensors_file(
        random_model(config, 31, {dtype, round % 2 ? "transformer." : "", round % 7 == 0, 0.25f}), static_cast<std::size_t>(round % 8));
    std::vector<int> ids(round % 6 == 0 ? 70 : 1 + numbers.whole(7));
    for (int& id : ids) id = static_cast<int>(numbers.whole(config.d_vocab));
    const Result<Weights> whole = load(file, config, nullptr, precision);
    REQUIRE(whole);

    Loader loader = ready(file, config, precision);
    Pool pool;
    Trace trace;
    std::optional<Pass> pass;
    const auto go_on = [&] {
      if (!pass && loader.rows_ready(ids)) {
        Result<Pass> begun = Pass::begin(loader.weights(), ids, trace, pool);
        REQUIRE(begun);
        pass.emplace(std::move(*begun));
      }
      if (!pass) return;
      while (pass->step(loader.half_steps_ready())) ++early_steps;
      CHECK(pass->half_steps_done() == loader.half_steps_ready());
    };
    for (const auto& [begin, end] : chunks_of(file, file.size() / (1 + numbers.whole(40)), numbers)) {
      REQUIRE(loader.write(0, begin, part(file, begin, end)));
      if (end - begin > 3 || numbers.whole(50) == 0) go_on();
    }
    const auto weights = loader.finish();
    REQUIRE(weights);
    if (!pass) {
      Result<Pass> begun = Pass::begin(**weights, ids, trace, pool);
      REQUIRE(begun);
      pass.emplace(std::move(*begun));
    }
    while (pass->step()) {
    }
    CHECK(pass->finished());
    CHECK(fingerprint(trace) == whole_fingerprint(*whole, ids));
  }
  CHECK(early_steps > 20);
}

TEST_CASE("arriving: each half step is ready with its own tensors, and not a byte before") {
  const Config config = odd_config(false);
  const std::string file = safetensors_file(random_model(config, 32, {"F32", "", true, 0.25f}), 5);
  const std::vector<int> ids = {3, 10, 3};
  Loader loader = ready(file, config);
  const std::string expected = whole_fingerprint(*load(file, config), ids);
  CHECK(loader.rows_ready(ids).error().sentence == "The row of position 0 has not come yet.");
  CHECK(loader.rows_ready(ids).error().code == ErrorCode::not_yet);

  const auto send = [&](const TensorPlan& tensor, std::uint64_t begin, std::uint64_t end) {
    REQUIRE(loader.write(0, tensor.begin + begin, part(file, tensor.begin + begin, tensor.begin + end)));
  };
  // Three rows of wpe, two of wte, in this order.
  const TensorPlan wpe = named(loader, "wpe.weight"), wte = named(loader, "wte.weight");
  CHECK(wpe.row_bytes == 60);
  CHECK(wte.row_bytes == 60);
  CHECK(wte.part == Part::wte);
  send(wpe, 0, 3 * 60);
  CHECK(loader.rows_ready(ids).error().sentence == "The row of token 3 has not come yet.");
  send(wte, 3 * 60, 4 * 60);
  send(wte, 10 * 60, 11 * 60 - 1);
  CHECK(loader.rows_ready(ids).error().sentence == "The row of token 10 has not come yet.");
  send(wte, 11 * 60 - 1, 11 * 60);
  CHECK(loader.rows_ready(ids));
  CHECK_FALSE(loader.rows_ready(std::vector<int>{3, 4}));
  CHECK_FALSE(loader.rows_ready(std::vector<int>{3, 3, 3, 3}));
  CHECK(loader.rows_ready(std::vector<int>{-1, 3}));  // what does not exist is the pass's affair
  CHECK_FALSE(loader.part_ready(Part::wte));

  Pool pool;
  Trace trace;
  Result<Pass> pass = Pass::begin(loader.weights(), ids, trace, pool);
  REQUIRE(pass);
  const std::vector<std::vector<std::string>> needs = {
      {"ln_1.weight", "ln_1.bias", "attn.c_attn.weight", "attn.c_attn.bias"},
      {"attn.c_proj.weight", "attn.c_proj.bias"},
      {"ln_2.weight", "ln_2.bias", "mlp.c_fc.weight", "mlp.c_fc.bias", "mlp.c_proj.weight", "mlp.c_proj.bias"}};
  constexpr Part parts[] = {Part::attention_in, Part::attention_out, Part::mlp};
  for (std::size_t half = 0; half < 6; ++half) {
    const int layer = static_cast<int>(half / 3);
    for (const std::string& name : needs[half % 3]) {
      const TensorPlan tensor = named(loader, "h." + std::to_string(layer) + "." + name);
      CHECK(tensor.part == parts[half % 3]);
      CHECK(tensor.layer == layer);
      send(tensor, 1, tensor.size());
      CHECK(loader.half_steps_ready() == half);
      CHECK_FALSE(pass->step(loader.half_steps_ready()));
      CHECK_FALSE(loader.part_ready(parts[half % 3], layer));
      send(tensor, 0, 1);
    }
    CHECK(loader.part_ready(parts[half % 3], layer));
    CHECK(loader.half_steps_ready() == half + 1);
    CHECK(pass->step(loader.half_steps_ready()));
  }
  CHECK(pass->finished());
  CHECK(fingerprint(trace) == expected);

  const Weights* address = &loader.weights();
  CHECK_FALSE(loader.finish());
  CHECK_FALSE(loader.part_ready(Part::last));
  CHECK_FALSE(loader.part_ready(Part::lm_head));
  REQUIRE(loader.write(0, 0, part(file, 0, file.size())));
  CHECK(loader.part_ready(Part::last));
  const auto weights = loader.finish();
  REQUIRE(weights);
  CHECK(weights->get() == address);
  check_weights(**weights, file, "");
}

TEST_CASE("arriving: what a pass waits for has a sentence") {
  CHECK(awaits_half_step(0).code == ErrorCode::not_yet);
  CHECK(awaits_half_step(0).sentence == "The weights of layer 0's queries, keys and values have not come yet.");
  CHECK(awaits_half_step(14).sentence == "The weights of layer 4's feed-forward step have not come yet.");
}

bool same_matrix(const PackedMatrix& a, const PackedMatrix& b) {
  const auto same = [](const auto& x, const auto& y) {
    return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof x[0]) == 0);
  };
  return a.precision == b.precision && a.k_rows == b.k_rows && a.n_columns == b.n_columns && same(a.data, b.data) &&
         same(a.halves, b.halves) && same(a.levels, b.levels) && same(a.scales, b.scales);
}

TEST_CASE("arriving: f16 and int8 are packed on arrival, whatever the chunks, as from the whole f32 matrix") {
  fixtures::Numbers numbers(33);
  const Config config = odd_config(false);
  for (int round = 0; round < 60; ++round) {
    const Precision precision = every_precision[1 + round % 2];
    const std::string dtype = round % 3 == 0 ? "F16" : round % 3 == 1 ? "BF16" : "F32";
    const std::string file = safetensors_file(random_model(config, 34, {dtype, "", true, 0.25f}), 3);
    const Result<Weights> exact = load(file, config);
    REQUIRE(exact);
    Loader loader = ready(file, config, precision);
    CHECK(loader.peak_bytes() >= loader.kept_bytes());
    const std::uint64_t longest = round < 20 ? 3 : round < 40 ? 100 : 3000;
    for (const auto& [begin, end] : chunks_of(file, longest, numbers)) REQUIRE(loader.write(0, begin, part(file, begin, end)));
    const std::uint64_t kept = loader.kept_bytes();
    const auto done = loader.finish();
    REQUIRE(done);
    const Weights& got = **done;
    const auto check = [&](const PackedMatrix& packed, const PackedMatrix& full) {
      PackedMatrix expected(full.k_rows, full.n_columns, precision);
      place_matrix(expected, full);
      CHECK(same_matrix(packed, expected));
    };
    check(got.wte, exact->wte);
    check(got.lm_head, exact->lm_head);
    CHECK(got.wpe == exact->wpe);
    for (std::size_t layer = 0; layer < config.n_layers; ++layer) {
      const BlockWeights &a = got.blocks[layer], &b = exact->blocks[layer];
      check(a.c_attn.weight, b.c_attn.weight);
      check(a.c_proj.weight, b.c_proj.weight);
      check(a.mlp_fc.weight, b.mlp_fc.weight);
      check(a.mlp_proj.weight, b.mlp_proj.weight);
      CHECK(a.mlp_fc.bias == b.mlp_fc.bias);
      CHECK(a.ln_2.weight == b.ln_2.weight);
    }
    CHECK(bytes_held(got) == kept);
    CHECK(kept < bytes_held(*exact));
  }
}

}  // namespace
}  // namespace lookback
