// order: JSON to JSON.
#include "core/lessons/calls.hpp"
#include "core/lessons/limits.hpp"
#include "core/lessons/order.hpp"
#include "core/lessons/story.hpp"

namespace lookback::lessons {

namespace {

std::vector<std::string> tokens_in(const Fields& fields, std::string_view key, std::string_view otherwise) {
  std::vector<std::string> tokens;
  for (const Token& token : tokens_of(fields.text(key, limits::text_bytes, std::string(otherwise)), nullptr)) {
    tokens.push_back(token.text);
  }
  if (tokens.empty() || tokens.size() > limits::tokens) {
    fields.problem().add(in_quotes(key) + " must hold 1 to " + std::to_string(limits::tokens) +
                         " words and marks, not " + std::to_string(tokens.size()) + ".");
  }
  return tokens;
}

Out to_json(const OrderSide& side, const std::vector<std::string>& texts) {
  Out tokens = Out::array();
  for (std::size_t t = 0; t < texts.size(); ++t) {
    const OrderToken& token = side.tokens[t];
    tokens.push_back(object("text", texts[t], "value", token.value, "match", token.match, "place", token.place, "share",
                            token.share, "part", token.part));
  }
  return object("tokens", std::move(tokens), "blend", side.blend);
}

}  // namespace

Result<Out> call_order(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"one", "two", "query", "places"}, problem);
  const OrderStory told = order_story();
  const OrderInput given{tokens_in(fields, "one", told.one), tokens_in(fields, "two", told.two),
                         fields.text("query", limits::phrase_bytes, std::string(told.query)),
                         fields.number("places", {0, limits::order_places}, 0.0f)};
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  const Result<OrderOutput> found = order(given);
  if (!found) return found.error();

  Out out;
  put(out, "features", feature_names());
  put(out, "query", to_json(found->query));
  put(out, "stretch", order_stretch);
  put(out, "places", given.places);
  put(out, "one", to_json(found->one, given.one));
  put(out, "two", to_json(found->two, given.two));
  put(out, "difference", found->difference);
  put(out, "most", found->most);
  put(out, "unknown_words", found->unknown_words);
  return out;
}

}  // namespace lookback::lessons
