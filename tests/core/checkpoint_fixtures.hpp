// Checkpoints that tests make themselves: safetensors files from a list of tensors, random models of GPT-2's shape.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/numerics/float_formats.hpp"
#include "core/checkpoint/safetensors.hpp"
#include "core/checkpoint/wording.hpp"
#include "core/model/config.hpp"

namespace lookback::fixtures {

// A tensor as it shall stand in a file; `bytes` are its data as they are.
struct Tensor {
  std::string name;
  std::string dtype;
  std::vector<std::uint64_t> shape;
  std::string bytes;
};

inline std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// Without std::bit_cast, which Emscripten 3.1.6's library lacks.
inline float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

template <class T>
std::string bytes_of_values(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

inline Tensor f32_tensor(std::string name, std::vector<std::uint64_t> shape, const std::vector<float>& values) {
  return {std::move(name), "F32", std::move(shape), bytes_of_values(values)};
}

// Length, header, data: a file with any header text, right or wrong.
inline std::string file_of(std::string_view header, std::string_view data) {
  std::string file;
  for (int i = 0; i < 8; ++i) file += static_cast<char>(std::uint64_t{header.size()} >> (8 * i) & 0xff);
  return file.append(header).append(data);
}

// A valid file. The data begins at an address that is `misalignment` (0..7) beyond a multiple of 8. Names must need no
// escapes in JSON.
inline std::string safetensors_file(const std::vector<Tensor>& tensors, std::size_t misalignment = 1,
                                    std::string_view metadata = "{}") {
  std::string header = "{\"__metadata__\":" + std::string(metadata);
  std::string data;
  for (const Tensor& tensor : tensors) {
    header += ",\"" + tensor.name + "\":{\"dtype\":\"" + tensor.dtype + "\",\"shape\":" + shape_text(tensor.shape) +
              ",\"data_offsets\":[" + std::to_string(data.size()) + "," +
              std::to_string(data.size() + tensor.bytes.size()) + "]}";
    data += tensor.bytes;
  }
  header += "}";
  while (header.size() % 8 != misalignment) header += ' ';
  return file_of(header, data);
}

// Numbers in [-1, 1) by a generator that gives the same on every machine.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t whole(std::uint64_t below) { return engine_() % below; }
  float next() { return static_cast<float>(static_cast<std::int32_t>(engine_() >> 40) - (1 << 23)) * 0x1p-23f; }

 private:
  std::mt19937_64 engine_;
};

struct ModelOptions {
  std::string dtype = "F32";  // F16 and BF16: the numbers are multiples of 1/64 of the scale, exact when it is 2^-n
  std::string prefix;         // "" or "transformer."
  bool buffers = false;       // with attn.bias and attn.masked_bias
  float scale = 0.25f;        // numbers lie in ±scale; layer norms' weights around 1
};

inline std::string encode(const std::vector<float>& values, const std::string& dtype) {
  if (dtype == "F32") return bytes_of_values(values);
  std::vector<std::uint16_t> halves;
  for (const float value : values) {
    const auto bits = bits_of(value);
    const std::uint32_t exponent = bits >> 23 & 0xff;
    const std::uint32_t f16 = exponent == 0 ? 0 : (exponent - 127 + 15) << 10 | (bits >> 13 & 0x3ff);  // normal numbers
    halves.push_back(static_cast<std::uint16_t>(dtype == "BF16" ? bits >> 16 : (bits >> 16 & 0x8000) | f16));
  }
  return bytes_of_values(halves);
}

// All tensors of a model in the order of the hub's files; lm_head.weight last, unless config.tied_head.
inline std::vector<Tensor> random_model(const Config& config, std::uint64_t seed, const ModelOptions& options = {}) {
  Numbers numbers(seed);
  std::vector<Tensor> tensors;
  const auto add = [&](const std::string& name, std::vector<std::uint64_t> shape, float centre = 0) {
    std::uint64_t count = 1;
    for (const std::uint64_t size : shape) count *= size;
    std::vector<float> values(count);
    for (float& value : values) {
      const float x = numbers.next();
      value = centre + options.scale * (options.dtype == "F32" ? x : static_cast<float>(static_cast<int>(x * 64)) / 64);
    }
    const std::string prefix = name == "lm_head.weight" ? "" : options.prefix;
    tensors.push_back({prefix + name, options.dtype, std::move(shape), encode(values, options.dtype)});
  };
  const auto add_norm = [&](const std::string& name) {
    add(name + ".weight", {config.d_model}, 1);
    add(name + ".bias", {config.d_model});
  };
  const auto add_linear = [&](const std::string& name, std::uint64_t in, std::uint64_t out) {
    add(name + ".weight", {in, out});
    add(name + ".bias", {out});
  };
  add("wte.weight", {config.d_vocab, config.d_model});
  add("wpe.weight", {config.n_positions, config.d_model});
  for (std::size_t layer = 0; layer < config.n_layers; ++layer) {
    const std::string h = "h." + std::to_string(layer);
    add_norm(h + ".ln_1");
    if (options.buffers) {
      tensors.push_back({options.prefix + h + ".attn.bias",
                         "BOOL",
                         {1, 1, config.n_positions, config.n_positions},
                         std::string(config.n_positions * config.n_positions, '\1')});
      tensors.push_back({options.prefix + h + ".attn.masked_bias", "F32", {}, bytes_of_values<float>({-1e4f})});
    }
    add_linear(h + ".attn.c_attn", config.d_model, 3 * config.d_model);
    add_linear(h + ".attn.c_proj", config.d_model, config.d_model);
    add_norm(h + ".ln_2");
    add_linear(h + ".mlp.c_fc", config.d_model, config.d_mlp);
    add_linear(h + ".mlp.c_proj", config.d_mlp, config.d_model);
  }
  add_norm("ln_f");
  if (!config.tied_head) add("lm_head.weight", {config.d_vocab, config.d_model});
  return tensors;
}

// Odd on purpose: no size is a multiple of the panel width.
inline Config odd_config(bool tied_head = true) {
  Config config;
  config.n_layers = 2;
  config.n_heads = 3;
  config.d_model = 15;
  config.d_mlp = 37;
  config.n_positions = 7;
  config.d_vocab = 11;
  config.tied_head = tied_head;
  return config;
}

// A tensor of any valid file as floats: F32, F16, BF16, or I32 rounded to float.
struct Array {
  std::vector<std::uint64_t> shape;
  std::vector<float> values;
};

inline std::optional<Array> read_tensor(std::string_view file, std::string_view name) {
  const auto length = header_length(as_bytes(file), file.size());
  if (!length) return std::nullopt;
  const auto header = parse_header(file.substr(8, static_cast<std::size_t>(*length)), file.size());
  if (!header) return std::nullopt;
  for (const TensorEntry& entry : header->tensors) {
    if (entry.name != name) continue;
    Array array{entry.shape, {}};
    const std::size_t size = bytes_of(entry.dtype);
    const auto begin = static_cast<std::size_t>(header->data_start + entry.begin);
    const auto end = static_cast<std::size_t>(header->data_start + entry.end);
    for (std::size_t at = begin; at < end; at += size) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, file.data() + at, std::min<std::size_t>(size, 4));
      switch (entry.dtype) {
        case Dtype::f32: array.values.push_back(float_of(bits)); break;
        case Dtype::bf16: array.values.push_back(float_of(f32_bits_from_bf16(static_cast<std::uint16_t>(bits)))); break;
        case Dtype::f16: array.values.push_back(float_of(f32_bits_from_f16(static_cast<std::uint16_t>(bits)))); break;
        case Dtype::i32: array.values.push_back(static_cast<float>(static_cast<std::int32_t>(bits))); break;
        default: return std::nullopt;
      }
    }
    return array;
  }
  return std::nullopt;
}

// The bytes of a file of the reference data, which lies beside the project (or where LOOKBACK_REFERENCE_DATA says).
// Nothing where it is absent; the reason is printed.
inline std::optional<std::string> reference_file(const std::string& path) {
  const char* folder = std::getenv("LOOKBACK_REFERENCE_DATA");
  const std::string full = std::string(folder ? folder : "../shared/data") + "/" + path;
  std::ifstream stream(full, std::ios::binary);
  if (!stream) {
    std::printf("skipped: reference data not present (%s)\n", full.c_str());
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace lookback::fixtures
