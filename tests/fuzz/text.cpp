// Text into tokens and back, with the little model's vocabulary.
#include <cstring>

#include "core/text/bpe.hpp"
#include "core/text/display.hpp"
#include "core/text/vocabulary.hpp"
#include "tests/fuzz/property.hpp"

using namespace lookback;
using namespace lookback::fuzz;

namespace {

// Unicode's table of well-formed byte sequences, apart from the reader under test.
bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0; };
    const int first = byte(0);
    const int length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (length == 0) return false;
    for (int i = 1; i < length; ++i)
      if ((byte(i) & 0xC0) != 0x80) return false;
    if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) || (first == 0xF0 && byte(1) < 0x90) ||
        (first == 0xF4 && byte(1) > 0x8F))
      return false;
    at += length;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Result<Vocabulary> parsed = Vocabulary::parse(little_file("vocab.json"), little_file("merges.txt"));
  hold(bool(parsed), "the little model's vocabulary is one");
  const Vocabulary& vocabulary = *parsed;
  const std::string_view input = as_text(data, size);

  hold(is_utf8(well_formed(input)), "repaired text is UTF-8");
  if (is_utf8(input)) hold(well_formed(input) == input, "good text is not repaired");
  hold_visible(display(input));
  hold_visible(in_quotes(input));

  for (const SpecialTokens special : {SpecialTokens::as_text, SpecialTokens::recognised}) {
    const TokenisedText tokenised = tokenise(vocabulary, input, special);
    hold(tokenised.text == well_formed(input), "the text is the input, repaired");
    std::vector<int> ids;
    std::size_t reached = 0;
    int word = 0;
    for (const TokenSpan& token : tokenised.tokens) {
      hold(token.begin == reached && token.end > token.begin, "tokens lie end to end");
      hold(vocabulary.token_bytes(token.id) == std::string_view(tokenised.text).substr(token.begin, token.end - token.begin),
           "a token's bytes are its place in the text");
      hold(token.word == word || token.word == word + 1, "words are numbered in order");
      if (special == SpecialTokens::as_text)
        for (const int id : vocabulary.special_tokens()) hold(token.id != id, "no text is a special token unasked");
      word = token.word;
      reached = token.end;
      ids.push_back(token.id);
    }
    hold(reached == tokenised.text.size(), "tokens reach the end");
    hold(ids == encode(vocabulary, input, special), "encode() gives the ids of tokenise()");
    const Result<std::string> decoded = decode(vocabulary, ids);
    hold(decoded && *decoded == tokenised.text, "decode(encode(text)) is the text");
    // A recognised special token ends a text; what stands before is cut as if it were alone.
    hold(encode(vocabulary, *decoded, special) == ids, "the same text gives the same ids");
  }

  std::vector<int> ids;
  bool known = true;
  for (std::size_t i = 0; i + 1 < size; i += 2) {
    std::int16_t id;
    std::memcpy(&id, data + i, sizeof id);
    ids.push_back(id);
    known = known && vocabulary.contains(id);
    hold_visible(token_display(vocabulary, id));
  }
  const Result<std::string> decoded = decode(vocabulary, ids);
  hold(bool(decoded) == known, "just ids of the vocabulary are decoded");
  if (!decoded) hold_refusal(decoded.error());
  return 0;
}
