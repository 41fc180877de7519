// Sharded checkpoints: the index and what it may not say, tensors spread over files, bytes that come file by file.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/checkpoint/loader.hpp"
#include "core/checkpoint/shard_index.hpp"
#include "tests/core/checkpoint_fixtures.hpp"
#include "tests/core/checkpoint_fixtures_loading.hpp"

namespace lookback {
namespace {

using fixtures::odd_config;
using fixtures::random_model;
using fixtures::safetensors_file;
using fixtures::Tensor;

struct Shards {
  std::vector<Tensor> tensors[3];

  std::vector<std::string> files() const {
    std::vector<std::string> all;
    for (const auto& shard : tensors) all.push_back(safetensors_file(shard, all.size() + 1));
    return all;
  }
  std::vector<Header> headers() const {
    std::vector<Header> all;
    for (const std::string& file : files()) all.push_back(header_of(file));
    return all;
  }
  std::string index() const {
    std::string map;
    for (std::size_t file = 0; file < 3; ++file)
      for (const Tensor& tensor : tensors[file])
        map += (map.empty() ? "\"" : ",\"") + tensor.name + "\":\"model-0000" + std::to_string(file + 1) + "-of-00003.safetensors\"";
    return R"({"metadata":{"total_size":1,"more":[{"weight_map":{"x":2}}]},"weight_map":{)" + map + "}}";
  }
};

// Every third tensor in another file.
Shards spread(const std::vector<Tensor>& tensors) {
  Shards shards;
  for (std::size_t i = 0; i < tensors.size(); ++i) shards.tensors[i % 3].push_back(tensors[i]);
  return shards;
}

void check_refused(const Shards& shards, const Config& config, ErrorCode code, std::string_view sentence) {
  const Result<Loader> loader = Loader::plan(shards.headers(), config);
  REQUIRE_FALSE(loader);
  CHECK(loader.error().code == code);
  CHECK(loader.error().sentence == sentence);
}

TEST_CASE("shards: bytes of three files in any order give the weights of one file") {
  const Config config = odd_config(false);
  for (const std::string prefix : {"", "transformer."}) {
    const auto tensors = random_model(config, 40, {"F32", prefix, true, 0.25f});
    const Shards shards = spread(tensors);
    const std::vector<std::string> files = shards.files();
    Result<Loader> loader = Loader::plan(shards.headers(), config);
    REQUIRE(loader);
    REQUIRE(loader->allocate());
    std::uint64_t to_read = 0;
    for (const TensorPlan& tensor : loader->tensors()) {
      CHECK(files[tensor.file].find(tensor.name) != std::string::npos);
      to_read += tensor.skipped ? 0 : tensor.size();
    }
    CHECK(loader->bytes_to_read() == to_read);

    fixtures::Numbers numbers(41);
    std::size_t reached[3] = {};
    for (std::size_t left = 3; left > 0;) {
      const std::size_t file = numbers.whole(3), begin = reached[file];
      if (begin == files[file].size()) continue;
      const std::size_t size = std::min<std::size_t>(1 + numbers.whole(300), files[file].size() - begin);
      CHECK_FALSE(loader->finish());
      REQUIRE(loader->write(file, begin, fixtures::as_bytes(std::string_view(files[file]).substr(begin, size))));
      reached[file] += size;
      left -= reached[file] == files[file].size();
    }
    const auto weights = loader->finish();
    REQUIRE(weights);
    check_weights(**weights, safetensors_file(tensors), prefix);
  }
}

TEST_CASE("shards: a tensor in two files, or in none, is named") {
  const Config config = odd_config();
  const auto tensors = random_model(config, 42, {"F32", "", true, 0.25f});
  Shards shards = spread(tensors);
  const Tensor moved = shards.tensors[0][2];
  shards.tensors[2].push_back(moved);
  check_refused(shards, config, ErrorCode::missing_tensor,
                "The tensor “" + moved.name + "” is in two files, number 0 and 2 counted from 0; expected it in one.");
  shards.tensors[2].pop_back();
  shards.tensors[0].erase(shards.tensors[0].begin() + 2);
  check_refused(shards, config, ErrorCode::missing_tensor,
                "The tensor “" + moved.name + "” is missing; expected it with the shape " + shape_text(moved.shape) + ".");

  // The mask's buffers too may stand in one file only.
  shards = spread(tensors);
  for (std::size_t file = 0; file < 3; ++file)
    for (const Tensor& tensor : shards.tensors[file])
      if (tensor.name == "h.0.attn.bias") {
        shards.tensors[(file + 1) % 3].push_back(tensor);
        const Result<Loader> loader = Loader::plan(shards.headers(), config);
        REQUIRE_FALSE(loader);
        CHECK(loader.error().sentence.find("“h.0.attn.bias” is in two files") != std::string::npos);
        file = 3;
        break;
      }

  // One file with the prefix, the others without.
  shards = spread(tensors);
  for (Tensor& tensor : shards.tensors[1]) tensor.name = "transformer." + tensor.name;
  CHECK(Loader::plan(shards.headers(), config).error().sentence.find("lacks the prefix") != std::string::npos);
  CHECK(Loader::plan(std::span<const Header>{}, config).error().sentence.find("“wte.weight” is missing") != std::string::npos);
}

TEST_CASE("shards: the index gives the files, and the files must hold just what it says") {
  const auto tensors = random_model(odd_config(), 43, {"F32", "", true, 0.25f});
  const Shards shards = spread(tensors);
  const Result<ShardIndex> index = parse_shard_index(shards.index());
  if (!index) FAIL(index.error().sentence);
  CHECK(index->files == std::vector<std::string>{"model-00001-of-00003.safetensors", "model-00002-of-00003.safetensors",
                                                 "model-00003-of-00003.safetensors"});
  CHECK(index->file_of.size() == tensors.size());
  CHECK(check_shards(*index, shards.headers()));

  const auto refusal = [&](const Shards& other) {
    const Result<> checked = check_shards(*index, other.headers());
    REQUIRE_FALSE(checked);
    CHECK(checked.error().code == ErrorCode::bad_file);
    return checked.error().sentence;
  };
  Shards other = shards;
  const Tensor moved = other.tensors[1].back();
  other.tensors[1].pop_back();
  CHECK(refusal(other) == "The checkpoint's index places the tensor “" + moved.name +
                              "” in “model-00002-of-00003.safetensors”, which does not hold it.");
  other.tensors[2].push_back(moved);
  CHECK(refusal(other) == "The checkpoint's index places the tensor “" + moved.name +
                              "” in “model-00002-of-00003.safetensors”, but “model-00003-of-00003.safetensors” holds it.");
  other = shards;
  other.tensors[0].push_back(fixtures::f32_tensor("more", {1}, {0}));
  CHECK(refusal(other) ==
        "The checkpoint's index does not list the tensor “more”, which “model-00001-of-00003.safetensors” holds.");
  const std::vector<Header> headers = shards.headers();
  CHECK(check_shards(*index, std::span(headers).first(2)).error().sentence ==
        "The checkpoint's index names 3 files; 2 are there.");
}

TEST_CASE("shards: an index that is hostile or broken is refused") {
  const auto map = [](std::string_view inside) { return R"({"weight_map":{)" + std::string(inside) + "}}"; };
  const auto refused = [](std::string_view json, std::string_view phrase) {
    const Result<ShardIndex> index = parse_shard_index(json);
    CAPTURE(json.substr(0, 200));
    REQUIRE_FALSE(index);
    CAPTURE(index.error().sentence);
    CHECK(index.error().code == ErrorCode::bad_file);
    CHECK(index.error().sentence.starts_with("The checkpoint's index "));
    CHECK(index.error().sentence.ends_with("."));
    CHECK(index.error().sentence.find(phrase) != std::string::npos);
  };
  for (const std::string_view json : {"", "x", "{", "<html>", "{\"weight_map\":{}", "\xef\xbb\xbf{}", "{\"weight_map\":{\"a\":\"\xff\"}}", "{} {}"})
    refused(json, "is not a JSON object in valid UTF-8");
  refused(std::string_view("{\0}", 3), "NUL byte");
  for (const std::string_view json : {"[]", "3", "null", "\"weight_map\"", "true", "-1", "1.5"}) refused(json, "is not a JSON object");
  refused("{}", "has no weight_map");
  refused(R"({"metadata":{"weight_map":{"a":"b.safetensors"}}})", "has no weight_map");
  refused(map(""), "lists no tensor");
  for (const std::string_view value : {"3", "null", "[]", "[\"a.safetensors\"]", "\"a.safetensors\"", "true", "1.5", "-1"})
    refused("{\"weight_map\":" + std::string(value) + "}", "has a weight_map that is no object of strings");
  for (const std::string_view value : {"3", "null", "[]", "[\"a.safetensors\"]", "{}", "true", "1.5", "-1"})
    refused(map("\"a\":" + std::string(value)), "places the tensor “a” in what is no string");
  for (const std::string_view name :
       {"", ".safetensors", "a.bin", "a.safetensors/", "../a.safetensors", "x/a.safetensors", "/a.safetensors", "x\\\\a.safetensors",
        "..safetensors", "a..safetensors", ".a.safetensors", "c:a.safetensors", "http://x/a.safetensors", "a?b.safetensors",
        "a#b.safetensors", "%2e%2e%2fa.safetensors", "a\\u0000.safetensors", "a\\n.safetensors", "a.safetensors\\u007f"})
    refused(map("\"a\":\"" + std::string(name) + "\""), "expected the plain name of a .safetensors file");
  refused(map("\"a\":\"" + std::string(260, 'n') + ".safetensors\""), "expected the plain name");
  refused(map(R"("a":"b.safetensors","a":"b.safetensors")"), "places the tensor “a” twice");
  refused(R"({"weight_map":{"a":"b.safetensors"},"weight_map":{"a":"b.safetensors"}})", "holds the key “weight_map” twice");
  refused(R"({"x":1,"x":2,"weight_map":{"a":"b.safetensors"}})", "holds the key “x” twice");
  refused(map("\"" + std::string(1025, 'n') + "\":\"a.safetensors\""), "too long");
  refused(map("\"a\\u0000\":\"a.safetensors\""), "NUL");
  refused("{\"x\":" + std::string(1000, '['), "nested too deep");
  std::string many;
  for (int i = 0; i <= 1000; ++i) many += (i ? ",\"" : "\"") + std::to_string(i) + "\":\"" + std::to_string(i) + ".safetensors\"";
  refused(map(many), "more than 1000 files");
  refused(std::string(longest_index + 1, ' '), "expected at most");

  CHECK(parse_shard_index(map(R"("weight_map":"a.safetensors")")));
  CHECK(parse_shard_index(R"( {"x":[{"a":[1,2]},null],"weight_map":{"a":"b c.safetensors"},"y":{"z":{"a":1,"a":1}}} )"));
}

}  // namespace
}  // namespace lookback
