// The sum that does not see order: every share and part against the same arithmetic in double, written once more; words in
// another order leave the blend where it was, places do not.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/lessons/lessons.hpp"
#include "core/lessons/order.hpp"
#include "core/lessons/story.hpp"

using namespace lookback;
using namespace lookback::lessons;

namespace {

using Row = std::array<double, n_features>;

std::vector<std::string> tokens_in(std::string_view text) {
  std::vector<std::string> tokens;
  for (const Token& token : tokens_of(text, nullptr)) tokens.push_back(token.text);
  return tokens;
}

OrderInput book(float places = 0) {
  const OrderStory told = order_story();
  return {tokens_in(told.one), tokens_in(told.two), std::string(told.query), places};
}

Row row_of(const std::string& text) {
  const FeatureVector weights = phrase({text}, {}).sum;
  double squares = 0;
  for (const float w : weights) squares += static_cast<double>(w) * w;
  Row row{};
  for (std::size_t f = 0; f < n_features; ++f)
    row[f] = squares > 0 ? weights[static_cast<Eigen::Index>(f)] / std::sqrt(squares) : 0;
  return row;
}

void same(const OrderSide& got, const std::vector<std::string>& tokens, const std::string& query, double places) {
  REQUIRE(got.tokens.size() == tokens.size());
  const Row asked = row_of(query);
  std::vector<double> powers;
  double all = 0;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    const Row row = row_of(tokens[t]);
    double match = 0;
    for (std::size_t f = 0; f < n_features; ++f) match += asked[f] * row[f];
    // The product of two points on a circle: the cosine of the angle between them.
    const double place = places * places * std::cos(0.5 * static_cast<double>(tokens.size() - 1 - t));
    CHECK(std::fabs(got.tokens[t].match - match) < 1e-6);
    CHECK(std::fabs(got.tokens[t].place - place) < 1e-6);
    powers.push_back(std::exp(4 * (match + place)));
    all += powers.back();
  }
  Row blend{};
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    CHECK(std::fabs(got.tokens[t].share - powers[t] / all) < 1e-6);
    const Row row = row_of(tokens[t]);
    for (std::size_t f = 0; f < n_features; ++f) {
      const double part = powers[t] / all * row[f];
      CHECK(std::fabs(got.tokens[t].part[static_cast<Eigen::Index>(f)] - part) < 1e-6);
      blend[f] += part;
    }
  }
  for (std::size_t f = 0; f < n_features; ++f) CHECK(std::fabs(got.blend[static_cast<Eigen::Index>(f)] - blend[f]) < 1e-6);
}

}  // namespace

TEST_CASE("order: every match, share, part and blend is that of the formula") {
  for (const float places : {0.0f, 0.5f, 1.0f, 2.0f}) {
    const OrderInput input = book(places);
    const auto got = order(input);
    REQUIRE(got);
    same(got->one, input.one, input.query, places);
    same(got->two, input.two, input.query, places);
  }
}

TEST_CASE("order: the book's texts have the same blend without places, and not with them") {
  const auto without = order(book());
  REQUIRE(without);
  CHECK(without->most < 1e-6f);
  CHECK(without->difference < 1e-6f);
  for (const std::size_t noun : {std::size_t{1}, std::size_t{4}}) {  // the noun that is second in one is fifth in the other
    CHECK(std::fabs(without->one.tokens[noun].share - without->two.tokens[5 - noun].share) < 1e-6f);
    CHECK(without->one.tokens[noun].share > 0.2f);
  }
  CHECK(std::fabs(without->one.tokens[1].share - without->one.tokens[4].share) > 0.1f);
  const auto with = order(book(1));
  REQUIRE(with);
  CHECK(with->difference > 0.3f);
  CHECK(with->unknown_words.empty());
}

TEST_CASE("order: the difference is that of the blends, whatever the texts") {
  OrderInput input = book();
  input.two = tokens_in("A queen slept.");
  const auto got = order(input);
  REQUIRE(got);
  double squares = 0, most = 0;
  for (std::size_t f = 0; f < n_features; ++f) {
    const auto i = static_cast<Eigen::Index>(f);
    const double difference = std::fabs(static_cast<double>(got->one.blend[i]) - got->two.blend[i]);
    squares += difference * difference;
    most = std::max(most, difference);
  }
  CHECK(most > 0.1);
  CHECK(std::fabs(got->difference - std::sqrt(squares)) < 1e-6);
  CHECK(std::fabs(got->most - most) < 1e-6);
  input.one = {};
  CHECK_FALSE(order(input));
  input.one.assign(257, "a");
  CHECK_FALSE(order(input));
}

TEST_CASE("order as JSON: defaults, a reader's texts, and refusals") {
  const auto answer = [](const char* input) {
    const Result<std::string> output = lesson("order", input);
    REQUIRE(output);
    return nlohmann::json::parse(*output);
  };
  const nlohmann::json told = answer("{}");
  CHECK(told["one"]["tokens"].size() == 6);
  CHECK(told["one"]["tokens"][1]["text"] == " queen");
  CHECK(told["two"]["tokens"][4]["text"] == " queen");
  CHECK(told["query"]["phrase"] == "a person or an animal");
  CHECK(told["one"]["blend"].size() == n_features);
  const nlohmann::json typed = answer(R"({"one":"Zorblax slept","two":"The water","query":"water","places":0.5})");
  CHECK(typed["unknown_words"] == nlohmann::json({"zorblax"}));
  CHECK(typed["two"]["tokens"][1]["match"] == 1);
  const auto refusal = [](const char* input) {
    const Result<std::string> output = lesson("order", input);
    REQUIRE_FALSE(output);
    return output.error().sentence;
  };
  CHECK(refusal(R"({"one":" "})") == "“one” must hold 1 to 256 words and marks, not 0.");
  CHECK(refusal(R"({"places":3})") == "“places” must be a number from 0 to 2.");
  CHECK(refusal(R"({"text":"a"})") == "“text” is not a known key; expected one, two, query, places.");
}
