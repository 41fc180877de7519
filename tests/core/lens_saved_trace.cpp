// A saved trace is read back by our own reader of safetensors; every tensor is bit for bit what activation() says.
#include <doctest/doctest.h>

#include <cstring>

#include "core/checkpoint/safetensors.hpp"
#include "core/lens/saved_trace.hpp"
#include "core/model/transformer.hpp"
#include "tests/core/reference.hpp"

using namespace lookback;

namespace {

const Config config{3, 4, 20, 80, 16, 23, 1e-5f, true};
const std::vector<int> ids = {4, 17, 2, 17, 9};

struct Saved {
  std::string file;
  Header header;
  std::string_view data_of(const TensorEntry& entry) const {
    return std::string_view(file).substr(static_cast<std::size_t>(header.data_start + entry.begin), static_cast<std::size_t>(entry.end - entry.begin));
  }
};

Saved saved(const Weights& weights, const Trace& trace, Pool& pool, bool grids, std::string_view text = "A text") {
  const SavedTrace plan = plan_saved_trace(trace, text, grids);
  Saved out;
  REQUIRE(save_trace(weights, trace, plan, pool, [&](std::string_view bytes) { out.file += bytes; return true; }));
  CHECK(out.file.size() == plan.bytes);
  const auto bytes = std::as_bytes(std::span(out.file.data(), out.file.size()));
  const Result<std::uint64_t> length = header_length(bytes, out.file.size());
  REQUIRE(length);
  CHECK((8 + *length) % 8 == 0);
  const Result<Header> header = parse_header(std::string_view(out.file).substr(8, static_cast<std::size_t>(*length)), out.file.size());
  REQUIRE(header);
  out.header = *header;
  return out;
}

bool same_bits(std::string_view bytes, const std::vector<float>& numbers) {
  return bytes.size() == numbers.size() * sizeof(float) && std::memcmp(bytes.data(), numbers.data(), bytes.size()) == 0;
}

}  // namespace

TEST_CASE("a saved trace holds every intermediate, bit for bit") {
  const Weights weights = reference::random_weights(config, 5);
  Trace trace;
  Pool pool;
  REQUIRE(run(weights, ids, trace, pool));
  for (const bool grids : {false, true}) {
    const Saved file = saved(weights, trace, pool, grids);
    CHECK(file.header.tensors.size() == 2 + config.n_layers * (grids ? 15 : 13) + 2);
    for (const TensorEntry& entry : file.header.tensors) {
      CAPTURE(entry.name);
      CHECK(entry.dtype == Dtype::f32);
      if (entry.name == "logits") {
        CHECK(entry.shape == std::vector<std::uint64_t>{ids.size(), config.d_vocab});
        for (std::size_t t = 0; t < ids.size(); ++t)
          CHECK(same_bits(file.data_of(entry).substr(t * config.d_vocab * 4, config.d_vocab * 4),
                          activation(weights, trace, "logits." + std::to_string(t), pool)->data));
        continue;
      }
      const Result<Activation> found = activation(weights, trace, entry.name, pool);
      REQUIRE(found);
      CHECK(std::vector<std::uint64_t>(found->shape.begin(), found->shape.end()) == entry.shape);
      CHECK(same_bits(file.data_of(entry), found->data));
    }
  }
}

TEST_CASE("a saved trace says what it is of, and stops when nobody takes it") {
  const Weights weights = reference::random_weights(config, 5);
  Trace trace;
  Pool pool;
  REQUIRE(run(weights, ids, trace, pool));
  const auto said = [&](std::string_view text) { return saved(weights, trace, pool, false, text).header.metadata; };
  using Said = std::vector<std::pair<std::string, std::string>>;
  const std::pair<std::string, std::string> tokens{"token_ids", "[4,17,2,17,9]"}, normalized{"normalized", "with the norm's weight and bias"};
  CHECK(said("“a\"\n") == Said{{"text", "“a\"\n"}, tokens, normalized});
  CHECK(said("a\xff") == Said{{"text", "a\xef\xbf\xbd"}, tokens, normalized});

  std::size_t calls = 0;
  CHECK(save_trace(weights, trace, plan_saved_trace(trace, "", false), pool, [&](std::string_view) { return ++calls < 3; }));
  CHECK(calls == 3);
}
