// What one reads off a trace about attention heads. Grids are [n, n] row-major: row = the token that looks, column = the
// token it looks at. All functions use the forward pass's own code (core/model/attention.hpp).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/model/trace.hpp"
#include "core/model/weights.hpp"
#include "core/result.hpp"

namespace lookback {

struct HeadIndex {
  std::size_t layer = 0;
  std::size_t head = 0;
};

// The first layer whose numbers are not all finite (their residual stream holds NaN or infinity), or nothing. What a
// lens shows from there on means nothing.
std::optional<std::size_t> first_not_finite(const Trace& trace);

// Whether the trace has this layer, head and these positions; the error says which are there.
Result<> check_head(const Trace& trace, HeadIndex at);
Result<> check_position(const Trace& trace, std::size_t position);

// The stages of one head for every pair of tokens, later ones included where the head works them out. [n, n] each.
std::vector<float> scores_raw(const Trace& trace, HeadIndex at);     // attn.hook_scores_raw: q · k
std::vector<float> scores_scaled(const Trace& trace, HeadIndex at);  // divided by sqrt(d_head), before the mask
std::vector<float> scores_masked(const Trace& trace, HeadIndex at);  // attn.hook_attn_scores: -inf where masked
std::vector<float> pattern(const Trace& trace, HeadIndex at);        // attn.hook_pattern: shares, 0 where masked

// One row of the pattern, [row + 1] shares.
std::vector<float> pattern_row(const Trace& trace, HeadIndex at, std::size_t row);

// q, k, v of one head as rows [n, d_head]: attn.hook_q | hook_k | hook_v.
std::vector<float> queries(const Trace& trace, HeadIndex at);
std::vector<float> keys(const Trace& trace, HeadIndex at);
std::vector<float> values(const Trace& trace, HeadIndex at);

// attn.hook_z of one head: the blend of values, [n, d_head].
std::vector<float> blends(const Trace& trace, HeadIndex at);

// What one head adds to the residual stream: its blend through its rows of W_O, [n, d_model]. The heads' outputs and
// the bias together are the layer's attention output.
std::vector<float> head_output(const Weights& weights, const Trace& trace, HeadIndex at);

// The arithmetic behind one cell (query position, key position) of a head, as the head does it; an edit that replaces
// the row of shares does not show here.
struct CellArithmetic {
  std::vector<float> query;     // [d_head]
  std::vector<float> key;       // [d_head]
  std::vector<float> products;  // [d_head] query[i] * key[i]
  float raw = 0;                // sum of the products in increasing i
  float root = 0;               // sqrt(d_head)
  float scaled = 0;             // raw / root
  bool masked = false;          // the key stands after the query: what follows is 0
  float maximum = 0;            // largest scaled score of the row's visible part
  float exponential = 0;        // e^(scaled - maximum)
  float sum = 0;                // sum of the row's exponentials
  float share = 0;              // exponential / sum
};
CellArithmetic cell_arithmetic(const Trace& trace, HeadIndex at, std::size_t query, std::size_t key);

// A sum of products, as the head adds it up: in increasing order.
struct SumArithmetic {
  std::vector<float> left, right;
  std::vector<float> products;  // left[i] * right[i]
  float sum = 0;
};
// Behind number i of a token's blend: shares [row + 1] times that number of each value in sight; an edit that silences
// the head does not show here.
SumArithmetic blend_arithmetic(const Trace& trace, HeadIndex at, std::size_t row, std::size_t i);
// Behind a number that the head writes to a token's row: the blend [d_head] times a column of the head's rows of W_O.
SumArithmetic write_arithmetic(const Weights& weights, const Trace& trace, HeadIndex at, std::size_t row,
                               std::size_t column);

// Mean of the pattern's row over all heads of all layers, [row + 1].
std::vector<float> mean_pattern_row(const Trace& trace, std::size_t row);

// The head that gives `to` the largest share of `from`'s look; of equals the first. Needs to <= from. Shares that are
// NaN do not count.
struct FoundHead {
  HeadIndex at;
  float share = 0;
};
FoundHead hardest_looking_head(const Trace& trace, std::size_t from, std::size_t to);
FoundHead hardest_looking_head(const Trace& trace, std::size_t layer, std::size_t from, std::size_t to);

}  // namespace lookback
