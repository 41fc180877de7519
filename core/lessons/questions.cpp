#include "core/lessons/questions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/lessons/limits.hpp"
#include "core/lessons/phrase.hpp"
#include "core/numerics/softmax.hpp"

namespace lookback::lessons {

namespace {

FeatureVector features(std::initializer_list<Feature> which) {
  FeatureVector found = FeatureVector::Zero();
  for (const Feature f : which) at(found, f) = 1;
  return found;
}

FeatureVector all_features() { return FeatureVector::Ones(); }
FeatureVector none() { return FeatureVector::Zero(); }

// To length 1, but rows shorter than `shortest` as if they had that length. Zero stays zero.
FeatureVector scaled(const FeatureVector& row, float shortest) {
  double squares = 0;
  for (const float x : row) squares += static_cast<double>(x) * x;
  const float length = std::max(static_cast<float>(std::sqrt(squares)), shortest);
  return length > 0 ? FeatureVector(row / length) : none();
}

FeatureVector normalized(const FeatureVector& row) { return scaled(row, 0.5f); }

// Rows after the heads that are on have added their blends.
std::vector<FeatureVector> after_first_layer(const std::vector<FeatureVector>& rows, const std::vector<bool>& on) {
  std::vector<FeatureVector> after = rows;
  for (std::size_t h = 0; h < on.size(); ++h) {
    if (!on[h]) continue;
    for (std::size_t t = 0; t < rows.size(); ++t) after[t] += ask(first_layer()[h], rows, t).blend;
  }
  return after;
}

}  // namespace

std::span<const QuestionHead> first_layer() {
  using enum Feature;
  static const QuestionHead heads[] = {
      {"where", "Where is this?", features({place}), none(), features({place}), features({place, sky})},
      {"who", "Who is there?", features({person}), none(), features({person}), features({person, name, power})},
      {"meaning", "Which meaning: water or money?", none(), features({water, money}), features({water, money}),
       features({water, money})},
  };
  return heads;
}

const QuestionHead& second_layer() {
  using enum Feature;
  static const QuestionHead head = {"kept",          "Which place is for money?", features({place, money}), none(),
                                    all_features(), all_features()};
  return head;
}

Asked ask(const QuestionHead& head, const std::vector<FeatureVector>& rows, std::size_t asking) {
  const FeatureVector own = normalized(rows[asking]);
  const bool speaks = (own != 0).any();
  Asked asked;
  asked.query = scaled((speaks ? head.asks : none()) + head.doubts * own, 0);
  for (std::size_t t = 0; t < asking; ++t) {
    asked.scores.push_back(question_stretch * sum(asked.query * head.reads * normalized(rows[t])));
  }
  std::vector<float> shares = asked.scores;
  shares.push_back(question_sink);
  lookback::softmax(shares);
  asked.sink_share = shares.back();
  shares.pop_back();
  float largest = asked.sink_share;
  for (std::size_t t = 0; t < asking; ++t) {
    asked.blend += shares[t] * (head.hands * normalized(rows[t]));
    if (shares[t] > largest) {
      largest = shares[t];
      asked.best = t;
    }
  }
  asked.shares = std::move(shares);
  return asked;
}

Result<QuestionsOutput> questions(const QuestionsInput& input) {
  const std::size_t n = input.tokens.size();
  if (n == 0 || n > limits::tokens) {
    return fail(ErrorCode::bad_argument, "A sentence must hold 1 to " + std::to_string(limits::tokens) +
                                             " tokens, not " + std::to_string(n) + ".");
  }
  if (input.asking >= n || input.later >= n) {
    return fail(ErrorCode::bad_argument, "The asking tokens must be among the " + std::to_string(n) + " of the text.");
  }
  if (input.on.size() != first_layer().size()) {
    return fail(ErrorCode::bad_argument, "Each head of layer 1 must be said to be on or off.");
  }
  QuestionsOutput output;
  for (const std::string& token : input.tokens) output.before.push_back(phrase({token}, {}).sum);
  output.after = after_first_layer(output.before, input.on);
  for (const QuestionHead& head : first_layer()) output.first.push_back(ask(head, output.before, input.asking));
  output.second = ask(second_layer(), output.after, input.later);
  return output;
}

QuestionsStory questions_story() {
  return {
      "In the village Mira left her boat on the river and slept on the bank. A thief found her purse and took the "
      "money.",
      "bank", "money"};
}

}  // namespace lookback::lessons
