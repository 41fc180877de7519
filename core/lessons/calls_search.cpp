// phrase, lexicon, search: JSON to JSON.
#include "core/lessons/calls.hpp"
#include "core/lessons/limits.hpp"
#include "core/lessons/search.hpp"
#include "core/lessons/worlds.hpp"

namespace lookback::lessons {

namespace {

std::vector<Page> pages_of(const Fields& fields) {
  if (!fields.has("pages")) return default_pages();
  std::vector<Page> pages;
  for (const Json* element : fields.list("pages", 0, limits::pages)) {
    const Fields page(*element, fields.element("pages", pages.size()), {"title", "contents", "key_weights"},
                      fields.problem());
    pages.push_back({page.text("title", limits::phrase_bytes), page.text("contents", limits::contents_bytes),
                     page.weights("key_weights")});
  }
  return pages;
}

}  // namespace

Result<Out> call_phrase(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"phrase", "weights", "word_edits"}, problem);
  const PhraseInput given{fields.text("phrase", limits::phrase_bytes), fields.weights("weights")};
  const std::vector<WordEdit> edits = fields.word_edits("word_edits");
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);

  Out out = to_json(phrase(given, edits));
  put(out, "features", feature_names());
  return out;
}

Result<Out> call_lexicon(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"word_edits"}, problem);
  const std::vector<WordEdit> edits = fields.word_edits("word_edits");
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);

  const Lexicon all = lexicon(edits);
  Out words = Out::array();
  for (const LexiconWord& word : all.words) words.push_back(object("text", word.text, "weights", word.weights));
  Out out;
  put(out, "features", features_with_meanings());
  put(out, "words", std::move(words));
  put(out, "ignored", all.ignored);
  return out;
}

Result<Out> call_search(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"query", "query_weights", "pages", "word_edits"}, problem);
  const SearchInput given{{fields.text("query", limits::phrase_bytes), fields.weights("query_weights")},
                          pages_of(fields),
                          fields.word_edits("word_edits")};
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  const Result<SearchOutput> found = search(given);
  if (!found) return found.error();

  Out results = Out::array();
  for (const SearchResult& result : found->results) {
    const Page& page = given.pages[result.index];
    Out item = object("index", result.index, "title", page.title, "contents", page.contents);
    add_match(item, result.match);
    results.push_back(std::move(item));
  }
  Out out;
  put(out, "features", feature_names());
  put(out, "query", to_json(found->query));
  put(out, "results", std::move(results));
  put(out, "best", index(found->best));
  put(out, "returned", found->best ? Out(given.pages[*found->best].contents) : Out(nullptr));
  put(out, "unknown_words", found->unknown_words);
  return out;
}

}  // namespace lookback::lessons
