// The short stories in whose tokens a word looks back. Queries, keys and values are phrases; no score is kept.
#pragma once

#include <span>
#include <string_view>

namespace lookback::lessons {

// Plain pointers: there are hundreds, and a page waits for every byte of the module.
struct StoryToken {
  const char* text;   // exact, with the space before it
  const char* query;  // what it looks for; empty: nothing
  const char* key;    // what it advertises
  const char* value;  // what it tells a token that looks at it
};

struct Story {
  std::string_view id;
  std::string_view title;
  std::span<const StoryToken> tokens;
  std::string_view asking;  // the text of the asking token, which stands once
  std::string_view need;    // what that word needs, and why
};

std::span<const Story> stories();

std::span<const StoryToken> treaty_tokens();  // the last story's, in stories_treaty.cpp

}  // namespace lookback::lessons
