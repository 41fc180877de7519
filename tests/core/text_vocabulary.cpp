#include <doctest/doctest.h>

#include <string>

#include "core/text/vocabulary.hpp"
#include "tests/core/text_fixtures.hpp"

using namespace lookback;
using lookback::testing::small_files;
using lookback::testing::VocabularyFiles;

namespace {

// A vocabulary of the 256 bytes, "ab" (256), "abc" (257) and <|endoftext|> (258).
VocabularyFiles good() { return small_files({{"a", "b"}, {"ab", "c"}}, {"<|endoftext|>"}); }

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

// The sentence with which the two files are refused.
std::string refusal(const std::string& vocab_json, const std::string& merges_txt) {
  const auto parsed = Vocabulary::parse(vocab_json, merges_txt);
  if (parsed) return "accepted";
  CHECK(parsed.error().code == ErrorCode::bad_file);
  const std::string& sentence = parsed.error().sentence;
  CHECK(sentence.ends_with('.'));
  CHECK(sentence.find('\n') == std::string::npos);
  return sentence;
}

std::string refusal_of_json(const std::string& vocab_json) { return refusal(vocab_json, good().merges_txt); }
std::string refusal_of_merges(const std::string& merges_txt) { return refusal(good().vocab_json, merges_txt); }

bool holds(const std::string& text, const std::string& part) {
  INFO(text);
  const bool found = text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

}  // namespace

TEST_CASE("vocabulary: tokens, merges and special tokens are read") {
  const auto [vocab_json, merges_txt] = good();
  const auto parsed = Vocabulary::parse(vocab_json, merges_txt);
  REQUIRE(bool(parsed));
  CHECK(parsed->size() == 259);
  CHECK(parsed->token_bytes(257) == "abc");
  CHECK(parsed->token_bytes(' ') == " ");
  CHECK(parsed->token_bytes(259).empty());
  CHECK(parsed->token_bytes(-1).empty());
  CHECK(parsed->token_of_byte(0xFF) == 0xFF);
  CHECK(parsed->rank_of('a', 'b') == 0);
  CHECK(parsed->rank_of(256, 'c') == 1);
  CHECK(parsed->rank_of('b', 'a') == -1);
  CHECK(parsed->special_tokens() == std::vector<int>{258});
}

TEST_CASE("vocabulary: forms of the files that are fine") {
  const auto [vocab_json, merges_txt] = good();
  CHECK(refusal_of_json(" \n" + vocab_json + "\n\n") == "accepted");
  // The order of the entries is free, and a token may be written with escapes.
  CHECK(refusal_of_json(replaced(replaced(vocab_json, "\"abc\":257,", ""), "{", "{\"\\u0061bc\":257,")) == "accepted");
  for (const std::string merges : {"a b\nab c", "a b\nab c\n", "#version: 0.2\r\na b\r\nab c\r\n", "a b\nab c\n\n\n",
                                   "\xEF\xBB\xBF#version: 0.2\na b\nab c\n"}) {
    const auto parsed = Vocabulary::parse(vocab_json, merges);
    REQUIRE(bool(parsed));
    CHECK(parsed->rank_of('a', 'b') == 0);
    CHECK(parsed->rank_of(256, 'c') == 1);
  }
  // A first line of merges is no comment only because it begins with #.
  const auto [hash_json, hash_merges] = small_files({{"#", "#"}, {"##", "#"}});
  CHECK(refusal(hash_json, hash_merges) == "accepted");
  CHECK(refusal(hash_json, replaced(hash_merges, "#version: 0.2\n", "")) == "accepted");
  // Two ways to one token, and none at all.
  const auto [two_json, two_merges] = small_files({{"a", "b"}, {"b", "c"}, {"a", "bc"}, {"ab", "c"}});
  CHECK(refusal(two_json, two_merges) == "accepted");
  const auto [bytes_json, no_merges] = small_files({});
  CHECK(refusal(bytes_json, no_merges) == "accepted");
  CHECK(refusal(bytes_json, "") == "accepted");
}

TEST_CASE("vocabulary: vocab.json that is something else is named by what it begins with") {
  holds(refusal_of_json("<!doctype html><title>404</title>"), "begins with “<!doctype html>");
  holds(refusal_of_json("version https://git-lfs.github.com/spec/v1\noid sha256:1"),
        "begins with “version https://git-lfs");
  for (const char* other : {"", "[]", "[1]", "3", "-3", "1.5", "\"a\"", "null", "true"}) {
    holds(refusal_of_json(other), "is not a JSON object of tokens and ids");
  }
  holds(refusal_of_json(std::string("\0\0\0\0", 4)), "is not a JSON object");
}

TEST_CASE("vocabulary: broken JSON") {
  const std::string json = good().vocab_json;
  holds(refusal_of_json(json.substr(0, json.size() / 2)), "may be cut short");
  holds(refusal_of_json(json.substr(0, json.size() - 1)), "may be cut short");
  holds(refusal_of_json(json + "{}"), "stops being JSON");
  holds(refusal_of_json(replaced(json, "\"abc\"", "\"a\xFF\"")), "stops being JSON");
  holds(refusal_of_json(replaced(json, "257", "1e999")), "stops being JSON");
  holds(refusal_of_json(replaced(json, "257", "NaN")), "stops being JSON");
}

TEST_CASE("vocabulary: values that are no ids") {
  const std::string json = good().vocab_json;
  for (const char* value : {"-1", "257.0", "2.57e2", "\"257\"", "null", "true", "[257]", "{\"a\":1}",
                            "18446744073709551615", "99999999999999999999"}) {
    const std::string sentence = refusal_of_json(replaced(json, ":257", std::string(":") + value));
    holds(sentence, "gives the token “abc” the id ");
    holds(sentence, "an id is a whole number from 0.");
  }
  holds(refusal_of_json("{\"a\":" + std::string(100000, '[')), "the id a list");
}

TEST_CASE("vocabulary: ids that repeat or leave a gap") {
  const std::string json = good().vocab_json;
  holds(refusal_of_json(replaced(json, "\"abc\":257", "\"abc\":256")), "gives the id 256 to both “ab” and “abc”");
  holds(refusal_of_json(replaced(json, "\"abc\":257", "\"abc\":259")),
        "has 259 tokens, so ids run from 0 to 258, but “abc” has the id 259");
  holds(refusal_of_json(replaced(json, "\"abc\":257", "\"abc\":9223372036854775807")),
        "“abc” has the id 9223372036854775807");
}

TEST_CASE("vocabulary: tokens that cannot be") {
  const std::string json = good().vocab_json;
  holds(refusal_of_json(replaced(json, "\"abc\":257", "\"abc\":257,\"abc\":259")), "has the token “abc” twice");
  holds(refusal_of_json(replaced(json, "\"abc\":257", "\"\":257")), "has an empty token");
  holds(refusal_of_json(replaced(json, "\"abc\"", "\"a c\"")), "with the character “ ”, which writes no byte");
  holds(refusal_of_json(replaced(json, "\"abc\"", "\"a\\u0000\"")), "with the character “⟨U+0000⟩”");
  holds(refusal_of_json(replaced(json, "\"abc\"", "\"日\"")), "with the character “日”");
  holds(refusal_of_json("{}"), "lacks “Ā”, the token of byte 0");
  holds(refusal_of_json(replaced(json, "\"Ġ\"", "\"ĠĠ\"")), "lacks “Ġ”, the token of byte 32");
}

TEST_CASE("vocabulary: lines of merges.txt that are no merges") {
  for (const char* line : {"ab", "a  b", " a b", "a b ", "a b c", "", "a\tb", " "}) {
    holds(refusal_of_merges("#version: 0.2\na b\n" + std::string(line) + "\nab c\n"),
          "merges.txt line 3 must be two tokens and one space between them");
  }
  holds(refusal_of_merges("a b\nab c\na b\n"), "merges.txt line 3 repeats the merge “a b”");
  holds(refusal_of_merges("a b\nxy c\n"), "merges.txt line 2 needs the token “xy”, which vocab.json lacks");
  holds(refusal_of_merges("a b\nab d\n"), "merges.txt line 2 needs the token “abd”, which vocab.json lacks");
  holds(refusal_of_merges("a b\nab 日\n"), "merges.txt line 2 needs the token “日”");
  holds(refusal_of_merges("a b\nab \xFF\n"), "merges.txt line 2 needs the token “⟨FF⟩”");
  holds(refusal_of_merges("<!doctype html>\n"), "merges.txt line 1 needs the token “<!doctype”");
}

TEST_CASE("vocabulary: a cut merges.txt is noticed by the tokens that nothing makes") {
  holds(refusal_of_merges("#version: 0.2\na b\n"), "No line of merges.txt makes the token “abc” (id 257)");
  holds(refusal_of_merges(""), "No line of merges.txt makes the token “ab” (id 256)");
  const auto [vocab_json, merges_txt] = small_files({{"a", "b"}}, {"<s>", "[MASK]", "<>"});
  holds(refusal(vocab_json, merges_txt), "makes the token “<>” (id 259)");
}

TEST_CASE("vocabulary: files over the limit are not read") {
  const std::string large((std::size_t{64} << 20) + 1, ' ');
  holds(refusal_of_json(large), "vocab.json has 67108865 bytes; at most 67108864 are read.");
  holds(refusal_of_merges(large), "merges.txt has 67108865 bytes");
}

TEST_CASE("vocabulary: no cut of good files crashes, and every one is refused") {
  const auto [vocab_json, merges_txt] = good();
  for (std::size_t length = 0; length < vocab_json.size(); ++length) {
    CHECK(refusal_of_json(vocab_json.substr(0, length)) != "accepted");
  }
  // The last newline may go, not a byte more.
  for (std::size_t length = 0; length + 1 < merges_txt.size(); ++length) {
    CHECK(refusal_of_merges(merges_txt.substr(0, length)) != "accepted");
  }
}
