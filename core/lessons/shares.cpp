#include "core/lessons/shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/lessons/elementary.hpp"

namespace lookback::lessons {

std::vector<int> apportion(std::span<const float> shares, int total) {
  std::vector<int> parts;
  std::vector<double> remainders;
  for (const float share : shares) {
    const double part = static_cast<double>(share) * total;
    parts.push_back(static_cast<int>(std::floor(part)));
    remainders.push_back(part - std::floor(part));
  }
  if (parts.empty()) return parts;

  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(remainders[b], a) < std::tie(remainders[a], b);
  });
  const int given = std::accumulate(parts.begin(), parts.end(), 0);
  for (int left = total - given, i = 0; left > 0; --left, ++i)
    ++parts[order[static_cast<std::size_t>(i) % order.size()]];
  return parts;
}

float entropy_bits(std::span<const float> shares) {
  double bits = 0;
  for (const float share : shares) {
    if (share > 0) bits -= static_cast<double>(share) * log2(share);
  }
  return static_cast<float>(std::max(bits, 0.0));
}

}  // namespace lookback::lessons
