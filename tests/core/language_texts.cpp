// The texts of the little language: the same everywhere, plain ASCII, mixed as promised, and without what is held out.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/language/cases.hpp"
#include "core/language/held_out.hpp"
#include "core/language/lexicon.hpp"
#include "core/language/texts.hpp"
#include "tests/core/language_fixtures.hpp"

using namespace lookback;
using namespace lookback::language;
using lookback::testing::sentences_of;
using lookback::testing::words_of;

namespace {

constexpr std::size_t kTexts = 20'000;

const std::vector<std::string>& texts() {
  static const std::vector<std::string> made = [] {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < kTexts; ++i) all.push_back(text(i));
    return all;
  }();
  return made;
}

bool is_name(std::string_view word) { return std::find(std::begin(names), std::end(names), word) != std::end(names); }

bool in_list(std::string_view name, std::string_view word) {
  const auto all = list(name);
  return std::find(all.begin(), all.end(), word) != all.end();
}

std::vector<std::string_view> names_in(std::string_view sentence) {
  std::vector<std::string_view> found;
  for (const std::string_view word : words_of(sentence)) {
    if (is_name(word)) found.push_back(word);
  }
  return found;
}

// A list of names, which repeats hold in any order.
bool is_list_of_names(std::string_view sentence) { return names_in(sentence).size() == words_of(sentence).size(); }

double share_with(std::string_view part) {
  const auto n = std::count_if(texts().begin(), texts().end(),
                               [&](const std::string& one) { return one.find(part) != std::string::npos; });
  return static_cast<double>(n) / kTexts;
}

}  // namespace

TEST_CASE("language: the same number gives the same text, and always will") {
  CHECK(text(7) == text(7));
  CHECK(text(7) != text(8));
  std::uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (std::uint64_t number = 0; number < 1000; ++number) {
    for (const char c : text(number) + '\n') hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  }
  CHECK(hash == 17488134213537171000u);
}

TEST_CASE("language: texts are of moderate length, in printable ASCII, and no slot is left") {
  std::size_t all_words = 0;
  for (const std::string& one : texts()) {
    CAPTURE(one);
    const auto words =
        static_cast<std::size_t>(std::count_if(one.begin(), one.end(), [](char c) { return c <= ' '; })) + 1;
    all_words += words;
    CHECK((words >= 25 && words <= 130));
    const bool plain = std::all_of(one.begin(), one.end(), [](char c) {
      return lookback::testing::is_letter(c) || std::string_view(" .,?!'\"\n").find(c) != std::string_view::npos;
    });
    CHECK(plain);
    CHECK(one.find("  ") == std::string::npos);
    CHECK(one.find(" .") == std::string::npos);
    CHECK(one.find(" ,") == std::string::npos);
    CHECK((one.back() == '.' || one.back() == '"' || one.back() == '!'));
  }
  CHECK(all_words / kTexts >= 45);
  CHECK(all_words / kTexts <= 75);
}

TEST_CASE("language: an article fits the word after it") {
  for (const std::string& one : texts()) {
    const auto words = words_of(one);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] != "a" && words[i] != "an") continue;
      const bool vowel =
          words[i + 1] == "hour" || std::string_view("aeiou").find(words[i + 1].front()) != std::string_view::npos;
      CAPTURE(one);
      CHECK((words[i] == "an") == vowel);
    }
  }
}

TEST_CASE("language: the phenomena are mixed as promised") {
  const auto between = [](double value, double low, double high) { return value > low && value < high; };
  CHECK(between(share_with("capital of"), 0.10, 0.25));
  CHECK(between(share_with(" it was too "), 0.03, 0.12));
  CHECK(between(share_with("because it "), 0.12, 0.28));
  CHECK(between(share_with("The one that "), 0.12, 0.28));
  CHECK(between(share_with("gave a "), 0.12, 0.28));
  CHECK(between(share_with("said"), 0.10, 0.40));
}

TEST_CASE("language: nothing held out is in a text") {
  // Prompts by their first bytes, so that each place of a text is looked up once.
  constexpr std::size_t kFirst = 12;
  std::unordered_map<std::string_view, std::vector<std::string_view>> prompts;
  std::vector<Case> questions;
  for (const Phenomenon phenomenon : phenomena) {
    for (Case& one : held_out(phenomenon, 500, 1)) questions.push_back(std::move(one));
  }
  for (BookCase& one : book_cases()) questions.push_back(std::move(one.question));
  for (const Case& one : questions) {
    REQUIRE(one.prompt.size() >= kFirst);
    prompts[std::string_view(one.prompt).substr(0, kFirst)].push_back(one.prompt);
  }
  std::size_t met = 0;  // places that begin like a prompt: the look-up does look
  for (const std::string& one : texts()) {
    for (std::size_t at = 0; at + kFirst <= one.size(); ++at) {
      const auto found = prompts.find(std::string_view(one).substr(at, kFirst));
      if (found == prompts.end()) continue;
      ++met;
      for (const std::string_view prompt : found->second) {
        const bool here = std::string_view(one).substr(at).starts_with(prompt);
        CHECK_MESSAGE(!here, prompt);
      }
    }
  }
  CHECK(met > 10'000);
}

TEST_CASE("language: no held-out pair of names or animals acts together") {
  std::size_t pairs = 0, chases = 0;
  for (const std::string& one : texts()) {
    for (const std::string_view sentence : sentences_of(one)) {
      if (is_list_of_names(sentence)) continue;
      const auto people = names_in(sentence);
      for (std::size_t i = 1; i < people.size(); ++i) {
        if (people[i] == people[0]) continue;
        ++pairs;
        CHECK_MESSAGE(!held_out_pair(people[0], people[i]), sentence);
      }
      const bool chase = sentence.find("chased the ") != std::string_view::npos ||
                         sentence.find("ed by the ") != std::string_view::npos;
      if (!chase) continue;
      std::vector<std::string_view> animals;
      for (const std::string_view word : words_of(sentence)) {
        if (in_list("animal", word)) animals.push_back(word);
      }
      if (animals.size() < 2) continue;
      ++chases;
      CHECK_MESSAGE(!held_out_pair(animals[0], animals[1]), sentence);
    }
  }
  CHECK(pairs > 10'000);
  CHECK(chases > 2'000);
}

TEST_CASE("language: no held-out person meets a capital, no held-out city is a home by the book's form") {
  std::size_t met = 0;
  for (const std::string& one : texts()) {
    for (const std::string_view sentence : sentences_of(one)) {
      const auto people = names_in(sentence);
      for (const Capital& capital : capitals) {
        if (sentence.find(capital.city) == std::string_view::npos) continue;
        for (const std::string_view name : people) {
          ++met;
          CHECK_MESSAGE(!held_out_city(name, capital.city), sentence);
        }
        const std::string home = " lives in " + std::string(capital.city) + ", the capital of";
        if (held_out_home(capital.city)) CHECK_MESSAGE(sentence.find(home) == std::string_view::npos, sentence);
      }
    }
  }
  CHECK(met > 5'000);
}

TEST_CASE("language: no held-out noun is 'it' beside the other noun") {
  std::size_t met = 0;
  for (const std::string& one : texts()) {
    for (const std::string_view sentence : sentences_of(one)) {
      const auto words = words_of(sentence);
      const auto it = std::find(words.begin(), words.end(), "it");
      if (it == words.end() || it + 1 == words.end()) continue;
      for (const Noun& noun : nouns) {
        const auto verbs = words_of(noun.verbs);
        if (std::find(verbs.begin(), verbs.end(), *(it + 1)) == verbs.end()) continue;
        for (auto word = words.begin(); word < it; ++word) {
          const bool other = in_list("way", *word) || in_list("mark", *word) || in_list("building", *word) ||
                             in_list("beast", *word) || in_list("toy", *word);
          if (!other || *word == noun.word) continue;
          ++met;
          CHECK_MESSAGE(!held_out_it(noun.word, *word), sentence);
        }
      }
    }
  }
  CHECK(met > 5'000);
}

TEST_CASE("language: each held-out word, fact and answer is in the texts") {
  std::set<std::string_view> known;
  std::set<std::string> facts;
  for (const std::string& one : texts()) {
    for (const std::string_view word : words_of(one)) known.insert(word);
    for (const Capital& capital : capitals) {
      for (const std::string& fact : {std::string(capital.city) + ", the capital of " + std::string(capital.country),
                                      std::string(capital.country) + " speak " + std::string(capital.tongue)}) {
        if (one.find(fact) != std::string::npos) facts.insert(fact);
      }
    }
  }
  CHECK(facts.size() == 2 * std::size(capitals));
  for (const Phenomenon phenomenon : phenomena) {
    for (const Case& one : held_out(phenomenon, 500, 2)) {
      CAPTURE(one.prompt);
      for (const std::string_view word : words_of(one.prompt)) CHECK_MESSAGE(known.count(word) == 1, word);
      for (const std::string& answer : one.right) CHECK_MESSAGE(known.count(words_of(answer).at(0)) == 1, answer);
    }
  }
  for (const BookCase& one : book_cases()) {
    for (const std::string_view word : words_of(one.question.prompt)) CHECK_MESSAGE(known.count(word) == 1, word);
  }
}

TEST_CASE("language: the giver is as often the one named first, and errands are not held out") {
  std::size_t first = 0, all = 0, errands = 0;
  for (const std::string& one : texts()) {
    for (const std::string_view sentence : sentences_of(one)) {
      const auto people = names_in(sentence);
      if (people.size() != 4 || sentence.find(" to ") == std::string_view::npos) continue;
      const bool gives =
          (people[2] == people[0] && people[3] == people[1]) || (people[2] == people[1] && people[3] == people[0]);
      if (!gives) continue;
      ++all;
      first += people[2] == people[0];
      for (const std::string_view place : words_of(sentence)) {
        for (const std::string_view thing : words_of(sentence)) {
          if (!in_list("place", place) || !in_list("thing", thing)) continue;
          ++errands;
          CHECK_MESSAGE(!held_out_errand(place, thing), sentence);
        }
      }
    }
  }
  CHECK(all > 3'000);
  CHECK(errands > 3'000);
  CHECK(static_cast<double>(first) / static_cast<double>(all) == doctest::Approx(0.5).epsilon(0.04));
}
