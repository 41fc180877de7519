// The search box: a query against page titles; the best page's contents come back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/lessons/lexicon.hpp"
#include "core/lessons/phrase.hpp"
#include "core/result.hpp"

namespace lookback::lessons {

struct Page {
  std::string title;     // the key
  std::string contents;  // the value
  std::optional<FeatureVector> key_weights = {};
};

struct SearchInput {
  PhraseInput query;
  std::vector<Page> pages;
  std::vector<WordEdit> word_edits = {};
};

struct SearchResult {
  std::size_t index;  // into SearchInput::pages
  Match match;
};

struct SearchOutput {
  Phrase query;
  std::vector<SearchResult> results;  // best first; equal scores keep the pages' order
  std::optional<std::size_t> best;    // index of the best page; none when every score is 0
  std::vector<std::string> unknown_words;
};

// Scores every page by match() and sorts. Fails on more pages than limits::pages.
Result<SearchOutput> search(const SearchInput& input);

}  // namespace lookback::lessons
