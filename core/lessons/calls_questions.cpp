// questions: JSON to JSON.
#include <algorithm>

#include "core/lessons/calls.hpp"
#include "core/lessons/limits.hpp"
#include "core/lessons/questions.hpp"
#include "core/lessons/story.hpp"

namespace lookback::lessons {

namespace {

// The place of a word, else of the last word; marks ask nothing.
std::size_t place_of(const std::vector<std::string>& tokens, std::string_view word) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto words = words_in(tokens[i]);
    if (words.empty()) continue;
    if (words[0] == word) return i;
    last = i;
  }
  return last;
}

std::vector<bool> heads_on(const Fields& fields) {
  std::vector<bool> on(first_layer().size(), true);
  if (!fields.has("off")) return on;
  for (const Json* element : fields.list("off", 0, first_layer().size())) {
    std::string names;
    bool found = false;
    for (std::size_t h = 0; h < on.size(); ++h) {
      names += (h == 0 ? "" : ", ") + std::string(first_layer()[h].name);
      if (!element->is_string() || element->get<std::string>() != first_layer()[h].name) continue;
      on[h] = false;
      found = true;
    }
    if (!found) fields.problem().add("“off” must hold names of heads: " + names + ".");
  }
  return on;
}

Out to_json(const Asked& asked, const QuestionHead& head) {
  return object("name", head.name, "question", head.question, "query", asked.query, "scores", asked.scores, "shares",
                asked.shares, "sink_share", asked.sink_share, "best", index(asked.best), "blend", asked.blend);
}

}  // namespace

Result<Out> call_questions(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"text", "asking", "later", "off"}, problem);
  const QuestionsStory told = questions_story();
  const std::string text = fields.text("text", limits::text_bytes, std::string(told.text));
  QuestionsInput given;
  for (const Token& token : tokens_of(text, nullptr)) given.tokens.push_back(token.text);
  if (given.tokens.empty() || given.tokens.size() > limits::tokens) {
    problem.add("“text” must hold 1 to " + std::to_string(limits::tokens) + " words and marks, not " +
                std::to_string(given.tokens.size()) + ".");
  }
  const auto asker = [&](std::string_view key, std::string_view word) {
    return fields.has(key) ? fields.index(key, given.tokens.size()) : place_of(given.tokens, word);
  };
  given.asking = asker("asking", told.asking);
  given.later = asker("later", told.later);
  given.on = heads_on(fields);
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  const Result<QuestionsOutput> found = questions(given);
  if (!found) return found.error();

  Out tokens = Out::array(), heads = Out::array();
  for (std::size_t t = 0; t < given.tokens.size(); ++t) {
    tokens.push_back(object("text", given.tokens[t], "before", found->before[t], "after", found->after[t]));
  }
  for (std::size_t h = 0; h < found->first.size(); ++h) {
    heads.push_back(to_json(found->first[h], first_layer()[h]));
    put(heads.back(), "on", static_cast<bool>(given.on[h]));
  }
  Out out;
  put(out, "features", feature_names());
  put(out, "text", text);
  put(out, "stretch", question_stretch);
  put(out, "sink_score", question_sink);
  put(out, "tokens", std::move(tokens));
  put(out, "asking", given.asking);
  put(out, "later", given.later);
  put(out, "first", std::move(heads));
  put(out, "second", to_json(found->second, second_layer()));
  return out;
}

}  // namespace lookback::lessons
