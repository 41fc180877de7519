#include "core/lessons/story.hpp"

#include <algorithm>
#include <map>

#include "core/lessons/limits.hpp"

namespace lookback::lessons {

namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Cuts a text into pieces: white space goes to the piece that follows, a word is one piece, and so is any other mark.
std::vector<std::string_view> pieces_of(std::string_view text) {
  const auto words = words_in(text);
  std::vector<std::string_view> pieces;
  std::size_t start = 0;  // of the piece to come, white space included
  const auto cut_marks = [&](std::size_t end) {
    for (std::size_t i = start; i < end; ++i) {
      const bool inside_character = i + 1 < text.size() && (static_cast<unsigned char>(text[i + 1]) & 0xC0) == 0x80;
      if (is_space(text[i]) || inside_character) continue;
      pieces.push_back(text.substr(start, i + 1 - start));
      start = i + 1;
    }
  };
  for (const std::string_view word : words) {
    const auto begin = static_cast<std::size_t>(word.data() - text.data());
    cut_marks(begin);
    pieces.push_back(text.substr(start, begin + word.size() - start));
    start = begin + word.size();
  }
  cut_marks(text.size());
  if (start < text.size()) {  // white space at the end
    if (pieces.empty()) return pieces;
    const auto last = static_cast<std::size_t>(pieces.back().data() - text.data());
    pieces.back() = text.substr(last);
  }
  return pieces;
}

Token token_of(const StoryToken& told, std::string_view text) {
  return {std::string(text), {std::string(told.query)}, {std::string(told.key)}, std::string(told.value)};
}

}  // namespace

Result<StoryOutput> story(const StoryInput& input) {
  if (input.tokens.size() > limits::tokens) {
    return fail(ErrorCode::bad_argument, "A story takes at most " + std::to_string(limits::tokens) + " tokens, not " +
                                             std::to_string(input.tokens.size()) + ".");
  }
  if (input.asking >= input.tokens.size()) {
    return fail(ErrorCode::bad_argument, "The asking token " + std::to_string(input.asking) +
                                             " is none of the story's " + std::to_string(input.tokens.size()) +
                                             " tokens.");
  }
  StoryOutput output;
  output.query = phrase(input.tokens[input.asking].query, input.word_edits);
  collect_unknown(output.query, output.unknown_words);
  const std::size_t end = input.include_self ? input.asking + 1 : input.asking;
  float highest = 0;
  for (std::size_t i = 0; i < end; ++i) {
    output.candidates.push_back({i, match(output.query, phrase(input.tokens[i].key, input.word_edits))});
    const Match& candidate = output.candidates.back().match;
    collect_unknown(candidate.key, output.unknown_words);
    if (candidate.score > highest) {
      highest = candidate.score;
      output.best = i;
    }
  }
  return output;
}

std::vector<Token> tokens_of(const Story& told) {
  std::vector<Token> tokens;
  for (const StoryToken& token : told.tokens) tokens.push_back(token_of(token, token.text));
  return tokens;
}

std::vector<Token> tokens_of(std::string_view text, const Story* told) {
  std::map<std::string_view, std::size_t> next;  // where in the story to look on for this word
  std::vector<Token> tokens;
  for (const std::string_view piece : pieces_of(text)) {
    const std::string_view bare = trimmed(piece);
    std::size_t found = told == nullptr ? 0 : next[bare];
    if (told != nullptr) {
      while (found < told->tokens.size() && trimmed(told->tokens[found].text) != bare) ++found;
      next[bare] = found + 1;
      if (found < told->tokens.size()) {
        tokens.push_back(token_of(told->tokens[found], piece));
        continue;
      }
    }
    const bool word = !words_in(bare).empty();
    const std::string itself = word ? std::string(bare) : std::string();
    tokens.push_back({std::string(piece), {itself}, {itself}, itself});
  }
  return tokens;
}

std::size_t default_asking(const std::vector<Token>& tokens, const Story* told) {
  std::size_t last_word = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (told != nullptr && trimmed(tokens[i].text) == trimmed(told->asking)) return i;
    if (!words_in(tokens[i].text).empty()) last_word = i;
  }
  return last_word;
}

}  // namespace lookback::lessons
