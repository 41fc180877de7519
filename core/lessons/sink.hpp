// What softmax does with a query that nothing matches, with and without a sink.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/lessons/lexicon.hpp"
#include "core/lessons/phrase.hpp"
#include "core/result.hpp"

namespace lookback::lessons {

struct SinkKey {
  std::string text;  // the token as shown
  PhraseInput key;
};

struct SinkInput {
  PhraseInput query;
  std::vector<SinkKey> keys;  // 1 to limits::tokens
  float stretch = 9;          // 0 to limits::stretch
  float sink_score = 4;       // beside the stretched scores, not stretched itself; within ±limits::sink_score
  std::vector<WordEdit> word_edits = {};
};

struct SinkShares {
  std::vector<float> shares;  // [n_keys], and the sink's behind them where there is one
  std::vector<int> percents;  // likewise; add up to 100
  float entropy_bits = 0;
};

struct SinkOutput {
  Phrase query;
  std::vector<Match> matches;    // [n_keys]
  std::vector<float> stretched;  // [n_keys], score * stretch
  SinkShares without_sink;       // [n_keys]
  SinkShares with_sink;          // [n_keys + 1]
  std::vector<std::string> unknown_words;
};

// The sink is one more entry of the row, with a score that no query changes: softmax([s_1 … s_n, sink]). Real models
// learn such a place by themselves: Xiao et al. 2023. Fails on a number outside the limits.
Result<SinkOutput> sink(const SinkInput& input);

}  // namespace lookback::lessons
