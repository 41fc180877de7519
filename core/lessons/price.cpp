#include "core/lessons/price.hpp"

#include <algorithm>
#include <string>

#include "core/lessons/limits.hpp"

namespace lookback::lessons {

namespace {

constexpr std::size_t n_doublings = 5;
constexpr std::uint64_t float_bytes = 4;

bool within(std::uint64_t x, std::uint64_t least, std::uint64_t most) { return x >= least && x <= most; }

bool sizes_fit(std::uint64_t layers, std::uint64_t heads) {
  return within(layers, 1, limits::layers) && within(heads, 1, limits::heads);
}

CostRow row(std::uint64_t tokens, std::uint64_t heads_in_all) {
  const std::uint64_t looks = tokens * (tokens + 1) / 2;
  return {tokens, looks, looks * heads_in_all, std::nullopt};
}

float ratio(std::uint64_t a, std::uint64_t b) {
  return static_cast<float>(static_cast<double>(a) / static_cast<double>(b));
}

}  // namespace

Result<CostOutput> cost(const CostInput& input) {
  const auto& [tokens, added, layers, heads] = input;
  if (!sizes_fit(layers, heads) || !within(tokens, 1, limits::counted_tokens) || added > limits::counted_tokens) {
    return fail(ErrorCode::bad_argument,
                "Costs are counted for 1 to 200000 tokens, 1 to 1000 layers and 1 to 200 heads.");
  }
  CostOutput output;
  output.heads_in_all = layers * heads;
  output.before = row(tokens, output.heads_in_all);
  const std::uint64_t n = tokens + added;
  output.after = row(n, output.heads_in_all);
  output.after.times = ratio(output.after.looks, output.before.looks);
  output.across = added * tokens;
  output.among = added * (added + 1) / 2;
  // n (n + 1) is even and one of three neighbours is a multiple of 3, so both divisions are exact.
  output.anew = n * (n + 1) / 2 * (n + 2) / 3;
  for (std::size_t i = 0; i < n_doublings; ++i) {
    CostRow next = row(tokens << i, output.heads_in_all);
    if (i > 0) next.times = ratio(next.looks, output.doublings.back().looks);
    output.doublings.push_back(next);
  }
  return output;
}

Result<PriceOutput> price(const PriceInput& input) {
  const auto& [layers, heads, d_model, d_mlp, tokens, milliseconds] = input;
  if (!sizes_fit(layers, heads) || !within(d_model, 1, limits::width) || !within(d_mlp, 1, limits::width)) {
    return fail(ErrorCode::bad_argument,
                "A price is counted for 1 to 1000 layers, 1 to 200 heads and widths of 1 to 100000.");
  }
  const bool countable =
      std::all_of(tokens.begin(), tokens.end(), [](std::uint64_t n) { return within(n, 1, limits::counted_tokens); });
  if (!within(tokens.size(), 1, limits::lengths) || !countable) {
    return fail(ErrorCode::bad_argument, "A price is counted for 1 to 64 lengths of 1 to 200000 tokens.");
  }
  const bool timed = std::all_of(milliseconds.begin(), milliseconds.end(), [](float t) { return t > 0; });
  if (!milliseconds.empty() && (milliseconds.size() != tokens.size() || !timed)) {
    return fail(ErrorCode::bad_argument, "Times must be above 0 and as many as there are lengths.");
  }
  const std::uint64_t a_look = 2 * d_model * layers;
  const std::uint64_t a_token = layers * (4 * d_model * d_model + 2 * d_model * d_mlp);

  PriceOutput output;
  for (const std::uint64_t n : tokens) {
    PriceRow next{};
    next.looks = row(n, layers * heads);
    next.for_looks = next.looks.looks * a_look;
    next.for_tables = n * a_token;
    next.looks_part = ratio(next.for_looks, next.for_looks + next.for_tables);
    next.for_last_token = n * a_look + a_token;
    next.cache_bytes = 2 * layers * d_model * n * float_bytes;
    next.grid_bytes = layers * heads * n * n * float_bytes;
    output.rows.push_back(next);
  }
  if (milliseconds.empty()) return output;

  double work = 0, time = 0;  // in all
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    work += static_cast<double>(output.rows[i].for_looks + output.rows[i].for_tables);
    time += static_cast<double>(milliseconds[i]);
  }
  output.speed = static_cast<float>(work / time * 1000);
  for (PriceRow& r : output.rows) {
    r.expected_milliseconds = static_cast<float>(static_cast<double>(r.for_looks + r.for_tables) * (time / work));
  }
  return output;
}

}  // namespace lookback::lessons
