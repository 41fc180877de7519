// The sum that does not see order: one head of a toy world reads two texts, and its last token takes in a blend of what
// stands before it.
//
// A word's row is its features in the lexicon, scaled to length 1; it is both key and value. The query is a phrase. With
// places each key and the query get two numbers more, places · (cos, sin) of an angle that grows by order_turn from place
// to place, as in the tables of sines of Vaswani et al. 2017, section 3.5. Shares are softmax over stretch · q·k.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lessons/features.hpp"
#include "core/lessons/phrase.hpp"
#include "core/result.hpp"

namespace lookback::lessons {

inline constexpr float order_stretch = 4;
inline constexpr double order_turn = 0.5;  // radians

struct OrderInput {
  std::vector<std::string> one, two;  // tokens, 1 to limits::tokens each; the last one asks
  std::string query;                  // what it asks for
  float places = 0;                   // length of the two numbers of a place; 0: none
};

struct OrderToken {
  FeatureVector value = FeatureVector::Zero();
  float match = 0;  // of the features alone, query · key
  float place = 0;  // what the places' numbers add to it
  float share = 0;
  FeatureVector part = FeatureVector::Zero();  // share · value
};

struct OrderSide {
  std::vector<OrderToken> tokens;
  FeatureVector blend = FeatureVector::Zero();  // the parts, added up from the first to the last
};

struct OrderOutput {
  Phrase query;
  OrderSide one, two;
  float difference = 0;  // the length of the difference of both blends
  float most = 0;        // its largest number
  std::vector<std::string> unknown_words;
};

// Fails on too many tokens or none.
Result<OrderOutput> order(const OrderInput& input);

// The texts of the book, and what their last token asks for.
struct OrderStory {
  std::string_view one, two, query;
};
OrderStory order_story();

}  // namespace lookback::lessons
