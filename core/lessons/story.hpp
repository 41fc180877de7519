// A token of a story asks, and every earlier token's key is held against its query.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lessons/lexicon.hpp"
#include "core/lessons/phrase.hpp"
#include "core/lessons/stories.hpp"
#include "core/result.hpp"

namespace lookback::lessons {

// A story's token as a reader may change it.
struct Token {
  std::string text;  // exact, with the space before it
  PhraseInput query;
  PhraseInput key;
  std::string value;
};

struct StoryInput {
  std::vector<Token> tokens;
  std::size_t asking = 0;     // index of the asking token
  bool include_self = false;  // whether the asking token's own key is a candidate
  std::vector<WordEdit> word_edits = {};
};

struct Candidate {
  std::size_t index;  // into StoryInput::tokens
  Match match;
};

struct StoryOutput {
  Phrase query;
  std::vector<Candidate> candidates;  // the tokens before the asking one, and itself if wished, in order
  std::optional<std::size_t> best;    // token of the highest score, the earlier of equals; none when all are 0
  std::vector<std::string> unknown_words;
};

// Causal: no later token is looked at. Fails on too many tokens, or an asking index that is none of theirs.
Result<StoryOutput> story(const StoryInput& input);

// A story's tokens as they are told.
std::vector<Token> tokens_of(const Story& told);

// The tokens of a sentence that a reader types: words with the space before them, and each mark of its own. A word that
// `told` has keeps its phrases, the first for the first and so on; any other word gets itself as query, key and value.
std::vector<Token> tokens_of(std::string_view text, const Story* told);

// The token that asks by itself: the story's asking word where it stands, else the last token that holds a word.
std::size_t default_asking(const std::vector<Token>& tokens, const Story* told);

}  // namespace lookback::lessons
