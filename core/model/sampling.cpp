#include "core/model/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/model/likelier.hpp"
#include "core/numerics/softmax.hpp"

namespace lookback {

Result<> check_sampling(const Sampling& sampling) {
  if (!std::isfinite(sampling.temperature) || sampling.temperature < 0)
    return fail(ErrorCode::bad_argument, "The temperature must be a number from 0 upwards.");
  if (!(sampling.top_p > 0 && sampling.top_p <= 1))
    return fail(ErrorCode::bad_argument, "top-p must lie above 0 and at most at 1.");
  return Nothing{};
}

namespace {

// Chances that sum to `total`, of the tokens that may be drawn: the first of `order`, likeliest first.
struct Lots {
  std::vector<float> chances;
  float total = 0;
};

Lots lots(std::span<const float> logits, std::span<const int> order, const Sampling& sampling) {
  if (sampling.temperature == 0) return {{1.0f}, 1.0f};
  const bool cut = sampling.top_k > 0 && sampling.top_k < order.size();
  Lots lots{std::vector<float>(cut ? sampling.top_k : order.size()), 0};
  std::vector<float>& chances = lots.chances;
  // The largest score is taken off before the division, so that a tiny temperature overflows to -inf, never to NaN.
  for (std::size_t i = 0; i < chances.size(); ++i) chances[i] = (logits[order[i]] - logits[order[0]]) / sampling.temperature;
  softmax(chances);
  if (sampling.top_p < 1) {
    std::size_t kept = 0;
    for (float reached = 0; kept < chances.size() && reached < sampling.top_p; ++kept) reached += chances[kept];
    chances.resize(kept);
  }
  for (const float chance : chances) lots.total += chance;
  return lots;
}

// The place of the lot that is drawn.
std::size_t draw_lot(const Lots& lots, std::mt19937_64& random) {
  // 24 random bits: exactly a float in [0, 1).
  const float drawn = static_cast<float>(random() >> 40) * 0x1p-24f * lots.total;
  float passed = 0;
  for (std::size_t i = 0; i < lots.chances.size(); ++i) {
    passed += lots.chances[i];
    if (drawn < passed) return i;
  }
  return lots.chances.size() - 1;
}

}  // namespace

Draw draw(std::span<const float> logits, const Sampling& sampling, std::mt19937_64& random, std::size_t n_likeliest) {
  std::vector<int> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  const bool greedy = sampling.temperature == 0;
  const std::size_t sorted = greedy ? std::min(std::max<std::size_t>(n_likeliest, 1), order.size()) : order.size();
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(sorted), order.end(), Likelier{logits});

  const Lots all = lots(logits, order, sampling);
  const auto choice = [&](std::size_t place) {
    return Choice{order[place], place < all.chances.size() ? all.chances[place] / all.total : 0.0f};
  };
  Draw result{choice(greedy ? 0 : draw_lot(all, random)), {}};
  for (std::size_t i = 0; i < std::min(n_likeliest, order.size()); ++i) result.likeliest.push_back(choice(i));
  return result;
}

int sample(std::span<const float> logits, const Sampling& sampling, std::mt19937_64& random) {
  return draw(logits, sampling, random, 0).drawn.id;
}

}  // namespace lookback
