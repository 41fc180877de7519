#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/text/words.hpp"

using namespace lookback;

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = word_end(text, begin);
    REQUIRE(end > begin);
    REQUIRE(end <= text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

}  // namespace

TEST_CASE("words: cut as GPT-2's pattern cuts") {
  using Words = std::vector<std::string>;
  const struct {
    std::string text;
    Words words;
  } cases[] = {
      {"", {}},
      {"Hello world!", {"Hello", " world", "!"}},
      {"didn't they'll we've I'm you're he'd it's",
       {"didn", "'t", " they", "'ll", " we", "'ve", " I", "'m", " you", "'re", " he", "'d", " it", "'s"}},
      // Upper case and the typographic apostrophe are no contractions.
      {"IT'S don’t", {"IT", "'", "S", " don", "’", "t"}},
      // A contraction counts only where a word begins: here the apostrophe belongs to the run before it.
      {"!'s 's", {"!'", "s", " '", "s"}},
      {"'rex 'tis", {"'re", "x", " '", "tis"}},
      {"'r'v'l", {"'", "r", "'", "v", "'", "l"}},
      {"a1b22", {"a", "1", "b", "22"}},
      {"x² ½", {"x", "²", " ½"}},
      // A run of white space leaves its last character to what follows, and takes it all at the end.
      {"a  b", {"a", " ", " b"}},
      {"a   b", {"a", "  ", " b"}},
      {"a\n\nb", {"a", "\n", "\n", "b"}},
      {"a \nb", {"a", " ", "\n", "b"}},
      {"a\n b", {"a", "\n", " b"}},
      {"a\t\tb", {"a", "\t", "\t", "b"}},
      {"a  ", {"a", "  "}},
      {" ", {" "}},
      {"  ", {"  "}},
      {"a\u00A0b", {"a", "\u00A0", "b"}},
      {"a\u3000 b", {"a", "\u3000", " b"}},
      {"a\u0085 b", {"a", "\u0085", " b"}},
      // U+001C and U+FEFF are no white space.
      {"a\u001C b", {"a", "\u001C", " b"}},
      {"a \uFEFFb", {"a", " \uFEFF", "b"}},
      // A combining mark ends the run of letters; a joiner and a variation selector stay with the emoji.
      {"e\u0301a", {"e", "\u0301", "a"}},
      {" 👩\u200D🚀❤\uFE0F", {" 👩\u200D🚀❤\uFE0F"}},
      {"Привет, мир", {"Привет", ",", " мир"}},
      {"中文字 ٣٤", {"中文字", " ٣٤"}},
      {"hello <|endoftext|>", {"hello", " <|", "endoftext", "|>"}},
  };
  for (const auto& example : cases) {
    CAPTURE(example.text);
    CHECK(words_of(example.text) == example.words);
  }
}
