// The lexicon: everyday words and their weights on the named features. All of it is invented for teaching.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lessons/features.hpp"

namespace lookback::lessons {

enum class WordStatus {
  known,    // has weights
  ignored,  // grammar, size, colour: no feature stands for it
  unknown,  // not in the lexicon
};

// A reader's change to the lexicon: this word's weight on this feature.
struct WordEdit {
  std::string word;  // lower case
  Feature feature;
  float weight;
};

struct WordMeaning {
  WordStatus status = WordStatus::unknown;
  std::string entry;                              // the entry it was found under, e.g. "planet" for "planets"
  FeatureVector weights = FeatureVector::Zero();  // [n_features]; zero unless known
};

// Looks up a word in lower case, then without its possessive or plural ending (planets, cherries, dog's). An edited
// word is known.
WordMeaning look_up(std::string_view word, std::span<const WordEdit> edits);

struct LexiconWord {
  std::string text;
  FeatureVector weights;  // [n_features]
};

struct Lexicon {
  std::vector<LexiconWord> words;    // alphabetical
  std::vector<std::string> ignored;  // in the table's order
};

Lexicon lexicon(std::span<const WordEdit> edits);

}  // namespace lookback::lessons
