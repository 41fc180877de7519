#include "core/lessons/spread.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/lessons/limits.hpp"
#include "core/numerics/softmax.hpp"

namespace lookback::lessons {

namespace {

constexpr std::size_t lengths[] = {1, 4, 16, 64, 256};
static_assert(limits::spread_d == 256);

// Spreads nearby numbers over all 64 bits. Source: the finaliser of splitmix64 (Steele, Lea, Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// A random number with mean 0 and spread 1, close to a bell in shape: the sum of four even draws from 0 … 65535, whose
// spread is √(4 / 12) of their range.
float entry(std::uint64_t list, std::size_t place) {
  const std::uint64_t bits = mixed(list + place);
  const auto draw = [&](int i) { return static_cast<int>(bits >> (16 * i) & 0xFFFF); };
  const int sum = draw(0) + draw(1) + draw(2) + draw(3) - 2 * 0xFFFF;
  return static_cast<float>(sum) * (1.7320508f / 65536.0f);
}

// Where the numbers of a list begin: query or key `number` of a seed.
std::uint64_t list(std::uint64_t seed, std::uint64_t number) { return mixed(mixed(seed) + number); }

std::vector<float> dot_products(std::size_t d, std::uint64_t seed) {
  std::vector<float> scores;
  std::vector<float> query(d);
  std::uint64_t number = 0;
  for (std::size_t row = 0; row < spread_rows; ++row) {
    const std::uint64_t q = list(seed, number++);
    for (std::size_t i = 0; i < d; ++i) query[i] = entry(q, i);
    for (std::size_t key = 0; key < spread_keys; ++key) {
      const std::uint64_t k = list(seed, number++);
      float sum = 0;
      for (std::size_t i = 0; i < d; ++i) sum += query[i] * entry(k, i);
      scores.push_back(sum);
    }
  }
  return scores;
}

std::vector<float> shares_of(std::span<const float> scores) {
  std::vector<float> shares(scores.begin(), scores.end());
  softmax(shares);
  return shares;
}

std::vector<int> counts_of(const std::vector<float>& scores) {
  std::vector<int> counts(spread_bins, 0);
  for (const float s : scores) {
    const float bin = std::floor((s - spread_low) / spread_width);
    ++counts[static_cast<std::size_t>(std::clamp(bin, 0.0f, static_cast<float>(spread_bins - 1)))];
  }
  return counts;
}

SpreadScores described(std::vector<float> scores) {
  SpreadScores output;
  double sum = 0, squares = 0, tops = 0;
  for (const float s : scores) sum += static_cast<double>(s);
  const double n = static_cast<double>(scores.size()), mean = sum / n;
  for (const float s : scores) squares += (static_cast<double>(s) - mean) * (static_cast<double>(s) - mean);
  for (std::size_t row = 0; row < spread_rows; ++row) {
    const std::vector<float> shares = shares_of(std::span(scores).subspan(row * spread_keys, spread_keys));
    tops += static_cast<double>(*std::max_element(shares.begin(), shares.end()));
  }
  output.mean = static_cast<float>(mean);
  output.spread = static_cast<float>(std::sqrt(squares / n));
  output.top_share = static_cast<float>(tops / static_cast<double>(spread_rows));
  output.counts = counts_of(scores);
  output.scores = std::move(scores);
  return output;
}

std::vector<float> divided_by(std::vector<float> scores, float root) {
  for (float& s : scores) s /= root;
  return scores;
}

}  // namespace

Result<SpreadOutput> spread(const SpreadInput& input) {
  if (input.d < 1 || input.d > limits::spread_d) {
    return fail(ErrorCode::bad_argument, "Queries and keys must have 1 to 256 numbers.");
  }
  SpreadOutput output;
  output.root = std::sqrt(static_cast<float>(input.d));
  output.raw = described(dot_products(input.d, input.seed));
  output.divided = described(divided_by(output.raw.scores, output.root));
  output.shares = shares_of(std::span(output.raw.scores).first(spread_keys));
  output.divided_shares = shares_of(std::span(output.divided.scores).first(spread_keys));
  for (const std::size_t d : lengths) {
    const float root = std::sqrt(static_cast<float>(d));
    const SpreadScores raw = described(dot_products(d, input.seed)), divided = described(divided_by(raw.scores, root));
    output.lengths.push_back({d, root, raw.spread, raw.top_share, divided.spread, divided.top_share});
  }
  return output;
}

}  // namespace lookback::lessons
