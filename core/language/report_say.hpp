// A model that reads a beginning and goes on: what the report asks it.
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/sampling.hpp"
#include "core/model/transformer.hpp"
#include "core/result.hpp"
#include "core/text/vocabulary.hpp"

namespace lookback::language {

// What it borrows must outlive it.
struct Speaker {
  const Weights& weights;
  const Vocabulary& vocabulary;
  Pool& pool;
  Trace trace{};  // of everything read and said since read()
};

// Errors as run() in core/model/transformer.hpp.
Result<> read(Speaker& speaker, const std::vector<int>& ids);

// The scores [d_vocab] for the token after the trace. Error bad_argument: they are not all finite.
Result<std::vector<float>> next_scores(Speaker& speaker);

// The likeliest token, then the likeliest one after it, and so on until the next one begins another word or the window
// is full. A word is letters, with what stands before the first of them: " Paris". chance is the product of the chances
// of its tokens.
struct SaidWord {
  std::string word;
  float chance = 1;
};
Result<SaidWord> say_word(Speaker& speaker);

// What the model adds, up to n_tokens of it, until it ends the text by a special token or the window is full.
Result<std::string> go_on(Speaker& speaker, const Sampling& sampling, std::mt19937_64& random, std::size_t n_tokens);

}  // namespace lookback::language
