// The tables of the lexicon. Words of one line share their weights.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/lessons/features.hpp"

namespace lookback::lessons {

struct Weight {
  Feature feature = Feature::place;
  std::int8_t tenths = 0;  // the weight times ten
};

struct Meaning {
  const char* words;  // lower case, separated by single spaces
  std::array<Weight, 4> weights;
};

// No word stands twice, here or across the tables (tests/core/lessons_lexicon.cpp).
std::span<const Meaning> words_of_nature();
std::span<const Meaning> words_of_people();
std::span<const Meaning> words_of_doing();

// Words that say how sentences hang together, and sizes, shapes, colours, amounts: no feature here stands for them.
std::string_view words_without_features();

}  // namespace lookback::lessons
