// The search box: every score is the dot product of what the lexicon says, and nothing else.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "core/lessons/search.hpp"
#include "core/lessons/worlds.hpp"

using namespace lookback;
using namespace lookback::lessons;

namespace {

// The cosine of two phrases from the lexicon's weights, in double and by another route than the core's.
double expected_score(const std::string& query, const std::string& key, const std::vector<WordEdit>& edits) {
  double qk = 0, qq = 0, kk = 0;
  for (std::size_t f = 0; f < n_features; ++f) {
    double q = 0, k = 0;
    for (const auto word : words_in(query)) q += at(look_up(plain_word(word), edits).weights, static_cast<Feature>(f));
    for (const auto word : words_in(key)) k += at(look_up(plain_word(word), edits).weights, static_cast<Feature>(f));
    qk += q * k;
    qq += q * q;
    kk += k * k;
  }
  return qq == 0 || kk == 0 ? 0 : qk / std::sqrt(qq * kk);
}

const SearchResult& result_for(const SearchOutput& output, std::size_t page) {
  for (const SearchResult& r : output.results) {
    if (r.index == page) return r;
  }
  REQUIRE(false);
  return output.results[0];
}

}  // namespace

TEST_CASE("“a place with a sky” finds “A planet” without a shared word") {
  const auto found = search(default_search());
  REQUIRE(found);
  REQUIRE(found->best);
  CHECK(default_pages()[*found->best].title == "A planet");
  CHECK(found->results[0].match.score > 0.9f);
  CHECK(found->results[1].match.score < 0.4f);
  CHECK(found->results[0].match.shared_words.empty());
  CHECK(found->unknown_words.empty());
}

TEST_CASE("each suggested query finds the page a reader expects, ahead by a tenth or more") {
  const std::map<std::string_view, std::string_view> expected = {
      {"a place with a sky", "A planet"},
      {"where coins are kept", "Savings and loans"},
      {"an exhausted pet", "The sleepy dog"},
      {"a signed pact", "A peace treaty"},
      {"who governs the realm", "Kings and queens"},
      {"how to unlock a jar", "Opening a stuck lid"},
      {"a tasty lunch", "Plum soup: a recipe"},
      {"far too much rain", "A river in flood"},
  };
  REQUIRE(search_queries().size() == expected.size());
  const std::vector<Page> pages = default_pages();
  for (const std::string_view query : search_queries()) {
    INFO(query);
    const auto found = search({{std::string(query)}, pages});
    REQUIRE(found);
    REQUIRE(found->best);
    CHECK(pages[*found->best].title == expected.at(query));
    CHECK(found->results[0].match.score - found->results[1].match.score > 0.1f);
    CHECK(found->results[0].match.shared_words.empty());
    CHECK(found->unknown_words.empty());
  }
}

TEST_CASE("after an edit of one feature, every score is q·k worked out anew") {
  SearchInput input = default_search();
  const auto before = search(input);
  REQUIRE(before);
  for (const float weight : {0.0f, 0.05f, 0.7f, 3.0f, 10.0f}) {
    input.word_edits = {{"planet", Feature::sky, weight}};
    const auto after = search(input);
    REQUIRE(after);
    for (std::size_t page = 0; page < input.pages.size(); ++page) {
      const Match& match = result_for(*after, page).match;
      INFO(input.pages[page].title, " ", weight);
      CHECK(
          match.score ==
          doctest::Approx(expected_score(input.query.phrase, input.pages[page].title, input.word_edits)).epsilon(1e-6));
      CHECK(sum(match.products) == doctest::Approx(match.score).epsilon(1e-6));
    }
    CHECK(result_for(*after, 0).match.score != result_for(*before, 0).match.score);
    CHECK(result_for(*after, 1).match.score == result_for(*before, 1).match.score);
  }
}

TEST_CASE("scores stay within 0 and 1, sorted, and a query of unknown words finds nothing") {
  for (const char* query : {"a planet", "river money king dog letter", "the", "zorg"}) {
    const auto found = search({{query}, default_pages()});
    REQUIRE(found);
    float last = 1;
    for (const SearchResult& r : found->results) {
      CHECK(r.match.score >= 0);
      CHECK(r.match.score <= last);
      last = r.match.score;
    }
    CHECK(found->results.size() == default_pages().size());
    CHECK(found->best.has_value() == (found->results[0].match.score > 0));
  }
  const auto nothing = search({{"zorg"}, default_pages()});
  CHECK_FALSE(nothing->best);
  CHECK(nothing->results[3].index == 3);  // equal scores keep the order
  CHECK(nothing->unknown_words == std::vector<std::string>{"zorg"});
}

TEST_CASE("a word in both phrases is named as shared, plural or not; a given key vector replaces the title's") {
  const auto found = search({{"where kings live"}, default_pages()});
  REQUIRE(found);
  CHECK(found->results[0].match.shared_words == std::vector<std::string>{"king"});

  std::vector<Page> pages = default_pages();
  FeatureVector weights = FeatureVector::Zero();
  at(weights, Feature::place) = 5;
  at(weights, Feature::sky) = 5;
  pages[3].key_weights = weights;
  const auto moved = search({{"a place with a sky"}, pages});
  REQUIRE(moved);
  CHECK(*moved->best == 3);
  CHECK(moved->results[0].match.score == doctest::Approx(1).epsilon(1e-6));
}
