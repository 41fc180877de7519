// vocab.json and merges.txt, one after the other; the last NUL of the input stands between. Where the input begins with '+' the tokens of the 256
// bytes stand before its own, so that what comes is more often a vocabulary.
#include "core/text/bpe.hpp"
#include "core/text/byte_alphabet.hpp"
#include "core/text/vocabulary.hpp"
#include "tests/fuzz/property.hpp"

using namespace lookback;
using namespace lookback::fuzz;

namespace {

std::string bytes_as_tokens() {
  std::string json = "{";
  for (int byte = 0; byte < 256; ++byte) {
    std::string letter;
    append_utf8(letter, kByteLetters[byte]);
    if (letter == "\"" || letter == "\\") letter = "\\" + letter;
    json += (byte ? ",\"" : "\"") + letter + "\":" + std::to_string(byte);
  }
  return json;
}

void round_trip(const Vocabulary& vocabulary, std::string_view text) {
  for (const SpecialTokens special : {SpecialTokens::as_text, SpecialTokens::recognised}) {
    const auto decoded = decode(vocabulary, encode(vocabulary, text, special));
    hold(decoded && *decoded == well_formed(text), "decode(encode(text)) is the text", text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string bytes = bytes_as_tokens();
  const std::string_view input = as_text(data, size);
  const std::size_t cut = std::min(input.rfind('\0'), size);
  std::string json(input.substr(0, cut));
  if (json.starts_with('+')) json.replace(0, 1, bytes);
  const std::string_view merges = input.substr(std::min(cut + 1, size));
  const Result<Vocabulary> vocabulary = Vocabulary::parse(json, merges);
  if (refused(vocabulary)) return 0;
  hold(json.find('\0') == json.npos, "nothing stands behind the end of the JSON");
  for (int byte = 0; byte < 256; ++byte) {
    const std::string_view token = vocabulary->token_bytes(vocabulary->token_of_byte(static_cast<unsigned char>(byte)));
    hold(token.size() == 1 && static_cast<unsigned char>(token[0]) == byte, "every byte has its token");
  }
  for (int id = 0; id < vocabulary->size(); ++id) {
    hold(!vocabulary->token_bytes(id).empty(), "no token is empty");
    hold_visible(token_display(*vocabulary, id));
  }
  hold(!vocabulary->contains(vocabulary->size()) && !vocabulary->contains(-1), "ids run from 0 to size - 1");
  round_trip(*vocabulary, merges);
  round_trip(*vocabulary, json);
  return 0;
}
