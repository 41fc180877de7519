// Text into tokens and back by GPT-2's byte-level byte-pair encoding (Sennrich et al. 2016; Radford et al. 2019).
//
// Nothing is added: no token for the beginning of a text, no leading space. Well-formed UTF-8 comes back from its
// tokens byte for byte. Ill-formed UTF-8 is repaired first, as browsers do: each bad part becomes U+FFFD.
#pragma once

#include <cstddef>
#include <memory>
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

// The same a bit at a time, so that a long text can be given up, also in the middle of a long word. The vocabulary must
// outlive it.
class Tokenising {
 public:
  Tokenising(const Vocabulary& vocabulary, std::string_view utf8, SpecialTokens special);
  ~Tokenising();

  // Does about so much of the work, counted in bytes looked at and merges tried: a word of n bytes takes some n of it.
  // Whether something is left.
  bool step(std::size_t work);

  // Whole once step() has said that nothing is left.
  TokenisedText& text() { return text_; }

 private:
  class Word;

  const Vocabulary& vocabulary_;
  SpecialTokens special_;
  TokenisedText text_;
  std::unique_ptr<Word> word_;  // the one under way, its memory kept for the next
  std::size_t at_ = 0;          // where the next word begins
  std::size_t stop_ = 0;        // where the next special token begins, or the text's end
  std::size_t after_ = 0;       // where that one ends
  int special_id_ = -1;         // that one, or -1
  int words_ = 0;               // so far
  bool under_way_ = false;      // whether word_ has merges left

  void find_special();
  bool begin_word();
};

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
