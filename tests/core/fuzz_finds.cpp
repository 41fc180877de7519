// What the fuzzers found (tests/fuzz): each fault once, so that it stays mended.
#include <doctest/doctest.h>

#include "core/lessons/lessons.hpp"
#include "core/text/vocabulary.hpp"
#include "core/train/practice_json.hpp"
#include "tests/core/text_fixtures.hpp"

using namespace lookback;
using namespace lookback::testing;

TEST_CASE("vocab.json does not end at a NUL: what stands behind it counts") {
  VocabularyFiles files = small_files({{"a", "b"}});
  CHECK(bool(Vocabulary::parse(files.vocab_json, files.merges_txt)));
  files.vocab_json += std::string("\0, and more", 11);
  const auto parsed = Vocabulary::parse(files.vocab_json, files.merges_txt);
  REQUIRE_FALSE(bool(parsed));
  CHECK(parsed.error().sentence == "vocab.json is not JSON text: it holds a NUL.");
}

TEST_CASE("a lesson's input does not end at a NUL") {
  const std::string input = R"({"scores": [1, 0]})";
  CHECK(bool(lesson("softmax", input)));
  const auto answer = lesson("softmax", input + std::string("\0]", 2));
  REQUIRE_FALSE(bool(answer));
  CHECK(answer.error().code == ErrorCode::bad_argument);
}

TEST_CASE("a practice's options do not end at a NUL") {
  const std::string options = R"({"seed": 1})";
  CHECK(bool(parse_practice_options("head", options)));
  CHECK_FALSE(bool(parse_practice_options("head", options + std::string("\0]", 2))));
}

TEST_CASE("a lesson's sentences show what nobody would see") {
  const auto answer = lesson("softmax", R"({"a\u001b[31m": 1})");
  REQUIRE_FALSE(bool(answer));
  CHECK(answer.error().sentence.find('\x1b') == std::string::npos);
  CHECK(answer.error().sentence.find("U+001B") != std::string::npos);
}
