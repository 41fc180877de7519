// The stories: the intended token wins, by dot products alone, and nobody looks ahead.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "core/lessons/limits.hpp"
#include "core/lessons/story.hpp"

using namespace lookback;
using namespace lookback::lessons;

namespace {

const Story& told(std::string_view id) {
  for (const Story& s : stories()) {
    if (s.id == id) return s;
  }
  REQUIRE(false);
  return stories()[0];
}

StoryInput as_told(std::string_view id) {
  StoryInput input{tokens_of(told(id))};
  input.asking = default_asking(input.tokens, &told(id));
  return input;
}

std::string joined(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& t : tokens) text += t.text;
  return text;
}

// Highest and second highest score.
std::pair<float, float> top_two(const StoryOutput& output) {
  float first = 0, second = 0;
  for (const Candidate& c : output.candidates) {
    second = std::max(second, std::min(first, c.match.score));
    first = std::max(first, c.match.score);
  }
  return {first, second};
}

double dot_in_double(const FeatureVector& a, const FeatureVector& b) {
  double total = 0;
  for (std::size_t i = n_features; i-- > 0;) {
    total += static_cast<double>(at(a, static_cast<Feature>(i))) * at(b, static_cast<Feature>(i));
  }
  return total;
}

}  // namespace

TEST_CASE("in each story the intended token wins by a clear margin") {
  struct Case {
    std::string_view id, asking, answer;
  };
  const Case cases[] = {
      {"river", " bank", " river"}, {"savings", " bank", " savings"}, {"slipper", " it", " puppy"},
      {"chest", " opened", "Ines"}, {"orim", " sky", " Orim"},        {"treaty", " treaty", " Larkmoor"},
  };
  REQUIRE(stories().size() == std::size(cases));
  for (const Case& c : cases) {
    INFO(c.id);
    const StoryInput input = as_told(c.id);
    CHECK(input.tokens[input.asking].text == c.asking);
    const auto found = story(input);
    REQUIRE(found);
    REQUIRE(found->best);
    CHECK(input.tokens[*found->best].text == c.answer);
    const auto [first, second] = top_two(*found);
    CHECK(first > 0.55f);
    CHECK(first - second > 0.25f);
    for (const Candidate& candidate : found->candidates) {
      const double expected = dot_in_double(found->query.vector, candidate.match.key.vector);
      CHECK(candidate.match.score == doctest::Approx(expected).epsilon(1e-6));
    }
  }
}

TEST_CASE("the same “bank” with the same query finds water in one story and money in the other") {
  const StoryInput river = as_told("river"), savings = as_told("savings");
  CHECK(river.tokens[river.asking].query.phrase == savings.tokens[savings.asking].query.phrase);
  CHECK(river.tokens[river.asking].key.phrase == savings.tokens[savings.asking].key.phrase);
}

TEST_CASE("the treaty's name stands long before the treaty") {
  const StoryInput input = as_told("treaty");
  const auto found = story(input);
  REQUIRE(found);
  CHECK(input.asking - *found->best >= 40);
}

TEST_CASE("the stories use no word that the lexicon lacks, and the asking word stands once") {
  std::set<std::string_view> ids;
  for (const Story& s : stories()) {
    INFO(s.id);
    CHECK(ids.insert(s.id).second);
    StoryInput input{tokens_of(s)};
    REQUIRE(input.tokens.size() <= limits::tokens);
    int standing = 0;
    for (std::size_t i = 0; i < input.tokens.size(); ++i) {
      standing += input.tokens[i].text == s.asking ? 1 : 0;
      input.asking = i;
      const auto found = story(input);
      REQUIRE(found);
      for (const std::string& word : found->unknown_words) FAIL_CHECK(word);
      CHECK(phrase(input.tokens[i].key, {}).length > 0);
    }
    CHECK(standing == 1);
  }
}

TEST_CASE("a token sees what stands before it and nothing after") {
  StoryInput input = as_told("chest");
  const auto before = story(input);
  REQUIRE(before);
  CHECK(before->candidates.size() == input.asking);
  input.tokens.back().key.phrase = "the person who acted";
  input.tokens[input.asking].key.phrase = "the person who acted";
  const auto after = story(input);
  REQUIRE(after);
  for (std::size_t i = 0; i < input.asking; ++i) {
    CHECK(after->candidates[i].match.score == before->candidates[i].match.score);
  }
  CHECK(*after->best == *before->best);

  input.include_self = true;
  const auto with_self = story(input);
  REQUIRE(with_self);
  CHECK(with_self->candidates.size() == input.asking + 1);
  CHECK(*with_self->best == input.asking);

  input.asking = 0;
  input.include_self = false;
  const auto first = story(input);
  REQUIRE(first);
  CHECK(first->candidates.empty());
  CHECK_FALSE(first->best);
}

TEST_CASE("changing one feature of one word moves the score to the new q·k") {
  StoryInput input = as_told("orim");
  const auto before = story(input);
  input.word_edits = {{"planet", Feature::money, 1.5f}};
  const auto after = story(input);
  REQUIRE(after);
  const std::size_t orim = *before->best;
  CHECK(after->candidates[orim].match.score < before->candidates[orim].match.score - 0.2f);
  // q = (1, 1)/√2 on place and sky; k = (0.6, 0.8, 1.5) on place, sky and money, brought to length 1.
  const double expected = (0.6 + 0.8) / std::sqrt(2.0) / std::sqrt(0.36 + 0.64 + 2.25);
  CHECK(after->candidates[orim].match.score == doctest::Approx(expected).epsilon(1e-6));
}

TEST_CASE("a reader's sentence is cut into tokens that give it back byte for byte") {
  for (const char* text : {"The cat.  Then,\n\tit slept… “soundly”—yes!", " x ", "a", "?!", "été d'été  ",
                           "one\xF0\x9F\x8C\x99two", "'quoted' words"}) {
    INFO(text);
    const auto tokens = tokens_of(text, nullptr);
    CHECK(joined(tokens) == text);
    for (const Token& t : tokens) CHECK(t.text.find_first_not_of(" \n\t\r") != std::string::npos);
  }
  CHECK(tokens_of("", nullptr).empty());
  CHECK(tokens_of(" \n ", nullptr).empty());
  const auto tokens = tokens_of("A planet, seen.", nullptr);
  REQUIRE(tokens.size() == 5);
  CHECK(tokens[1].text == " planet");
  CHECK(tokens[1].key.phrase == "planet");
  CHECK(tokens[2].text == ",");
  CHECK(tokens[2].key.phrase.empty());
  CHECK(default_asking(tokens, nullptr) == 3);
}

TEST_CASE("a changed sentence keeps the phrases of the words that stayed") {
  const Story& s = told("river");
  const auto same = tokens_of(joined(tokens_of(s)), &s);
  const auto original = tokens_of(s);
  REQUIRE(same.size() == original.size());
  for (std::size_t i = 0; i < same.size(); ++i) {
    CHECK(same[i].text == original[i].text);
    CHECK(same[i].query.phrase == original[i].query.phrase);
    CHECK(same[i].key.phrase == original[i].key.phrase);
    CHECK(same[i].value == original[i].value);
  }
  StoryInput input{tokens_of("At noon the otter left the cold treasure and stretched out on the bank.", &s)};
  input.asking = default_asking(input.tokens, &s);
  const auto found = story(input);
  REQUIRE(found);
  CHECK(input.tokens[input.asking].text == " bank");
  CHECK(input.tokens[*found->best].text == " treasure");
}

TEST_CASE("too many tokens and an asking token that is none are refused") {
  StoryInput input{std::vector<Token>(limits::tokens + 1)};
  CHECK_FALSE(story(input));
  input.tokens.resize(3);
  input.asking = 3;
  const auto refused = story(input);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().sentence == "The asking token 3 is none of the story's 3 tokens.");
}
