#include "core/lessons/worlds.hpp"

#include <algorithm>

namespace lookback::lessons {

namespace {

constexpr std::string_view queries[] = {
    "a place with a sky",    "where coins are kept", "an exhausted pet", "a signed pact",
    "who governs the realm", "how to unlock a jar",  "a tasty lunch",    "far too much rain",
};

constexpr SinkQuery queries_for_the_sink[] = {
    {"a letter from the bank", false}, {"a village by the sea", false}, {"a bowl of hot soup", false},
    {"the person who acted", true},    {"a tool for a lock", true},     {"bad weather", true},
};

constexpr std::array<std::string_view, 2> pairs[] = {
    {"river", "bank"}, {"money", "bank"}, {"dog", "sleep"}, {"sky", "planet"}, {"sky", "river"}, {"queen", "letter"},
};

}  // namespace

std::vector<Page> default_pages() {
  return {
      {"A planet", "Orim circles a red star. It has two moons, thin air and a violet sky."},
      {"A river in flood", "The Linnet rose for nine days. Only the ducks enjoyed it."},
      {"Savings and loans", "Put a little aside each week. The vault is behind the blue door."},
      {"The sleepy dog", "He walked for an hour. Now he snores on the good cushion."},
      {"Kings and queens", "Crowned at eleven, she ruled the country for sixty years."},
      {"A peace treaty", "Two kingdoms agree to share the water of one stream."},
      {"Opening a stuck lid", "Warm the metal, dry your hands, turn slowly."},
      {"Plum soup: a recipe", "Lentils, one onion, a plum. Do not ask about the plum."},
  };
}

SearchInput default_search() { return {{std::string(queries[0])}, default_pages()}; }

std::span<const std::string_view> search_queries() { return queries; }

DotInput default_dot() { return {{3, 1}, {2, 2}}; }

// Match scores between 0 and 1, unstretched: nearly flat shares, which is what the dial is there to change.
SoftmaxInput default_softmax() { return {{0.9f, 0.5f, 0.3f, 0.2f, 0.1f}, 1}; }

std::vector<SinkKey> default_sink_keys() {
  return {
      {"Ines", {"a daring woman"}},         {" waited", {"letting time pass"}}, {" until", {"grammar of time"}},
      {" the", {"just grammar"}},           {" storm", {"wild weather"}},       {" passed", {"the end of a while"}},
      {" and", {"just grammar"}},           {" took", {"an act of taking"}},    {" the", {"just grammar"}},
      {" key", {"a small tool for locks"}},
  };
}

SinkInput default_sink() { return {{std::string(queries_for_the_sink[0].query)}, default_sink_keys()}; }

std::span<const SinkQuery> sink_queries() { return queries_for_the_sink; }

std::vector<MeaningPoint> default_meanings() {
  return {
      {"river", {1, 8}},           {"riverside", {3, 8.2f}}, {"bank", {5, 8}},          {"bank counter", {7.1f, 7.9f}},
      {"money", {9, 8}},           {"sky", {1, 4}},          {"rain", {1.2f, 6.1f}},    {"planet", {4, 2.5f}},
      {"alien sky", {2.4f, 3.1f}}, {"dog", {6, 1}},          {"sleepy dog", {7, 2.4f}}, {"sleep", {8, 4}},
      {"queen", {5.2f, 5.6f}},     {"decree", {6.9f, 5.5f}}, {"letter", {8.8f, 5.6f}},
  };
}

BlendInput default_blend() { return {default_meanings(), {0, 2}, {1, 1}}; }

std::span<const std::array<std::string_view, 2>> blend_pairs() { return pairs; }

}  // namespace lookback::lessons
