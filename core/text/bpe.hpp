// Text into tokens and back by GPT-2's byte-level byte-pair encoding (Sennrich et al. 2016; Radford et al. 2019).
//
// Nothing is added: no token for the beginning of a text, no leading space. Well-formed UTF-8 comes back from its
// tokens byte for byte. Ill-formed UTF-8 is repaired first, as browsers do: each bad part becomes U+FFFD.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/text/display.hpp"
#include "core/text/vocabulary.hpp"

namespace lookback {

// What "<|endoftext|>" in a text means: thirteen characters, or the one special token.
enum class SpecialTokens { as_text, recognised };

struct TokenSpan {
  int id;
  std::size_t begin, end;  // bytes [begin, end) of TokenisedText::text; a token may begin or end inside a character
  int word;                // from 0: tokens with the same number are pieces of one word of words.hpp
};

struct TokenisedText {
  std::string text;               // the repaired text; equal to the input when that was well-formed
  std::vector<TokenSpan> tokens;  // laid end to end they are the text
};

TokenisedText tokenise(const Vocabulary& vocabulary, std::string_view utf8, SpecialTokens special);

// The ids of tokenise().
std::vector<int> encode(const Vocabulary& vocabulary, std::string_view utf8, SpecialTokens special);

// The tokens' bytes, one after the other: no space is added or taken. Single tokens may be parts of characters, so the
// bytes need not be UTF-8. Error bad_argument: an id that is not in the vocabulary.
Result<std::string> decode(const Vocabulary& vocabulary, std::span<const int> ids);

// A token as people read it (display.hpp). A model may have more rows than the vocabulary has tokens; an id without
// token shows as ⟨no token 50300⟩.
std::vector<DisplayPiece> token_pieces(const Vocabulary& vocabulary, int id);
std::string token_display(const Vocabulary& vocabulary, int id);

}  // namespace lookback
