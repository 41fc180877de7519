// The recipe of the bundled little model: its vocabulary, its sizes, its texts and its schedule, all from seeds.
#pragma once

#include <string>

#include "core/result.hpp"
#include "core/text/learn_merges.hpp"
#include "core/text/vocabulary.hpp"
#include "core/train/trainer.hpp"

namespace lookback {

// The tokens that the little language's first texts teach.
Result<LearnedVocabulary> little_vocabulary();

Recipe little_recipe(const Vocabulary& vocabulary);

// Sequences in the recipe's order: first chains (chains.hpp), then more and more of the little language's texts, laid
// end to end with <|endoftext|> between them and cut where the sequence is full. Every sequence has texts of its own, so
// the model never sees one twice. The vocabulary must outlive the source.
SequenceSource little_sequences(const Vocabulary& vocabulary);

}  // namespace lookback
