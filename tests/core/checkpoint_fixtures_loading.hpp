// What the tests of loading share: the weights a file should give, read from it element by element.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "core/checkpoint/loader.hpp"
#include "core/checkpoint/tensor_table.hpp"
#include "tests/core/checkpoint_fixtures.hpp"

namespace lookback {

inline Header header_of(std::string_view file) {
  const auto length = header_length(fixtures::as_bytes(file), file.size());
  if (!length) FAIL(length.error().sentence);
  const auto header = parse_header(file.substr(8, static_cast<std::size_t>(*length)), file.size());
  if (!header) FAIL(header.error().sentence);
  return *header;
}

// The memory of all weights in bytes.
inline std::uint64_t bytes_held(const Weights& w) {
  const auto bytes = [](const auto& values) { return std::uint64_t{values.size()} * sizeof values[0]; };
  const auto matrix = [&](const PackedMatrix& m) { return bytes(m.data) + bytes(m.halves) + bytes(m.levels) + bytes(m.scales); };
  std::uint64_t all = matrix(w.wte) + bytes(w.wpe) + bytes(w.ln_f.weight) + bytes(w.ln_f.bias) + matrix(w.lm_head);
  for (const BlockWeights& b : w.blocks) {
    for (const LayerNormWeights* norm : {&b.ln_1, &b.ln_2}) all += bytes(norm->weight) + bytes(norm->bias);
    for (const LinearWeights* linear : {&b.c_attn, &b.c_proj, &b.mlp_fc, &b.mlp_proj}) {
      all += matrix(linear->weight) + bytes(linear->bias);
    }
  }
  return all;
}

// Every element of every tensor stands where core/model/weights.hpp says, and the panels' padding is zero.
inline void check_weights(const Weights& weights, std::string_view file, const std::string& prefix) {
  const Config& config = weights.config;
  std::size_t mismatches = 0;
  const auto read = [&](const std::string& name) {
    auto array = fixtures::read_tensor(file, (name == "lm_head.weight" ? "" : prefix) + name);
    if (!array) FAIL("the file does not hold " << name);
    return std::move(*array);
  };
  const auto check_vector = [&](const std::string& name, const std::vector<float>& got) {
    const auto expected = read(name);
    REQUIRE(got.size() == expected.values.size());
    for (std::size_t i = 0; i < got.size(); ++i)
      mismatches += fixtures::bits_of(got[i]) != fixtures::bits_of(expected.values[i]);
  };
  const auto check_matrix = [&](const std::string& name, const PackedMatrix& got, bool transposed) {
    const auto expected = read(name);
    const auto rows = static_cast<std::size_t>(expected.shape[0]),
               columns = static_cast<std::size_t>(expected.shape[1]);
    REQUIRE(got.k_rows == (transposed ? columns : rows));
    REQUIRE(got.n_columns == (transposed ? rows : columns));
    REQUIRE(got.data.size() == PackedMatrix::n_panels(got.n_columns) * got.k_rows * PackedMatrix::panel_width);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        const float value = transposed ? got.at(c, r) : got.at(r, c);
        mismatches += fixtures::bits_of(value) != fixtures::bits_of(expected.values[r * columns + c]);
      }
    }
    for (std::size_t n = got.n_columns; n < PackedMatrix::n_panels(got.n_columns) * PackedMatrix::panel_width; ++n) {
      for (std::size_t k = 0; k < got.k_rows; ++k) mismatches += fixtures::bits_of(got.at(k, n)) != 0;
    }
  };
  const auto check_norm = [&](const std::string& name, const LayerNormWeights& got) {
    check_vector(name + ".weight", got.weight);
    check_vector(name + ".bias", got.bias);
  };
  const auto check_linear = [&](const std::string& name, const LinearWeights& got) {
    check_matrix(name + ".weight", got.weight, false);
    check_vector(name + ".bias", got.bias);
  };
  check_matrix("wte.weight", weights.wte, true);
  check_vector("wpe.weight", weights.wpe);
  REQUIRE(weights.blocks.size() == config.n_layers);
  for (std::size_t layer = 0; layer < config.n_layers; ++layer) {
    const BlockWeights& block = weights.blocks[layer];
    const std::string h = "h." + std::to_string(layer);
    check_norm(h + ".ln_1", block.ln_1);
    check_linear(h + ".attn.c_attn", block.c_attn);
    check_linear(h + ".attn.c_proj", block.c_proj);
    check_norm(h + ".ln_2", block.ln_2);
    check_linear(h + ".mlp.c_fc", block.mlp_fc);
    check_linear(h + ".mlp.c_proj", block.mlp_proj);
  }
  check_norm("ln_f", weights.ln_f);
  if (!config.tied_head) check_matrix("lm_head.weight", weights.lm_head, true);
  CHECK(mismatches == 0);
}

}  // namespace lookback
