#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <random>
#include <string>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "core/text/bpe.hpp"
#include "tests/core/text_fixtures.hpp"

using namespace lookback;
using lookback::testing::small_vocabulary;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> pieces_of(const Vocabulary& vocabulary, std::string_view text) {
  std::vector<std::string> pieces;
  for (const int id : encode(vocabulary, text, SpecialTokens::as_text)) pieces.emplace_back(vocabulary.token_bytes(id));
  return pieces;
}

// The loop of openai/gpt-2's encoder.py, on strings: take the best pair of the word, merge it everywhere, repeat.
std::vector<std::string> pieces_by_the_original_loop(const Pairs& merges, const std::string& word) {
  std::map<std::pair<std::string, std::string>, std::size_t> ranks;
  for (std::size_t rank = 0; rank < merges.size(); ++rank) ranks.emplace(merges[rank], rank);
  std::vector<std::string> pieces;
  for (const char byte : word) pieces.emplace_back(1, byte);
  for (;;) {
    std::size_t best = merges.size();
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
      const auto found = ranks.find({pieces[i], pieces[i + 1]});
      if (found != ranks.end()) best = std::min(best, found->second);
    }
    if (best == merges.size()) return pieces;
    std::vector<std::string> merged;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (i + 1 < pieces.size() && pieces[i] == merges[best].first && pieces[i + 1] == merges[best].second) {
        merged.push_back(pieces[i] + pieces[i + 1]);
        ++i;
      } else {
        merged.push_back(pieces[i]);
      }
    }
    pieces = std::move(merged);
  }
}

}  // namespace

TEST_CASE("bpe: merges go by rank, from left to right") {
  using Pieces = std::vector<std::string>;
  CHECK(pieces_of(small_vocabulary({{"b", "c"}, {"a", "b"}}), "abc") == Pieces{"a", "bc"});
  CHECK(pieces_of(small_vocabulary({{"a", "b"}, {"b", "c"}}), "abc") == Pieces{"ab", "c"});
  CHECK(pieces_of(small_vocabulary({{"a", "a"}}), "aaaaa") == Pieces{"aa", "aa", "a"});
  CHECK(pieces_of(small_vocabulary({{"a", "a"}, {"aa", "aa"}}), "aaaaaaa") == Pieces{"aaaa", "aa", "a"});
  // No merge reaches over the edge of a word.
  CHECK(pieces_of(small_vocabulary({{"a", "1"}, {" ", "b"}}), "a1 b") == Pieces{"a", "1", " b"});
  // Every place of the best pair merges before a pair that this makes, even one of a lower rank.
  CHECK(pieces_of(small_vocabulary({{"ab", "a"}, {"a", "b"}}), "abab") == Pieces{"ab", "ab"});
  CHECK(pieces_of(small_vocabulary({}), "é") == Pieces{"\xC3", "\xA9"});
  CHECK(pieces_of(small_vocabulary({}), "").empty());
}

TEST_CASE("bpe: equals the original's loop on random merges in random order") {
  std::mt19937 random(2);
  const auto below = [&random](std::size_t n) { return random() % n; };
  for (int round = 0; round < 300; ++round) {
    Pairs merges;
    std::vector<std::string> known = {"a", "b", "c"};
    for (std::size_t i = 0, n = 1 + below(25); i < n; ++i) {
      const std::pair<std::string, std::string> pair{known[below(known.size())], known[below(known.size())]};
      if (std::find(merges.begin(), merges.end(), pair) != merges.end()) continue;
      merges.push_back(pair);
      known.push_back(pair.first + pair.second);
    }
    if (round % 2 == 1) std::shuffle(merges.begin(), merges.end(), random);
    const Vocabulary vocabulary = small_vocabulary(merges);
    for (int i = 0; i < 30; ++i) {
      std::string word;
      for (std::size_t n = 1 + below(40); word.size() < n;) word += known[below(3)];
      CAPTURE(word);
      CHECK(pieces_of(vocabulary, word) == pieces_by_the_original_loop(merges, word));
    }
  }
}

TEST_CASE("bpe: a special token is text unless asked for") {
  const Vocabulary vocabulary = small_vocabulary({{"a", "b"}, {" ", "a"}}, {"<|end|>", "<|end|>>"});
  const int end = 258, longer = 259;
  using Ids = std::vector<int>;
  CHECK(encode(vocabulary, "ab<|end|>", SpecialTokens::recognised) == Ids{256, end});
  CHECK(encode(vocabulary, "ab<|end|>", SpecialTokens::as_text) == Ids{256, '<', '|', 'e', 'n', 'd', '|', '>'});
  CHECK(encode(vocabulary, "<|end|><|end|>>", SpecialTokens::recognised) == Ids{end, longer});
  CHECK(encode(vocabulary, "<|end|", SpecialTokens::recognised) == Ids{'<', '|', 'e', 'n', 'd', '|'});
  // White space before it ends there; a space after it belongs to the next word.
  CHECK(encode(vocabulary, "a  <|end|> a", SpecialTokens::recognised) == Ids{'a', ' ', ' ', end, 257});
  CHECK(encode(vocabulary, "", SpecialTokens::recognised).empty());
}

TEST_CASE("bpe: tokens tell their bytes and their word") {
  const Vocabulary vocabulary = small_vocabulary({{"a", "b"}, {"\xE2", "\x80"}}, {"<|end|>"});
  const TokenisedText result = tokenise(vocabulary, "abc “<|end|>ab\xFF", SpecialTokens::recognised);
  CHECK(result.text == "abc “<|end|>ab�");
  const TokenSpan expected[] = {{256, 0, 2, 0},    {'c', 2, 3, 0},   {' ', 3, 4, 1},   {257, 4, 6, 1},
                                {0x9C, 6, 7, 1},   {258, 7, 14, 2},  {256, 14, 16, 3}, {0xEF, 16, 17, 4},
                                {0xBF, 17, 18, 4}, {0xBD, 18, 19, 4}};
  REQUIRE(result.tokens.size() == std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    CAPTURE(i);
    CHECK(result.tokens[i].id == expected[i].id);
    CHECK(result.tokens[i].begin == expected[i].begin);
    CHECK(result.tokens[i].end == expected[i].end);
    CHECK(result.tokens[i].word == expected[i].word);
  }
}

TEST_CASE("bpe: decoding an id that the vocabulary lacks is refused") {
  const Vocabulary vocabulary = small_vocabulary({{"a", "b"}});
  CHECK(*decode(vocabulary, std::vector<int>{256, ' ', 0xE2}) == "ab \xE2");
  CHECK(decode(vocabulary, std::vector<int>{})->empty());
  for (const int id : {-1, 257, 2147483647}) {
    const auto decoded = decode(vocabulary, std::vector<int>{'a', id});
    REQUIRE_FALSE(bool(decoded));
    CHECK(decoded.error().code == ErrorCode::bad_argument);
    CHECK(decoded.error().sentence ==
          "There is no token " + std::to_string(id) + ": the vocabulary's ids run from 0 to 256.");
  }
}

TEST_CASE("bpe: random bytes come back as the repaired text, and well-formed text as it was") {
  const Vocabulary vocabulary =
      small_vocabulary({{" ", "a"}, {"\xC3", "\xA9"}, {"\xEF", "\xBF"}, {"\xEF\xBF", "\xBD"}});
  std::mt19937 random(3);
  const std::string bytes = "aé \n'1\xE2\x80\x9C\xF0\x9F\x98\x80\xFF\xC0\xED";
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::size_t n = random() % 30; text.size() < n;) text += bytes[random() % bytes.size()];
    const std::string repaired = well_formed(text);
    CHECK(*decode(vocabulary, encode(vocabulary, text, SpecialTokens::as_text)) == repaired);
    CHECK(encode(vocabulary, repaired, SpecialTokens::as_text) == encode(vocabulary, text, SpecialTokens::as_text));
  }
}

// The processor's time where there is such a clock: a busy machine does not count.
static double seconds_worked() {
#ifdef __EMSCRIPTEN__
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
#else
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

TEST_CASE("bpe: the time for long repeats grows with their length, not with its square") {
  const Vocabulary vocabulary = small_vocabulary({{"a", "a"}, {"aa", "aa"}, {"aaaa", "aaaa"}, {" ", " "}}, {"<|end|>"});
#ifdef __GLIBC__
  // Where pages of memory are dear, taking large blocks anew from the system each time would outweigh the work.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  for (const std::string& part : {std::string("a"), std::string(" "), std::string("<"), std::string("<|end|>"),
                                  std::string("\xF0"), std::string("'s"), std::string("a ")}) {
    CAPTURE(part);
    const auto seconds_for = [&](std::size_t size) {
      std::string text;
      while (text.size() < size) text += part;
      const double start = seconds_worked();
      const auto ids = encode(vocabulary, text, SpecialTokens::recognised);
      const double seconds = seconds_worked() - start;
      CHECK(*decode(vocabulary, ids) == well_formed(text));
      return seconds;
    };
    // Sixteen times the text would take 256 times as long by the square, each time. A busy machine, which slows longer
    // work most, does not do so each time.
    bool grows_with_length = false;
    for (int turn = 0; turn < 20 && !grows_with_length; ++turn) {
      const double shorter = seconds_for(25000), longer = seconds_for(400000);
      grows_with_length = longer < 110 * shorter;
    }
    CHECK(grows_with_length);
  }
}

TEST_CASE("bpe: done a bit at a time the tokens are the same, and a word of a megabyte is many bits") {
  const Vocabulary vocabulary = small_vocabulary({{"a", "a"}, {"aa", "aa"}, {"a", "b"}, {" ", "a"}, {"aaaa", "aaaa"}}, {"<|end|>"});
  const auto in_bits = [&](std::string_view text, std::size_t work, SpecialTokens special, std::size_t& bits) {
    Tokenising under_way(vocabulary, text, special);
    for (bits = 1; under_way.step(work); ++bits) {}
    CHECK_FALSE(under_way.step(work));
    return under_way.text();
  };
  const auto same = [](const TokenSpan& a, const TokenSpan& b) {
    return a.id == b.id && a.begin == b.begin && a.end == b.end && a.word == b.word;
  };
  std::size_t bits = 0;
  for (const std::string_view text : {"", "a", "<|end|>", "<|end|><|end|>aaab ab<|end|> \n aab's", "aaaaaaaaaaaaaaaaaab", " \xFF "}) {
    for (const SpecialTokens special : {SpecialTokens::as_text, SpecialTokens::recognised}) {
      const TokenisedText whole = tokenise(vocabulary, text, special);
      for (const std::size_t work : {1, 2, 3, 50}) {
        CAPTURE(text);
        CAPTURE(work);
        const TokenisedText bit = in_bits(text, work, special, bits);
        CHECK(bit.text == whole.text);
        CHECK(std::equal(bit.tokens.begin(), bit.tokens.end(), whole.tokens.begin(), whole.tokens.end(), same));
      }
    }
  }
  const std::string word(1 << 20, 'a');
  const TokenisedText tokens = in_bits(word, 1000, SpecialTokens::as_text, bits);
  CHECK(tokens.tokens.size() == word.size() / 8);
  CHECK(bits > word.size() / 1000);
  CHECK(bits < 8 * word.size() / 1000);  // in proportion to the word
}
