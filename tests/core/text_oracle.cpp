// Held against a public GPT-2 tokenizer: tests/web/tokenizer_oracle.mjs writes the strings and what it makes of them.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/text/bpe.hpp"
#include "tests/core/text_fixtures.hpp"

using namespace lookback;
using lookback::testing::file_bytes;
using lookback::testing::gpt2_vocabulary;
using lookback::testing::project_path;
using lookback::testing::setting_or;

namespace {

// Takes numbers and texts off the front of the oracle's file. A file that ends too early fails the test.
struct OracleFile {
  std::string_view rest;

  std::string_view bytes(std::size_t count) {
    REQUIRE(count <= rest.size());
    const std::string_view taken = rest.substr(0, count);
    rest.remove_prefix(count);
    return taken;
  }
  std::uint32_t number() {
    std::uint32_t value = 0;
    int shift = 0;
    for (const char byte : bytes(4)) value |= std::uint32_t{static_cast<unsigned char>(byte)} << shift, shift += 8;
    return value;
  }
  std::vector<int> numbers() {
    std::vector<int> values;
    for (std::uint32_t left = number(); left > 0; --left) values.push_back(static_cast<int>(number()));
    return values;
  }
};

// The byte length of each word, as the tokens tell it.
std::vector<int> word_lengths(const TokenisedText& text) {
  std::vector<int> lengths;
  for (const TokenSpan& token : text.tokens) {
    if (token.word == static_cast<int>(lengths.size())) lengths.push_back(0);
    lengths.back() += static_cast<int>(token.end - token.begin);
  }
  return lengths;
}

std::vector<int> ids_of(const TokenisedText& text) {
  std::vector<int> ids;
  for (const TokenSpan& token : text.tokens) ids.push_back(token.id);
  return ids;
}

}  // namespace

TEST_CASE("oracle: tokens and words equal those of a public GPT-2 tokenizer") {
  const std::string path = setting_or("LOOKBACK_ORACLE", project_path("build/tokenizer-oracle.bin"));
  const auto content = file_bytes(path);
  if (!content) {
    MESSAGE("skipped: no file ", path, "; node tests/web/tokenizer_oracle.mjs writes it");
    return;
  }
  const auto vocabulary = gpt2_vocabulary();
  if (!vocabulary) return;

  OracleFile file{*content};
  REQUIRE(file.bytes(4) == "LBTO");
  const std::uint32_t count = file.number();
  CHECK(count >= 20000);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string_view text = file.bytes(file.number());
    const std::vector<int> plain = file.numbers(), special = file.numbers(), words = file.numbers();
    const TokenisedText ours = tokenise(*vocabulary, text, SpecialTokens::as_text);
    CAPTURE(i);
    CAPTURE(display(text.substr(0, 400)));
    CHECK(ids_of(ours) == plain);
    CHECK(word_lengths(ours) == words);
    CHECK(encode(*vocabulary, text, SpecialTokens::recognised) == special);
    CHECK(*decode(*vocabulary, plain) == ours.text);
  }
  CHECK(file.rest.empty());
  MESSAGE(count, " strings compared");
}
