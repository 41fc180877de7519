// GPT-2's own vocabulary: tokens that are published, and properties that hold for every text.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

#include "core/text/bpe.hpp"
#include "tests/core/text_fixtures.hpp"

using namespace lookback;
using lookback::testing::gpt2_files;
using lookback::testing::gpt2_vocabulary;
using Ids = std::vector<int>;

TEST_CASE("gpt2: the vocabulary is read whole") {
  const auto files = gpt2_files();
  if (!files) return;
  const auto start = std::chrono::steady_clock::now();
  const auto parsed = Vocabulary::parse(files->vocab_json, files->merges_txt);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  REQUIRE_MESSAGE(bool(parsed), parsed.error().sentence);
  MESSAGE("GPT-2's vocabulary read in ", seconds.count() * 1000, " ms");
  CHECK(parsed->size() == 50257);
  CHECK(parsed->special_tokens() == Ids{50256});
  CHECK(parsed->token_bytes(50256) == "<|endoftext|>");
  CHECK(parsed->merge(0).merged == 256);
  CHECK(parsed->merge(49999).merged == 50255);
}

TEST_CASE("gpt2: known tokens") {
  const auto vocabulary = gpt2_vocabulary();
  if (!vocabulary) return;
  CHECK(encode(*vocabulary, "hello <|endoftext|>", SpecialTokens::recognised) == Ids{31373, 220, 50256});
  CHECK(encode(*vocabulary, "hello <|endoftext|>", SpecialTokens::as_text) ==
        Ids{31373, 1279, 91, 437, 1659, 5239, 91, 29});
  CHECK(encode(*vocabulary, "Hello", SpecialTokens::as_text) == Ids{15496});
  CHECK(encode(*vocabulary, "The dog", SpecialTokens::as_text) == Ids{464, 3290});
  // Nothing is stripped before punctuation, nothing added.
  CHECK(*decode(*vocabulary, Ids{88, 318, 5633}) == "y is ?");
  CHECK(*decode(*vocabulary, Ids{50256, 220}) == "<|endoftext|> ");
}

TEST_CASE("gpt2: half characters, spaces and controls are shown") {
  const auto vocabulary = gpt2_vocabulary();
  if (!vocabulary) return;
  const auto shown = [&](const std::string& text) {
    std::string all;
    for (const int id : encode(*vocabulary, text, SpecialTokens::as_text)) all += token_display(*vocabulary, id) + "|";
    return all;
  };
  CHECK(shown("It didn’t") == "It| didn|⟨E2 80⟩|⟨99⟩|t|");
  CHECK(shown("a\n\tb") == "a|↵|⇥|b|");
  CHECK(shown("a\u00A0b") == "a|⟨U+00A0⟩|b|");
  CHECK(shown("\u200D") == "⟨E2 80⟩|⟨8D⟩|");
}

TEST_CASE("gpt2: every token's bytes are shown without loss and without controls") {
  const auto vocabulary = gpt2_vocabulary();
  if (!vocabulary) return;
  for (int id = 0; id < vocabulary->size(); ++id) {
    const std::string text = token_display(*vocabulary, id);
    CAPTURE(id);
    CHECK_FALSE(text.empty());
    CHECK(well_formed(text) == text);
    bool control = false;
    for (const char byte : text) control = control || static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F;
    CHECK_FALSE(control);
  }
}

TEST_CASE("gpt2: random well-formed text round-trips, and its spans tile it") {
  const auto vocabulary = gpt2_vocabulary();
  if (!vocabulary) return;
  std::mt19937 random(5);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::size_t n = random() % 40; n > 0; --n) {
      char32_t code = random() % 3 == 0 ? random() % 0x110000 : random() % 2 == 0 ? random() % 0x3000 : random() % 0x80;
      if (code >= 0xD800 && code <= 0xDFFF) code = ' ';
      append_utf8(text, code);
    }
    for (const SpecialTokens special : {SpecialTokens::as_text, SpecialTokens::recognised}) {
      const TokenisedText result = tokenise(*vocabulary, text, special);
      CHECK(result.text == text);
      CHECK(*decode(*vocabulary, encode(*vocabulary, text, special)) == text);
      std::size_t at = 0;
      int word = 0;
      for (const TokenSpan& token : result.tokens) {
        CHECK(token.begin == at);
        CHECK(vocabulary->token_bytes(token.id) == text.substr(token.begin, token.end - token.begin));
        CHECK((token.word == word || token.word == word + 1));
        at = token.end;
        word = token.word;
      }
      CHECK(at == text.size());
    }
  }
}

TEST_CASE("gpt2: ten thousand times one letter") {
  const auto vocabulary = gpt2_vocabulary();
  if (!vocabulary) return;
  double slowest = 0;
  for (const char letter : {'a', 'z', ' ', '-', '1', '\n'}) {
    const std::string text(10000, letter);
    const auto start = std::chrono::steady_clock::now();
    const Ids ids = encode(*vocabulary, text, SpecialTokens::as_text);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    CHECK(*decode(*vocabulary, ids) == text);
    slowest = std::max(slowest, seconds.count());
  }
  MESSAGE("ten thousand times one letter in at most ", slowest * 1000, " ms");
}
