// What looking back costs, counted: looks in a head, multiplications of a pass, bytes of what is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/result.hpp"

namespace lookback::lessons {

struct CostInput {
  std::uint64_t tokens = 1;  // of the text, 1 to limits::counted_tokens
  std::uint64_t added = 0;   // behind it, 0 to limits::counted_tokens
  std::uint64_t layers = 1;  // 1 to limits::layers
  std::uint64_t heads = 1;   // in a layer, 1 to limits::heads
};

// One length of text.
struct CostRow {
  std::uint64_t tokens;
  std::uint64_t looks;         // in one head, tokens (tokens + 1) / 2
  std::uint64_t looks_in_all;  // in all heads
  std::optional<float> times;  // looks / those of the row before
};

struct CostOutput {
  std::uint64_t heads_in_all;  // layers * heads
  CostRow before;              // the text alone
  CostRow after;               // with what was added; `times` against the text alone
  // What the added tokens look at, in one head. The three parts add up: after = before + across + among.
  std::uint64_t across;  // the text: added * tokens
  std::uint64_t among;   // themselves and each other: added (added + 1) / 2
  // Looks in one head when `after` is written token by token and every text on the way is worked out anew:
  // the sum of m (m + 1) / 2 for m = 1 … n, which is n (n + 1) (n + 2) / 6.
  std::uint64_t anew;
  std::vector<CostRow> doublings;  // [5], from the text alone, each twice as long as the one before
};

// Fails on a number outside the limits.
Result<CostOutput> cost(const CostInput& input);

struct PriceInput {
  std::uint64_t layers = 1;           // 1 to limits::layers
  std::uint64_t heads = 1;            // in a layer, 1 to limits::heads
  std::uint64_t d_model = 1;          // 1 to limits::width
  std::uint64_t d_mlp = 1;            // 1 to limits::width
  std::vector<std::uint64_t> tokens;  // [n], 1 to limits::lengths lengths of text
  std::vector<float> milliseconds;    // [n] of a pass over each, above 0; or empty
};

struct PriceRow {
  CostRow looks;
  // Multiplications of a pass over the text. A look takes d_head products for its score and as many for its part of the
  // blend, so all heads of a layer together take 2 d_model.
  std::uint64_t for_looks;
  // In the tables of the layers: 4 d_model² for queries, keys, values and W_O, 2 d_model d_mlp for the feed-forward
  // step.
  std::uint64_t for_tables;
  float looks_part;                            // for_looks / both
  std::uint64_t for_last_token;                // of the last token alone, when the keys and values before it were kept
  std::uint64_t cache_bytes;                   // keys and values of all layers, four bytes a number
  std::uint64_t grid_bytes;                    // every head's whole grid of shares, if one kept them
  std::optional<float> expected_milliseconds;  // both / speed
};

struct PriceOutput {
  std::vector<PriceRow> rows;  // [n]
  // Multiplications a second, all passes together; none without milliseconds.
  std::optional<float> speed;
};

// Sizes of a layer: Radford et al. 2019, section 2.3. Fails on a number outside the limits.
Result<PriceOutput> price(const PriceInput& input);

}  // namespace lookback::lessons
