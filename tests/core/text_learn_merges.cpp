#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/language/cases.hpp"
#include "core/language/lexicon.hpp"
#include "core/language/texts.hpp"
#include "core/text/bpe.hpp"
#include "core/text/learn_merges.hpp"
#include "core/text/words.hpp"
#include "tests/core/text_fixtures.hpp"

using namespace lookback;

namespace {

using Texts = std::vector<std::string>;

Vocabulary parsed(const LearnedVocabulary& files) {
  auto vocabulary = Vocabulary::parse(files.vocab_json, files.merges_txt);
  REQUIRE_MESSAGE(bool(vocabulary), vocabulary.error().sentence);
  return std::move(*vocabulary);
}

LearnedVocabulary learned(const Texts& texts, std::size_t n_entries) {
  auto files = learn_merges(texts, n_entries);
  REQUIRE_MESSAGE(bool(files), files.error().sentence);
  return std::move(*files);
}

// The loop of the definition, on strings: count every pair anew, merge the best, repeat.
std::string merges_by_the_plain_loop(const Texts& texts, std::size_t n_merges) {
  std::vector<std::vector<std::string>> words;
  for (const std::string& text : texts) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = word_end(text, begin);
      words.emplace_back();
      for (; begin < end; ++begin) words.back().emplace_back(1, text[begin]);
    }
  }
  std::string lines = "#version: 0.2\n";
  for (std::size_t made = 0; made < n_merges; ++made) {
    std::map<std::pair<std::string, std::string>, int> counts;
    for (const auto& word : words) {
      for (std::size_t i = 0; i + 1 < word.size(); ++i) ++counts[{word[i], word[i + 1]}];
    }
    int most = 1;
    std::pair<std::string, std::string> best;
    for (const auto& [pair, count] : counts) {
      if (count > most) most = count, best = pair;  // the map's order is the order of bytes for ASCII
    }
    if (most == 1) break;
    lines += lookback::testing::in_letters(best.first) + " " + lookback::testing::in_letters(best.second) + "\n";
    for (auto& word : words) {
      for (std::size_t i = 0; i + 1 < word.size(); ++i) {
        if (word[i] != best.first || word[i + 1] != best.second) continue;
        word[i] += word[i + 1];
        word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
    }
  }
  return lines;
}

}  // namespace

TEST_CASE("learn merges: by hand") {
  // The words "hug", " hug", " pug", " hugs": u g stands four times, then h ug three times, then " " hug twice, and
  // after that no pair twice.
  const LearnedVocabulary files = learned({"hug hug pug hugs"}, 400);
  CHECK(files.merges_txt == "#version: 0.2\nu g\nh ug\n\u0120 hug\n");
  const Vocabulary vocabulary = parsed(files);
  CHECK(vocabulary.size() == 260);
  CHECK(vocabulary.token_bytes(0) == "!");
  CHECK(vocabulary.token_bytes(93) == "~");
  CHECK(vocabulary.token_bytes(94) == "\xA1");
  CHECK(vocabulary.token_bytes(187) == "\xFF");
  CHECK(vocabulary.token_bytes(188) == std::string_view("\0", 1));
  CHECK(vocabulary.token_bytes(220) == " ");
  CHECK(vocabulary.token_bytes(255) == "\xAD");
  CHECK(vocabulary.token_bytes(256) == "ug");
  CHECK(vocabulary.token_bytes(258) == " hug");
  CHECK(vocabulary.token_bytes(259) == "<|endoftext|>");
  REQUIRE(vocabulary.special_tokens().size() == 1);
  CHECK(encode(vocabulary, " hugs<|endoftext|>", SpecialTokens::recognised).back() == 259);
}

TEST_CASE("learn merges: ties go to the pair whose bytes come first") {
  CHECK(learned({"cd", "cd", "ab", "ab"}, 258).merges_txt == "#version: 0.2\na b\n");
  CHECK(learned({"ad", "ac", "ad", "ac"}, 258).merges_txt == "#version: 0.2\na c\n");
  // A space, byte 32, comes before every letter, though its letter in the file does not.
  CHECK(learned({" x x xy xy"}, 258).merges_txt == "#version: 0.2\n\u0120 x\n");
}

TEST_CASE("learn merges: equals the plain loop on random words") {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    std::string text;
    for (std::size_t n = 1 + random() % 200; text.size() < n;) text += "aabbc \n'"[random() % 8];
    CAPTURE(text);
    const std::size_t n_merges = random() % 40;
    const Texts texts = {text, text + "x"};
    CHECK(learned(texts, 257 + n_merges).merges_txt == merges_by_the_plain_loop(texts, n_merges));
  }
}

TEST_CASE("learn merges: what it refuses and what it bears") {
  const auto refused = learn_merges(Texts{"a"}, 256);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::bad_argument);
  CHECK(refused.error().sentence ==
        "n_entries is 256, but a vocabulary needs at least 257: the 256 bytes and <|endoftext|>.");
  CHECK(parsed(learned({}, 2048)).size() == 257);
  CHECK(parsed(learned({""}, 257)).size() == 257);
  CHECK(learned({"aa aa"}, 257).merges_txt == "#version: 0.2\n");
  // Quotes and backslashes in tokens; ill-formed UTF-8.
  const Vocabulary odd = parsed(learned({"\"\\ \"\\ \"\\", "\xFF\xFE \xFF\xFE", "é é é"}, 300));
  CHECK(odd.size() > 259);
  const auto ids = encode(odd, "\"\\ é\n", SpecialTokens::as_text);
  const auto back = decode(odd, ids);
  REQUIRE(back);
  CHECK(*back == "\"\\ é\n");
}

TEST_CASE("learn merges: the little language's own vocabulary") {
  Texts texts;
  for (std::uint64_t number = 0; number <= 20'000; ++number) texts.push_back(language::text(number));
  const LearnedVocabulary files = learned(texts, 2048);
  const Vocabulary vocabulary = parsed(files);
  CHECK(vocabulary.size() == 2048);
  for (std::size_t number = 0; number < texts.size(); number += 97) {
    const auto back = decode(vocabulary, encode(vocabulary, texts[number], SpecialTokens::as_text));
    REQUIRE(back);
    CHECK(*back == texts[number]);
  }

  // The words that the phenomena turn on are one token each, with their leading space.
  const auto one_token = [&](std::string_view word) {
    const auto ids = encode(vocabulary, " " + std::string(word), SpecialTokens::as_text);
    CHECK_MESSAGE(ids.size() == 1, word);
  };
  for (const std::string_view name : language::names) one_token(name);
  for (const language::Capital& capital : language::capitals)
    one_token(capital.city), one_token(capital.country), one_token(capital.tongue);
  for (const language::Noun& noun : language::nouns) one_token(noun.word);
  for (const std::string_view word : language::common_words()) one_token(word);
  for (const language::Phenomenon phenomenon : language::phenomena) {
    for (const language::Case& one : language::held_out(phenomenon, 500, 1)) {
      for (const auto* side : {&one.right, &one.wrong}) {
        for (const std::string& answer : *side) {
          // What things are too much of is said more rarely; these three words are pieces.
          if (answer != " wide" && answer != " rusty" && answer != " dirty") one_token(std::string_view(answer).substr(1));
        }
      }
    }
  }
}
