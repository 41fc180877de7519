// How the weights of a model of GPT-2's kind are spread over its parts.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lookback::lessons {

// What decides the number of weights. The number of heads does not: they divide the width among themselves. The
// feed-forward step has four times the width, and the read-out is the token table once more (Radford et al. 2019).
struct Sizes {
  std::uint64_t layers, width, tokens, places;
};

struct NamedSizes {
  std::string_view name;
  Sizes sizes;
};

// The little model, and GPT-2 small, medium, large, xl: Radford et al. 2019, table 2, and the published files.
std::span<const NamedSizes> known_models();

// One learned table or vector, and how often the model has one of its shape. A vector has one row.
struct Table {
  std::string_view what;
  std::uint64_t rows, columns, copies;
  std::uint64_t weights() const { return rows * columns * copies; }
};

struct Part {
  std::string_view name;
  std::vector<Table> tables;
  std::uint64_t weights = 0;  // of all its tables
  float share = 0;            // of all weights
};

struct Budget {
  Sizes sizes;
  std::array<Part, 5> parts;  // tokens, positions, attention, feed_forward, norms
  std::uint64_t weights = 0;
};

// Needs sizes of 1 or more whose weights fit 64 bits.
Budget budget_of(const Sizes& sizes);

}  // namespace lookback::lessons
