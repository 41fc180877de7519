#include "core/lens/logit_lens.hpp"

#include <algorithm>
#include <numeric>

#include "core/model/likelier.hpp"
#include "core/numerics/softmax.hpp"

namespace lookback {

std::vector<float> logit_lens(const Weights& weights, const Trace& trace, std::size_t layers_done,
                              std::size_t position, Pool& pool) {
  const std::size_t d = trace.config.d_model;
  return logits(weights, {&trace.residual(layers_done)[position * d], d}, pool);
}

std::vector<Guess> top_k(std::span<const float> scores, std::size_t k) {
  std::vector<float> probabilities(scores.begin(), scores.end());
  softmax(probabilities);
  std::vector<int> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  k = std::min(k, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), order.end(), Likelier{scores});
  std::vector<Guess> guesses(k);
  for (std::size_t i = 0; i < k; ++i) guesses[i] = {order[i], scores[order[i]], probabilities[order[i]]};
  return guesses;
}

Standing standing_of(std::span<const float> scores, int id) {
  std::vector<float> probabilities(scores.begin(), scores.end());
  softmax(probabilities);
  Standing standing{probabilities[id], 0};
  for (int other = 0; other < static_cast<int>(scores.size()); ++other)
    standing.rank += scores[other] > scores[id] || (other < id && scores[other] == scores[id]);
  return standing;
}

std::vector<Standing> standing_by_layers(const Weights& weights, const Trace& trace, std::size_t position, int id,
                                         Pool& pool) {
  std::vector<Standing> standings;
  for (std::size_t done = 0; done <= trace.config.n_layers; ++done)
    standings.push_back(standing_of(logit_lens(weights, trace, done, position, pool), id));
  return standings;
}

}  // namespace lookback
