// The vector behind a phrase: the weights of its words added up, then divided by the length of the sum.
//
// Adding word vectors to stand for a phrase: Mitchell & Lapata 2008, "Vector-based Models of Semantic Composition".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lessons/features.hpp"
#include "core/lessons/lexicon.hpp"

namespace lookback::lessons {

struct PhraseInput {
  std::string phrase;
  std::optional<FeatureVector> weights = {};  // [n_features], taken in place of the words' sum
};

struct PhraseWord {
  std::string text;  // as written
  WordMeaning meaning;
};

struct Phrase {
  std::string phrase;
  std::vector<PhraseWord> words;
  FeatureVector sum = FeatureVector::Zero();     // [n_features]
  bool edited = false;                           // whether sum was given
  float length = 0;                              // √(sum · sum)
  FeatureVector vector = FeatureVector::Zero();  // [n_features], sum / length; zero when length is 0
};

Phrase phrase(const PhraseInput& input, std::span<const WordEdit> edits);

// A key held against a query.
struct Match {
  Phrase key;
  FeatureVector products = FeatureVector::Zero();  // [n_features], query.vector[i] * key.vector[i]
  float score = 0;                                 // the products added up: 0 (nothing shared) to 1 (same direction)
  std::vector<std::string> shared_words;           // known words in both phrases, as the lexicon enters them
};

// The dot product of two vectors of length 1 is the cosine of their angle; no weight is negative, so neither is it.
// A last digit above 1 from rounding is cut to 1.
Match match(const Phrase& query, Phrase key);

// The unknown words of several phrases, each once, lower case, in order.
void collect_unknown(const Phrase& phrase, std::vector<std::string>& into);

// The words of a text in order, as byte ranges: letters, digits and apostrophes inside a word; bytes beyond ASCII count
// as letters, except the general punctuation (dashes, quotes, ellipsis) and the no-break space.
std::vector<std::string_view> words_in(std::string_view text);

// ASCII letters in lower case, ’ as '.
std::string plain_word(std::string_view word);

}  // namespace lookback::lessons
