#include "core/lessons/parameters.hpp"

namespace lookback::lessons {

std::span<const NamedSizes> known_models() {
  static constexpr NamedSizes table[] = {
      {"little", {4, 96, 2048, 128}},       {"small", {12, 768, 50257, 1024}}, {"medium", {24, 1024, 50257, 1024}},
      {"large", {36, 1280, 50257, 1024}}, {"xl", {48, 1600, 50257, 1024}},
  };
  return table;
}

Budget budget_of(const Sizes& sizes) {
  const auto [layers, width, tokens, places] = sizes;
  const std::uint64_t neurons = 4 * width;
  Budget budget{sizes,
                {{
                    {"tokens", {{"token table", tokens, width, 1}}},
                    {"positions", {{"position table", places, width, 1}}},
                    {"attention",
                     {{"queries", width, width, layers},
                      {"keys", width, width, layers},
                      {"values", width, width, layers},
                      {"output", width, width, layers},
                      {"their biases", 1, 4 * width, layers}}},
                    {"feed_forward",
                     {{"up", width, neurons, layers},
                      {"bias of up", 1, neurons, layers},
                      {"down", neurons, width, layers},
                      {"bias of down", 1, width, layers}}},
                    // Two norms a layer and one after the last, each with a stretch and a shift.
                    {"norms", {{"stretches", 1, width, 2 * layers + 1}, {"shifts", 1, width, 2 * layers + 1}}},
                }}};
  for (Part& part : budget.parts) {
    for (const Table& table : part.tables) part.weights += table.weights();
    budget.weights += part.weights;
  }
  for (Part& part : budget.parts)
    part.share = static_cast<float>(static_cast<double>(part.weights) / static_cast<double>(budget.weights));
  return budget;
}

}  // namespace lookback::lessons
