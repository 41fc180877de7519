#include "core/lessons/order.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/lessons/limits.hpp"
#include "core/numerics/functions.hpp"
#include "core/numerics/softmax.hpp"

namespace lookback::lessons {

namespace {

// The two numbers of a place, counted from 0.
std::array<float, 2> numbers_of(std::size_t place, float length) {
  const double angle = order_turn * static_cast<double>(place);
  return {length * static_cast<float>(cosine(angle)), length * static_cast<float>(sine(angle))};
}

OrderSide side(const std::vector<std::string>& texts, const Phrase& query, float places, std::vector<std::string>& unknown) {
  OrderSide found;
  std::vector<float> shares;
  const auto [asks_x, asks_y] = numbers_of(texts.size() - 1, places);
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const Phrase word = phrase({texts[t]}, {});
    collect_unknown(word, unknown);
    const auto [x, y] = numbers_of(t, places);
    OrderToken token;
    token.value = word.vector;
    token.match = sum(query.vector * word.vector);
    token.place = asks_x * x + asks_y * y;
    shares.push_back(order_stretch * (token.match + token.place));
    found.tokens.push_back(token);
  }
  softmax(shares);
  for (std::size_t t = 0; t < texts.size(); ++t) {
    OrderToken& token = found.tokens[t];
    token.share = shares[t];
    token.part = token.share * token.value;
    found.blend += token.part;
  }
  return found;
}

}  // namespace

Result<OrderOutput> order(const OrderInput& input) {
  for (const auto* tokens : {&input.one, &input.two}) {
    if (tokens->empty() || tokens->size() > limits::tokens) {
      return fail(ErrorCode::bad_argument, "A text must hold 1 to " + std::to_string(limits::tokens) + " tokens, not " +
                                               std::to_string(tokens->size()) + ".");
    }
  }
  OrderOutput output;
  output.query = phrase({input.query}, {});
  collect_unknown(output.query, output.unknown_words);
  output.one = side(input.one, output.query, input.places, output.unknown_words);
  output.two = side(input.two, output.query, input.places, output.unknown_words);
  double squares = 0;
  for (std::size_t f = 0; f < n_features; ++f) {
    const auto i = static_cast<Eigen::Index>(f);
    const float difference = std::fabs(output.one.blend[i] - output.two.blend[i]);
    squares += static_cast<double>(difference) * difference;
    output.most = std::max(output.most, difference);
  }
  output.difference = static_cast<float>(std::sqrt(squares));
  return output;
}

OrderStory order_story() {
  return {"The queen saw the dog.", "The dog saw the queen.", "a person or an animal"};
}

}  // namespace lookback::lessons
