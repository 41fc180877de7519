// The held-out cases: well formed, of both orders and kinds, and the same for the same seed.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/language/cases.hpp"
#include "core/language/held_out.hpp"
#include "core/language/lexicon.hpp"
#include "tests/core/language_fixtures.hpp"

using namespace lookback;
using namespace lookback::language;
using lookback::testing::is_letter;

namespace {

constexpr std::size_t kCases = 500;

std::string_view part(const Case& one, std::size_t begin, std::size_t end) {
  return std::string_view(one.prompt).substr(begin, end - begin);
}
std::string_view target(const Case& one) { return part(one, one.target_begin, one.target_end); }
std::string_view from(const Case& one) { return part(one, one.from_begin, one.from_end); }

bool is_word(const Case& one, std::size_t begin, std::size_t end) {
  if (begin >= end || end > one.prompt.size()) return false;
  const bool edges =
      (begin == 0 || !is_letter(one.prompt[begin - 1])) && (end == one.prompt.size() || !is_letter(one.prompt[end]));
  const std::string_view word = part(one, begin, end);
  return edges && std::all_of(word.begin(), word.end(), is_letter);
}

void check_shape(const Case& one) {
  CAPTURE(one.prompt);
  REQUIRE(!one.prompt.empty());
  CHECK(is_letter(one.prompt.back()));
  CHECK(is_word(one, one.target_begin, one.target_end));
  CHECK(is_word(one, one.from_begin, one.from_end));
  CHECK(one.target_end <= one.from_begin);
  CHECK(!one.right.empty());
  CHECK(!one.wrong.empty());
  std::set<std::string> answers;
  for (const auto* side : {&one.right, &one.wrong}) {
    for (const std::string& answer : *side) {
      CHECK(answer.size() > 1);
      CHECK(answer.front() == ' ');
      CHECK_MESSAGE(answers.insert(answer).second, answer);
    }
  }
}

}  // namespace

TEST_CASE("language cases: each is well formed, and no two seeds give the same") {
  for (const Phenomenon phenomenon : phenomena) {
    CAPTURE(name_of(phenomenon));
    const auto cases = held_out(phenomenon, kCases, 1), again = held_out(phenomenon, kCases, 1);
    const auto others = held_out(phenomenon, kCases, 2);
    REQUIRE(cases.size() == kCases);
    std::set<std::string> prompts;
    std::size_t same = 0, equal = 0;
    for (std::size_t i = 0; i < kCases; ++i) {
      check_shape(cases[i]);
      prompts.insert(cases[i].prompt);
      same += cases[i].prompt == again[i].prompt && cases[i].right == again[i].right;
      equal += cases[i].prompt == others[i].prompt;
    }
    CHECK(same == kCases);
    CHECK(equal < kCases / 20);
    CHECK(prompts.size() > kCases * 9 / 10);
  }
}

TEST_CASE("language cases: who gets it is the one that does not give") {
  std::size_t first = 0;
  for (const Case& one : held_out(Phenomenon::who_gets, kCases, 1)) {
    CAPTURE(one.prompt);
    REQUIRE(one.right.size() == 1);
    REQUIRE(one.wrong.size() == 1);
    CHECK(one.right[0] == " " + std::string(target(one)));
    CHECK(held_out_pair(one.right[0].substr(1), one.wrong[0].substr(1)));
    CHECK(from(one) == "to");
    CHECK(one.from_end == one.prompt.size());
    // The giver is named twice, the other once.
    const std::string giver = one.wrong[0].substr(1), getter = one.right[0].substr(1);
    CHECK(one.prompt.find(getter) == one.prompt.rfind(getter));
    CHECK(one.prompt.find(giver) < one.prompt.rfind(giver));
    first += one.prompt.find(giver) < one.prompt.find(getter);
  }
  CHECK(first > kCases * 42 / 100);
  CHECK(first < kCases * 58 / 100);
}

TEST_CASE("language cases: countries") {
  for (const Case& one : held_out(Phenomenon::country, kCases, 1)) {
    CAPTURE(one.prompt);
    CHECK(from(one) == "of");
    CHECK(one.from_end == one.prompt.size());
    const auto capital = std::find_if(std::begin(capitals), std::end(capitals),
                                      [&](const Capital& any) { return any.city == target(one); });
    REQUIRE(capital != std::end(capitals));
    CHECK(one.right == std::vector<std::string>{" " + std::string(capital->country)});
    CHECK(one.wrong.size() == std::size(capitals) - 1);
  }
}

TEST_CASE("language cases: 'it' asks for verbs and for adjectives, of both kinds") {
  std::size_t adjectives = 0, animals = 0;
  for (const Case& one : held_out(Phenomenon::it, kCases, 1)) {
    CAPTURE(one.prompt);
    CHECK(from(one) == "it");
    const auto noun =
        std::find_if(std::begin(nouns), std::end(nouns), [&](const Noun& any) { return any.word == target(one); });
    REQUIRE(noun != std::end(nouns));
    animals += is_animate(*noun);
    if (one.prompt.ends_with(" it was too")) {
      ++adjectives;
      const bool tired = std::find(one.right.begin(), one.right.end(), " tired") != one.right.end();
      CHECK(tired == is_animate(*noun));
    } else {
      CHECK(one.from_end == one.prompt.size());
      CHECK(one.right.size() <= 3);
      for (const std::string& verb : one.right) CHECK(noun->verbs.find(verb.substr(1)) != std::string_view::npos);
    }
  }
  CHECK(adjectives > kCases * 24 / 100);
  CHECK(adjectives < kCases * 36 / 100);
  CHECK(animals > kCases * 25 / 100);
  CHECK(animals < kCases * 75 / 100);
}

TEST_CASE("language cases: chaser and chased are asked for equally") {
  std::size_t first = 0;
  for (const Case& one : held_out(Phenomenon::chase, kCases, 1)) {
    CAPTURE(one.prompt);
    CHECK(one.right[0] == " " + std::string(target(one)));
    CHECK(held_out_pair(one.right[0].substr(1), one.wrong[0].substr(1)));
    CHECK(one.from_end == one.prompt.size());
    first += one.prompt.find(one.right[0].substr(1)) < one.prompt.find(one.wrong[0].substr(1));
  }
  CHECK(first > kCases * 42 / 100);
  CHECK(first < kCases * 58 / 100);
}

TEST_CASE("language cases: a repeat is cut after at least two words, and its answer stood after the last one") {
  for (const Case& one : held_out(Phenomenon::repeat, kCases, 1)) {
    CAPTURE(one.prompt);
    CHECK(one.right == std::vector<std::string>{" " + std::string(target(one))});
    CHECK(one.from_end == one.prompt.size());
    const std::string end = std::string(from(one)) + one.right[0];
    CHECK(one.prompt.find(end) + end.size() == one.target_end);
    CHECK(one.wrong.size() >= 3);
    CHECK(one.wrong.size() <= 9);
  }
}

TEST_CASE("language cases: the book's sentences, each held out by its rule") {
  const auto book = book_cases();
  REQUIRE(book.size() == 7);
  for (const BookCase& one : book) check_shape(one.question);
  CHECK(book[0].question.prompt == "The animal didn't cross the street because it");
  CHECK(target(book[0].question) == "animal");
  CHECK(book[1].question.prompt == "The animal didn't cross the street because it was too");
  CHECK(book[1].question.right.front() == " tired");
  CHECK(book[2].question.prompt == "When Mary and John went to the store, John gave a drink to");
  CHECK(book[3].question.prompt == "Maya lives in Paris, the capital of");
  CHECK(book[4].question.right == std::vector<std::string>{" cat"});
  CHECK(book[5].question.right == std::vector<std::string>{" dog"});
  CHECK(held_out_it("animal", "street"));
  CHECK(held_out_pair("Mary", "John"));
  CHECK(held_out_pair("John", "Mary"));
  CHECK(held_out_errand("store", "drink"));
  CHECK(held_out_city("Maya", "Paris"));
  CHECK(held_out_home("Paris"));
  CHECK(held_out_pair("dog", "cat"));
}
