// Bytes that come in chunks of any size and order, twice, or not at all.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/checkpoint/byte_ranges.hpp"
#include "core/checkpoint/loader.hpp"
#include "tests/core/checkpoint_fixtures.hpp"
#include "tests/core/checkpoint_fixtures_loading.hpp"

namespace lookback {
namespace {

using fixtures::odd_config;
using fixtures::random_model;
using fixtures::safetensors_file;

std::span<const std::byte> part(std::string_view file, std::uint64_t begin, std::uint64_t end) {
  return fixtures::as_bytes(file.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
}

Loader ready(std::string_view file, const Config& config) {
  Result<Loader> loader = Loader::plan(header_of(file), config);
  if (!loader) FAIL(loader.error().sentence);
  REQUIRE(loader->allocate());
  return std::move(*loader);
}

// All numbers of the weights in one row, with the padding.
std::vector<std::uint32_t> all_bits(const Weights& w) {
  std::vector<std::uint32_t> bits;
  const auto add = [&](const std::vector<float>& values) {
    for (const float value : values) bits.push_back(fixtures::bits_of(value));
  };
  add(w.wte.data), add(w.wpe), add(w.lm_head.data), add(w.ln_f.weight), add(w.ln_f.bias);
  for (const BlockWeights& b : w.blocks) {
    for (const LayerNormWeights* norm : {&b.ln_1, &b.ln_2}) add(norm->weight), add(norm->bias);
    for (const LinearWeights* linear : {&b.c_attn, &b.c_proj, &b.mlp_fc, &b.mlp_proj}) {
      add(linear->weight.data), add(linear->bias);
    }
  }
  return bits;
}

void check_error(const Result<>& result, ErrorCode code, std::string_view phrase) {
  REQUIRE_FALSE(result);
  CAPTURE(result.error().sentence);
  CHECK(result.error().code == code);
  CHECK(result.error().sentence.find(phrase) != std::string::npos);
}

TEST_CASE("loader: chunks of 1 to 37 bytes give the same bits, tensor by tensor and over the whole file") {
  for (const std::string dtype : {"F32", "F16"}) {
    const Config config = odd_config(false);
    const std::string file = safetensors_file(random_model(config, 20, {dtype, "", true, 0.25f}), 3);
    const Result<Weights> whole = load(file, config);
    REQUIRE(whole);
    const auto expected = all_bits(*whole);
    for (std::uint64_t size = 1; size <= 37; ++size) {
      CAPTURE(size);
      Loader by_tensor = ready(file, config), by_file = ready(file, config);
      for (std::size_t i = 0; i < by_tensor.tensors().size(); ++i) {
        const TensorPlan plan = by_tensor.tensors()[i];
        if (plan.skipped) continue;
        for (std::uint64_t at = plan.begin; at < plan.end; at += size) {
          REQUIRE(by_tensor.write(0, at, part(file, at, std::min(at + size, plan.end))));
        }
      }
      for (std::uint64_t at = 0; at < file.size(); at += size) {
        REQUIRE(by_file.write(0, at, part(file, at, std::min<std::uint64_t>(at + size, file.size()))));
      }
      const auto first = by_tensor.finish(), second = by_file.finish();
      REQUIRE(first);
      REQUIRE(second);
      CHECK(all_bits(**first) == expected);
      CHECK(all_bits(**second) == expected);
    }
  }
}

TEST_CASE("loader: chunks in any order give the same bits") {
  for (const std::string dtype : {"F32", "BF16"}) {
    const Config config = odd_config();
    const std::string file = safetensors_file(random_model(config, 21, {dtype, "transformer.", true, 0.25f}), 6);
    const Result<Weights> whole = load(file, config);
    REQUIRE(whole);
    const auto expected = all_bits(*whole);
    fixtures::Numbers numbers(22);
    for (int round = 0; round < 20; ++round) {
      std::vector<std::pair<std::uint64_t, std::uint64_t>> chunks;
      for (std::uint64_t at = 0; at < file.size();) {
        const std::uint64_t end = std::min<std::uint64_t>(at + 1 + numbers.whole(round % 2 ? 5 : 500), file.size());
        chunks.emplace_back(at, end);
        at = end;
      }
      for (std::size_t i = chunks.size(); i > 1; --i) std::swap(chunks[i - 1], chunks[numbers.whole(i)]);
      Loader loader = ready(file, config);
      for (const auto& [begin, end] : chunks) REQUIRE(loader.write(0, begin, part(file, begin, end)));
      const auto weights = loader.finish();
      REQUIRE(weights);
      CHECK(all_bits(**weights) == expected);
    }
  }
}

TEST_CASE("loader: values that are not finite are counted once, however they are cut") {
  const Config config = odd_config();
  auto tensors = random_model(config, 23);
  const std::uint32_t nan = 0x7fc00000;
  for (const std::size_t element : {0, 7, 164}) std::memcpy(tensors[0].bytes.data() + 4 * element, &nan, 4);
  const std::string file = safetensors_file(tensors);
  for (std::uint64_t size = 1; size < 12; ++size) {
    Loader loader = ready(file, config);
    for (std::uint64_t at = 0; at < file.size(); at += size) {
      REQUIRE(loader.write(0, at, part(file, at, std::min<std::uint64_t>(at + size, file.size()))));
    }
    CHECK(loader.notes() == std::vector<std::string>{"The tensor “wte.weight” holds 3 NaN and 0 infinite values."});
    CHECK(loader.finish());
  }
}

TEST_CASE("loader: bytes that came before are ignored") {
  const Config config = odd_config();
  const std::string file = safetensors_file(random_model(config, 24));
  const std::string noise(file.size(), '\x55');
  fixtures::Numbers numbers(25);
  for (int round = 0; round < 50; ++round) {
    // Stretches come first, also ones that end within an element; then the whole file with other bytes in their place.
    Loader loader = ready(file, config);
    std::string later = noise;
    std::vector<bool> came(file.size());
    for (int i = 0; i < 20; ++i) {
      const std::uint64_t begin = numbers.whole(file.size()), end = std::min<std::uint64_t>(file.size(), begin + numbers.whole(200));
      REQUIRE(loader.write(0, begin, part(file, begin, end)));
      std::fill(came.begin() + static_cast<std::ptrdiff_t>(begin), came.begin() + static_cast<std::ptrdiff_t>(end), true);
    }
    for (std::size_t i = 0; i < file.size(); ++i)
      if (!came[i]) later[i] = file[i];
    REQUIRE(loader.write(0, 0, part(later, 0, file.size())));
    REQUIRE(loader.write(0, 0, part(noise, 0, file.size())));
    const auto weights = loader.finish();
    REQUIRE(weights);
    check_weights(**weights, file, "");
  }
}

TEST_CASE("loader: bytes outside of the tensors are dropped, files that are not there refused") {
  const Config config = odd_config();
  const std::string file = safetensors_file(random_model(config, 25, {"F32", "", true, 0.25f}));
  Loader loader = ready(file, config);
  const std::string noise(1000, 'x');
  constexpr auto far = ~std::uint64_t{0};
  check_error(loader.write(1, 0, part(noise, 0, 1)), ErrorCode::bad_argument, "no file number 1; expected one below 1");
  check_error(loader.write(0, far, part(noise, 0, 1)), ErrorCode::bad_argument, "beyond any file");
  CHECK(loader.write(0, far - 1, part(noise, 0, 1)));
  CHECK(loader.write(0, 660, {}));
  CHECK(loader.write(0, file.size() + 5, part(noise, 0, 10)));
  const std::uint64_t header = loader.tensors()[0].begin;
  CHECK(loader.write(0, 0, part(noise, 0, std::min<std::uint64_t>(header, noise.size()))));
  REQUIRE(loader.write(0, header, part(file, header, file.size())));
  const auto weights = loader.finish();
  REQUIRE(weights);
  check_weights(**weights, file, "");
}

TEST_CASE("loader: finish names the tensor whose bytes are missing and can go on") {
  const Config config = odd_config();
  const std::string file = safetensors_file(random_model(config, 26, {"F16", "", true, 0.25f}), 7);
  Loader loader = ready(file, config);
  CHECK(loader.finish().error().sentence == "The tensor “wte.weight” is incomplete: 0 of its 330 bytes came.");
  CHECK(loader.finish().error().code == ErrorCode::bad_file);
  const TensorPlan last = loader.tensors().back();
  REQUIRE(loader.write(0, 0, part(file, 0, last.end - 3)));
  CHECK(loader.finish().error().sentence == "The tensor “ln_f.bias” is incomplete: 27 of its 30 bytes came.");
  REQUIRE(loader.write(0, last.end - 3, part(file, last.end - 3, last.end - 2)));
  REQUIRE(loader.write(0, last.end - 1, part(file, last.end - 1, last.end)));
  CHECK(loader.finish().error().sentence == "The tensor “ln_f.bias” is incomplete: 29 of its 30 bytes came.");
  REQUIRE(loader.write(0, last.end - 2, part(file, last.end - 2, last.end - 1)));
  const auto weights = loader.finish();
  REQUIRE(weights);
  check_weights(**weights, file, "");
}

TEST_CASE("loader: steps out of order are errors") {
  const Config config = odd_config();
  const std::string file = safetensors_file(random_model(config, 27));
  Result<Loader> loader = Loader::plan(header_of(file), config);
  REQUIRE(loader);
  check_error(loader->write(0, 0, part(file, 0, 1)), ErrorCode::bad_argument, "allocate comes first");
  CHECK(loader->finish().error().code == ErrorCode::bad_argument);
  REQUIRE(loader->allocate());
  check_error(loader->allocate(), ErrorCode::bad_argument, "has its memory already");
  Loader moved = std::move(*loader);  // a loader may move while it is filled
  REQUIRE(moved.write(0, 0, part(file, 0, file.size())));
  const auto weights = moved.finish();
  REQUIRE(weights);
  check_weights(**weights, file, "");
  CHECK(moved.finish().error().code == ErrorCode::bad_argument);
  check_error(moved.write(0, 0, part(file, 0, 1)), ErrorCode::bad_argument, "no memory");
  check_error(moved.allocate(), ErrorCode::bad_argument, "already");
}

TEST_CASE("loader: a cut file does not load") {
  const Config config = odd_config();
  const std::string file = safetensors_file(random_model(config, 28));
  for (std::size_t length = 0; length < file.size(); length += 1 + file.size() / 97) {
    const Result<Weights> weights = load(file.substr(0, length), config);
    REQUIRE_FALSE(weights);
    CHECK(weights.error().code == ErrorCode::bad_file);
  }
}

TEST_CASE("byte ranges: each byte is taken once, as a set of bytes says") {
  fixtures::Numbers numbers(29);
  for (int round = 0; round < 200; ++round) {
    ByteRanges ranges;
    std::vector<bool> have(64);
    for (int step = 0; step < 40; ++step) {
      const std::uint64_t begin = numbers.whole(64);
      const std::uint64_t end = std::min<std::uint64_t>(64, begin + numbers.whole(9));
      std::vector<ByteRange> expected;
      for (std::uint64_t i = begin; i < end; ++i) {
        if (have[i]) continue;
        if (expected.empty() || expected.back().end != i) expected.push_back({i, i});
        expected.back().end = i + 1;
      }
      REQUIRE(ranges.holds(begin, end) == expected.empty());
      REQUIRE(ranges.add(begin, end) == expected);
      for (std::uint64_t i = begin; i < end; ++i) have[i] = true;
      REQUIRE(ranges.holds(begin, end));
      REQUIRE(ranges.count() == static_cast<std::uint64_t>(std::count(have.begin(), have.end(), true)));
    }
  }
}

}  // namespace
}  // namespace lookback
