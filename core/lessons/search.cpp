#include "core/lessons/search.hpp"

#include <algorithm>
#include <tuple>

#include "core/lessons/limits.hpp"

namespace lookback::lessons {

Result<SearchOutput> search(const SearchInput& input) {
  if (input.pages.size() > limits::pages) {
    return fail(ErrorCode::bad_argument, "A search takes at most " + std::to_string(limits::pages) + " pages, not " +
                                             std::to_string(input.pages.size()) + ".");
  }
  SearchOutput output;
  output.query = phrase(input.query, input.word_edits);
  collect_unknown(output.query, output.unknown_words);
  for (std::size_t i = 0; i < input.pages.size(); ++i) {
    const Page& page = input.pages[i];
    output.results.push_back({i, match(output.query, phrase({page.title, page.key_weights}, input.word_edits))});
    collect_unknown(output.results.back().match.key, output.unknown_words);
  }
  std::sort(output.results.begin(), output.results.end(), [](const SearchResult& a, const SearchResult& b) {
    return std::tie(b.match.score, a.index) < std::tie(a.match.score, b.index);
  });
  if (!output.results.empty() && output.results[0].match.score > 0) output.best = output.results[0].index;
  return output;
}

}  // namespace lookback::lessons
