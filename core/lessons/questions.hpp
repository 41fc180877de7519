// One sentence under several heads, and a second layer that reads what they brought. A whole attention layer in small:
// rows of named features, and tables that are simple enough to be said in words.
//
// A word's row x begins as its features in the lexicon. Every head works on the row scaled to length 1, x̂; a row that
// is shorter than ½ is only doubled, so that next to nothing stays next to nothing.
//   query  q = asks · (any feature in x̂) + doubts ∘ x̂, scaled to length 1    (W_Q)
//   key    k = reads ∘ x̂                                                    (W_K, a diagonal of zeros and ones)
//   value  v = hands ∘ x̂                                                    (W_V, likewise)
// Shares are softmax over stretch · q·k of the tokens before and one sink of fixed score, whose value is zero. A layer
// adds its heads' blends to the row: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lessons/features.hpp"
#include "core/result.hpp"

namespace lookback::lessons {

struct QuestionHead {
  std::string_view name;
  std::string_view question;
  FeatureVector asks;    // what every word with a feature asks for
  FeatureVector doubts;  // those of its own features that a word asks about
  FeatureVector reads;
  FeatureVector hands;
};

// The heads of layer 1: where, who, meaning. The head of layer 2.
std::span<const QuestionHead> first_layer();
const QuestionHead& second_layer();

inline constexpr float question_stretch = 9;
inline constexpr float question_sink = 4;

// One token under one head.
struct Asked {
  FeatureVector query = FeatureVector::Zero();
  std::vector<float> scores;        // [asking] of the tokens before, stretched
  std::vector<float> shares;        // [asking]
  float sink_share = 1;             // with shares: 1
  std::optional<std::size_t> best;  // the token of the largest share; none when the sink has more
  FeatureVector blend = FeatureVector::Zero();
};

// The token `asking` under a head. rows: [n_tokens], as the head's layer gets them; asking < n_tokens.
Asked ask(const QuestionHead& head, const std::vector<FeatureVector>& rows, std::size_t asking);

struct QuestionsInput {
  std::vector<std::string> tokens;  // 1 to limits::tokens, exact, with the space before each
  std::size_t asking = 0;           // whose look is shown in layer 1
  std::size_t later = 0;            // whose look is shown in layer 2
  std::vector<bool> on;             // [n heads of layer 1]
};

struct QuestionsOutput {
  std::vector<FeatureVector> before;  // [n_tokens] rows as layer 1 gets them
  std::vector<FeatureVector> after;   // [n_tokens] with the blends of the heads that are on
  std::vector<Asked> first;           // [n heads of layer 1], of `asking`; also those that are off
  Asked second;                       // of `later`
};

// Fails on too many tokens, on places that are none of theirs, on a list `on` of another length.
Result<QuestionsOutput> questions(const QuestionsInput& input);

// The sentence of the book, and who asks in it.
struct QuestionsStory {
  std::string_view text, asking, later;
};
QuestionsStory questions_story();

}  // namespace lookback::lessons
