#include "core/lens/heads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/model/attention.hpp"
#include "core/numerics/functions.hpp"
#include "core/numerics/vector.hpp"

namespace lookback {
namespace {

constexpr std::size_t width = PackedMatrix::panel_width;

// Copies the head's columns of rows [n, d_model] to [n, d_head].
std::vector<float> head_columns(const Trace& trace, const std::vector<float>& rows, std::size_t head) {
  const std::size_t n = trace.n_tokens(), d_head = trace.config.d_head();
  std::vector<float> out(n * d_head);
  for (std::size_t t = 0; t < n; ++t)
    std::copy_n(&rows[t * trace.config.d_model + head * d_head], d_head, &out[t * d_head]);
  return out;
}

SumArithmetic added_up(SumArithmetic sum) {
  for (std::size_t i = 0; i < sum.left.size(); ++i) {
    sum.products.push_back(sum.left[i] * sum.right[i]);
    sum.sum += sum.products[i];
  }
  return sum;
}

}  // namespace

std::optional<std::size_t> first_not_finite(const Trace& trace) {
  for (std::size_t layer = 0; layer < trace.blocks.size(); ++layer) {
    for (const std::vector<float>* rows : {&trace.blocks[layer].resid_mid, &trace.residual(layer + 1)})
      for (const float value : *rows)
        if (!std::isfinite(value)) return layer;
  }
  return std::nullopt;
}

Result<> check_head(const Trace& trace, HeadIndex at) {
  const Config& c = trace.config;
  if (at.layer < c.n_layers && at.head < c.n_heads) return Nothing{};
  return fail(ErrorCode::bad_argument, "There is no layer " + std::to_string(at.layer) + " head " +
                                           std::to_string(at.head) + "; layers 0 to " + std::to_string(c.n_layers - 1) +
                                           " and heads 0 to " + std::to_string(c.n_heads - 1) + " were expected.");
}

Result<> check_position(const Trace& trace, std::size_t position) {
  if (position < trace.n_tokens()) return Nothing{};
  return fail(ErrorCode::bad_argument, "There is no position " + std::to_string(position) + "; the text has " +
                                           std::to_string(trace.n_tokens()) + " tokens, counted from 0.");
}

std::vector<float> scores_raw(const Trace& trace, HeadIndex at) {
  const std::size_t n = trace.n_tokens(), stride = PackedMatrix::n_panels(n) * width;
  std::vector<float> padded(n * stride), out(n * n);
  scores_raw_rows(trace, at.layer, at.head, 0, n, n, padded.data(), stride);
  for (std::size_t row = 0; row < n; ++row) std::copy_n(&padded[row * stride], n, &out[row * n]);
  return out;
}

std::vector<float> scores_scaled(const Trace& trace, HeadIndex at) {
  std::vector<float> grid = scores_raw(trace, at);
  scale_scores(grid, trace.config.d_head());
  return grid;
}

std::vector<float> scores_masked(const Trace& trace, HeadIndex at) {
  std::vector<float> grid = scores_scaled(trace, at);
  const std::size_t n = trace.n_tokens();
  for (std::size_t row = 0; row < n; ++row)
    std::fill(&grid[row * n] + row + 1, &grid[row * n] + n, -std::numeric_limits<float>::infinity());
  return grid;
}

std::vector<float> pattern(const Trace& trace, HeadIndex at) {
  std::vector<float> grid = scores_raw(trace, at);
  const std::size_t n = trace.n_tokens();
  for (std::size_t row = 0; row < n; ++row) {
    shares_of_row(trace, at.layer, at.head, row, {&grid[row * n], row + 1});
    std::fill(&grid[row * n] + row + 1, &grid[row * n] + n, 0.0f);
  }
  return grid;
}

std::vector<float> pattern_row(const Trace& trace, HeadIndex at, std::size_t row) {
  std::vector<float> shares(PackedMatrix::n_panels(row + 1) * width);
  scores_raw_rows(trace, at.layer, at.head, row, row + 1, row + 1, shares.data(), shares.size());
  shares.resize(row + 1);
  shares_of_row(trace, at.layer, at.head, row, std::span<float>(shares));
  return shares;
}

std::vector<float> queries(const Trace& trace, HeadIndex at) {
  return head_columns(trace, trace.blocks[at.layer].q, at.head);
}

std::vector<float> keys(const Trace& trace, HeadIndex at) {
  const std::size_t n = trace.n_tokens(), d_head = trace.config.d_head();
  std::vector<float> out(n * d_head);
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t i = 0; i < d_head; ++i) out[t * d_head + i] = trace.blocks[at.layer].k[trace.key_index(t, at.head, i)];
  return out;
}

std::vector<float> values(const Trace& trace, HeadIndex at) {
  return head_columns(trace, trace.blocks[at.layer].v, at.head);
}

std::vector<float> blends(const Trace& trace, HeadIndex at) {
  const std::size_t n = trace.n_tokens(), d_head = trace.config.d_head();
  std::vector<float> z(n * d_head);
  for (std::size_t row = 0; row < n; ++row)
    blend_values(trace, at.layer, at.head, pattern_row(trace, at, row), {&z[row * d_head], d_head});
  return z;
}

std::vector<float> head_output(const Weights& weights, const Trace& trace, HeadIndex at) {
  const std::size_t n = trace.n_tokens(), d_head = trace.config.d_head(), d_model = trace.config.d_model;
  const PackedMatrix& w_o = weights.blocks[at.layer].c_proj.weight;
  const std::vector<float> z = blends(trace, at);
  std::vector<float> out(n * d_model);
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t column = 0; column < d_model; ++column) {
      float sum = 0;
      for (std::size_t i = 0; i < d_head; ++i) sum += z[t * d_head + i] * w_o.at(at.head * d_head + i, column);
      out[t * d_model + column] = sum;
    }
  return out;
}

CellArithmetic cell_arithmetic(const Trace& trace, HeadIndex at, std::size_t query, std::size_t key) {
  const std::size_t d_head = trace.config.d_head(), n = trace.n_tokens();
  CellArithmetic cell;
  const float* q = &trace.blocks[at.layer].q[query * trace.config.d_model + at.head * d_head];
  cell.query.assign(q, q + d_head);
  cell.key.resize(d_head);
  cell.products.resize(d_head);
  for (std::size_t i = 0; i < d_head; ++i) {
    cell.key[i] = trace.blocks[at.layer].k[trace.key_index(key, at.head, i)];
    cell.products[i] = cell.query[i] * cell.key[i];
  }

  std::vector<float> row(PackedMatrix::n_panels(n) * width);
  scores_raw_rows(trace, at.layer, at.head, query, query + 1, n, row.data(), row.size());
  cell.raw = row[key];
  cell.root = std::sqrt(static_cast<float>(d_head));
  scale_scores(row, d_head);
  cell.scaled = row[key];
  cell.masked = key > query;

  const SoftmaxSteps steps = softmax({row.data(), query + 1});
  cell.maximum = steps.maximum;
  cell.sum = steps.sum;
  if (!cell.masked) {
    cell.exponential = exp(cell.scaled - cell.maximum);
    cell.share = row[key];
  }
  return cell;
}

SumArithmetic blend_arithmetic(const Trace& trace, HeadIndex at, std::size_t row, std::size_t i) {
  const std::size_t d_model = trace.config.d_model, d_head = trace.config.d_head();
  SumArithmetic sum{pattern_row(trace, at, row), {}, {}, 0};
  const std::vector<float>& v = trace.blocks[at.layer].v;
  for (std::size_t j = 0; j <= row; ++j) sum.right.push_back(v[j * d_model + at.head * d_head + i]);
  return added_up(std::move(sum));
}

SumArithmetic write_arithmetic(const Weights& weights, const Trace& trace, HeadIndex at, std::size_t row,
                               std::size_t column) {
  const std::size_t d_head = trace.config.d_head();
  const PackedMatrix& w_o = weights.blocks[at.layer].c_proj.weight;
  SumArithmetic sum{std::vector<float>(d_head), std::vector<float>(d_head), {}, 0};
  blend_values(trace, at.layer, at.head, pattern_row(trace, at, row), sum.left);
  for (std::size_t i = 0; i < d_head; ++i) sum.right[i] = w_o.at(at.head * d_head + i, column);
  return added_up(std::move(sum));
}

std::vector<float> mean_pattern_row(const Trace& trace, std::size_t row) {
  const Config& c = trace.config;
  std::vector<float> mean(row + 1, 0.0f);
  for (std::size_t layer = 0; layer < c.n_layers; ++layer)
    for (std::size_t head = 0; head < c.n_heads; ++head) {
      const std::vector<float> shares = pattern_row(trace, {layer, head}, row);
      for (std::size_t j = 0; j <= row; ++j) mean[j] += shares[j];
    }
  for (float& share : mean) share /= static_cast<float>(c.n_layers * c.n_heads);
  return mean;
}

FoundHead hardest_looking_head(const Trace& trace, std::size_t layer, std::size_t from, std::size_t to) {
  FoundHead best{{layer, 0}, 0.0f};
  for (std::size_t head = 0; head < trace.config.n_heads; ++head) {
    const float share = pattern_row(trace, {layer, head}, from)[to];
    if (share > best.share) best = {{layer, head}, share};
  }
  return best;
}

FoundHead hardest_looking_head(const Trace& trace, std::size_t from, std::size_t to) {
  FoundHead best{{0, 0}, 0.0f};
  for (std::size_t layer = 0; layer < trace.config.n_layers; ++layer) {
    const FoundHead found = hardest_looking_head(trace, layer, from, to);
    if (found.share > best.share) best = found;
  }
  return best;
}

}  // namespace lookback
