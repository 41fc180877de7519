// The named features of the toy worlds: what a phrase is about, as a handful of numbers that a reader can name.
//
// A real model's vectors have hundreds of numbers without names; these few are invented so that each product in a
// dot product can be read aloud.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lookback::lessons {

enum class Feature : std::uint8_t {
  place,
  sky,
  water,
  money,
  person,
  power,
  creature,
  feeling,
  writing,
  name,
  time,
  action,
  thing,
  food,
  grammar,
};

struct FeatureMeaning {
  std::string_view name;
  std::string_view meaning;
};

inline constexpr std::array<FeatureMeaning, 15> feature_meanings = {{
    {"place", "somewhere one can be"},
    {"sky", "what is overhead: air, weather, stars"},
    {"water", "rivers, rain, the sea, and what lives off them"},
    {"money", "coins, prices, savings"},
    {"person", "a human being"},
    {"power", "ruling, law, states"},
    {"creature", "something alive"},
    {"feeling", "moods and senses, sleep and tiredness"},
    {"writing", "texts, signs, documents"},
    {"name", "what something is called"},
    {"time", "when, and for how long"},
    {"action", "doing, moving, changing"},
    {"thing", "an object or a tool"},
    {"food", "what one eats"},
    {"grammar", "small words and marks that hold a sentence together"},
}};

inline constexpr std::size_t n_features = feature_meanings.size();
static_assert(n_features == static_cast<std::size_t>(Feature::grammar) + 1);

// [n_features]. Eigen does the element by element work only; sums go through sum() below, because Eigen adds in an
// order that depends on the machine, and these numbers must be the same everywhere.
using FeatureVector = Eigen::Array<float, static_cast<int>(n_features), 1>;

inline float& at(FeatureVector& v, Feature f) { return v[static_cast<Eigen::Index>(f)]; }
inline float at(const FeatureVector& v, Feature f) { return v[static_cast<Eigen::Index>(f)]; }

// Adds up in the order of the features.
inline float sum(const FeatureVector& v) {
  float total = 0;
  for (const float x : v) total += x;
  return total;
}

inline std::optional<Feature> feature_named(std::string_view name) {
  for (std::size_t i = 0; i < n_features; ++i) {
    if (feature_meanings[i].name == name) return static_cast<Feature>(i);
  }
  return std::nullopt;
}

}  // namespace lookback::lessons
