// story, stories: JSON to JSON.
#include <algorithm>

#include "core/lessons/calls.hpp"
#include "core/lessons/limits.hpp"
#include "core/lessons/story.hpp"

namespace lookback::lessons {

namespace {

const Story* story_of(const Fields& fields) {
  if (!fields.has("story")) return nullptr;
  const std::string id = fields.text("story", limits::phrase_bytes);
  std::string ids;
  for (const Story& told : stories()) {
    if (told.id == id) return &told;
    ids += (ids.empty() ? "" : ", ") + std::string(told.id);
  }
  fields.problem().add("“story” must be one of " + ids + ", not " + in_quotes(id) + ".");
  return nullptr;
}

std::vector<Token> given_tokens(const Fields& fields) {
  std::vector<Token> tokens;
  for (const Json* element : fields.list("tokens", 1, limits::tokens)) {
    const Fields token(*element, fields.element("tokens", tokens.size()),
                       {"text", "query", "key", "value", "query_weights", "key_weights"}, fields.problem());
    tokens.push_back({token.text("text", limits::token_bytes),
                      {token.text("query", limits::phrase_bytes), token.weights("query_weights")},
                      {token.text("key", limits::phrase_bytes), token.weights("key_weights")},
                      token.text("value", limits::phrase_bytes)});
  }
  return tokens;
}

std::vector<Token> split_text(const Fields& fields, const Story* told) {
  std::vector<Token> tokens = tokens_of(fields.text("text", limits::text_bytes), told);
  const bool long_piece =
      std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.text.size() > limits::token_bytes; });
  if (tokens.empty() || tokens.size() > limits::tokens) {
    fields.problem().add("“text” must hold 1 to " + std::to_string(limits::tokens) + " words and marks, not " +
                         std::to_string(tokens.size()) + ".");
  } else if (long_piece) {
    fields.problem().add("“text” must hold words of at most " + std::to_string(limits::token_bytes) + " bytes.");
  }
  return tokens;
}

void apply_edits(const Fields& fields, std::vector<Token>& tokens) {
  if (!fields.has("edits")) return;
  std::size_t i = 0;
  for (const Json* element : fields.list("edits", 0, limits::tokens)) {
    const Fields edit(*element, fields.element("edits", i++),
                      {"token", "query", "key", "value", "query_weights", "key_weights"}, fields.problem());
    const std::size_t which = edit.index("token", tokens.size());
    if (which >= tokens.size()) continue;
    Token& token = tokens[which];
    token.query.phrase = edit.text("query", limits::phrase_bytes, token.query.phrase);
    token.key.phrase = edit.text("key", limits::phrase_bytes, token.key.phrase);
    token.value = edit.text("value", limits::phrase_bytes, token.value);
    // A new phrase without weights of its own is what its words say.
    if (edit.has("query") || edit.has("query_weights")) token.query.weights = edit.weights("query_weights");
    if (edit.has("key") || edit.has("key_weights")) token.key.weights = edit.weights("key_weights");
  }
}

std::string joined(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& token : tokens) text += token.text;
  return text;
}

Out to_json(const std::vector<Token>& tokens) {
  Out list = Out::array();
  for (const Token& t : tokens) {
    list.push_back(object("text", t.text, "query", t.query.phrase, "key", t.key.phrase, "value", t.value));
  }
  return list;
}

}  // namespace

Result<Out> call_story(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"story", "text", "tokens", "asking", "include_self", "edits", "word_edits"}, problem);
  const Story* told = story_of(fields);
  StoryInput given;
  if (fields.has("tokens")) {
    if (fields.has("story") || fields.has("text")) problem.add("“tokens” must stand without “story” and “text”.");
    given.tokens = given_tokens(fields);
  } else if (fields.has("text")) {
    given.tokens = split_text(fields, told);
  } else {
    if (told == nullptr) told = &stories()[0];
    given.tokens = tokens_of(*told);
  }
  given.asking =
      fields.has("asking") ? fields.index("asking", given.tokens.size()) : default_asking(given.tokens, told);
  given.include_self = fields.flag("include_self", false);
  given.word_edits = fields.word_edits("word_edits");
  apply_edits(fields, given.tokens);
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  const Result<StoryOutput> found = story(given);
  if (!found) return found.error();

  Out candidates = Out::array();
  for (const Candidate& candidate : found->candidates) {
    const Token& token = given.tokens[candidate.index];
    Out item = object("index", candidate.index, "text", token.text, "value", token.value);
    add_match(item, candidate.match);
    candidates.push_back(std::move(item));
  }
  Out out;
  put(out, "features", feature_names());
  put(out, "story", told ? Out(told->id) : Out(nullptr));
  put(out, "title", told ? Out(told->title) : Out(nullptr));
  put(out, "text", joined(given.tokens));
  put(out, "tokens", to_json(given.tokens));
  put(out, "asking",
      object("index", given.asking, "text", given.tokens[given.asking].text, "query", to_json(found->query)));
  put(out, "candidates", std::move(candidates));
  put(out, "best", index(found->best));
  put(out, "unknown_words", found->unknown_words);
  return out;
}

Result<Out> call_stories(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {}, problem);
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);

  Out list = Out::array();
  for (const Story& told : stories()) {
    const std::vector<Token> tokens = tokens_of(told);
    Out item;
    put(item, "id", told.id);
    put(item, "title", told.title);
    put(item, "text", joined(tokens));
    put(item, "tokens", to_json(tokens));
    put(item, "asking", default_asking(tokens, &told));
    put(item, "need", told.need);
    list.push_back(std::move(item));
  }
  Out out;
  put(out, "stories", std::move(list));
  return out;
}

}  // namespace lookback::lessons
