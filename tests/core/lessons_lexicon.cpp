// Words, and the vector behind a phrase.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <sstream>

#include "core/lessons/lexicon.hpp"
#include "core/lessons/lexicon_tables.hpp"
#include "core/lessons/phrase.hpp"

using namespace lookback::lessons;

namespace {

Phrase plain(const std::string& text) { return phrase({text}, {}); }

double squared_length(const FeatureVector& v) {
  double total = 0;
  for (const float x : v) total += static_cast<double>(x) * x;
  return total;
}

}  // namespace

TEST_CASE("the lexicon holds each word once, in plain lower case, with weights from 0 to 1") {
  std::set<std::string> seen;
  for (const auto table : {words_of_nature(), words_of_people(), words_of_doing()}) {
    for (const Meaning& line : table) {
      int total = 0;
      for (const Weight& w : line.weights) {
        REQUIRE(w.tenths >= 0);
        REQUIRE(w.tenths <= 10);
        total += w.tenths;
      }
      REQUIRE(total > 0);
      std::istringstream words{std::string(line.words)};
      for (std::string word; words >> word;) {
        INFO(word);
        REQUIRE(seen.insert(word).second);
        REQUIRE(words_in(word).size() == 1);
        REQUIRE(words_in(word)[0] == word);
        REQUIRE(plain_word(word) == word);
      }
    }
  }
  CHECK(seen.size() >= 1000);
  std::istringstream ignored{std::string(words_without_features())};
  for (std::string word; ignored >> word;) {
    INFO(word);
    REQUIRE(seen.insert(word).second);
  }
}

TEST_CASE("a plural and a possessive are found under their word; nothing else is guessed") {
  CHECK(look_up("planets", {}).entry == "planet");
  CHECK(look_up("cherries", {}).status == WordStatus::unknown);
  CHECK(look_up("berries", {}).entry == "berry");
  CHECK(look_up("foxes", {}).entry == "fox");
  CHECK(look_up("queen's", {}).entry == "queen");
  CHECK(look_up("shepherds'", {}).entry == "shepherd");
  CHECK(look_up("belongs", {}).status == WordStatus::ignored);
  CHECK(look_up("the", {}).status == WordStatus::ignored);
  for (const char* word : {"xylophone", "planetary", "s", "es", "'s", "", "planetss"}) {
    INFO(word);
    CHECK(look_up(word, {}).status == WordStatus::unknown);
  }
}

TEST_CASE("an edit changes one weight of one word, and makes an unknown word known") {
  const WordEdit dim{"planet", Feature::sky, 0.1f};
  const FeatureVector before = look_up("planet", {}).weights;
  const FeatureVector after = look_up("planets", {&dim, 1}).weights;
  for (std::size_t i = 0; i < n_features; ++i) {
    const auto f = static_cast<Feature>(i);
    CHECK(at(after, f) == (f == Feature::sky ? 0.1f : at(before, f)));
  }
  const WordEdit made_up{"xylophone", Feature::feeling, 2};
  const WordMeaning known = look_up("xylophone", {&made_up, 1});
  CHECK(known.status == WordStatus::known);
  CHECK(at(known.weights, Feature::feeling) == 2);
  CHECK(sum(known.weights) == 2);
  CHECK(lexicon({&made_up, 1}).words.size() == lexicon({}).words.size() + 1);
}

TEST_CASE("a phrase is the sum of its known words, brought to length 1; unknown words are reported") {
  const Phrase p = plain("A zorgish planet, a RIVER!");
  REQUIRE(p.words.size() == 5);
  CHECK(p.words[0].meaning.status == WordStatus::ignored);
  CHECK(p.words[1].meaning.status == WordStatus::unknown);
  CHECK(p.words[1].text == "zorgish");
  CHECK(p.words[4].text == "RIVER");
  const FeatureVector expected = look_up("planet", {}).weights + look_up("river", {}).weights;
  CHECK((p.sum == expected).all());
  CHECK(squared_length(p.vector) == doctest::Approx(1).epsilon(1e-6));
  CHECK(p.length == doctest::Approx(std::sqrt(squared_length(expected))));
  std::vector<std::string> unknown;
  collect_unknown(p, unknown);
  collect_unknown(p, unknown);
  CHECK(unknown == std::vector<std::string>{"zorgish"});
}

TEST_CASE("a phrase without a known word is the zero vector") {
  for (const char* text : {"", "   ", "the of and", "zorg zorg", "…!?—", "\xC3\xA9t\xC3\xA9"}) {
    const Phrase p = plain(text);
    CHECK(p.length == 0);
    CHECK((p.vector == 0).all());
  }
}

TEST_CASE("words are cut at spaces, dashes and quotes, and keep apostrophes and letters beyond ASCII") {
  CHECK(words_in("“a planet’s—sky”") == std::vector<std::string_view>{"a", "planet’s", "sky"});
  CHECK(plain_word("Planet’s") == "planet's");
  CHECK(words_in("'tis' été,x") == std::vector<std::string_view>{"tis", "été", "x"});
  CHECK(words_in("a\xC2\xA0"
                 "b") == std::vector<std::string_view>{"a", "b"});
  CHECK(words_in("\xE2\x80") == std::vector<std::string_view>{});  // a cut character does not run past the end
}

TEST_CASE("given weights take the place of the words' sum, down to the smallest float") {
  FeatureVector tiny = FeatureVector::Zero();
  at(tiny, Feature::money) = 1e-38f;
  const Phrase p = phrase({"a planet", tiny}, {});
  CHECK(p.edited);
  CHECK(at(p.vector, Feature::money) == doctest::Approx(1));
  CHECK(at(p.vector, Feature::sky) == 0);
}
