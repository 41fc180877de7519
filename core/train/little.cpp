#include "core/train/little.hpp"

#include <algorithm>
#include <iterator>

#include "core/language/dice.hpp"
#include "core/language/lexicon.hpp"
#include "core/language/texts.hpp"
#include "core/text/bpe.hpp"
#include "core/train/chains.hpp"

namespace lookback {
namespace {

constexpr std::size_t vocabulary_entries = 2048;
constexpr std::uint64_t vocabulary_texts = 20000;
constexpr std::uint64_t texts_a_sequence = 16;  // more than fit into one
constexpr std::size_t sequences_a_step = 16;

// The way from chains to texts, in steps. Chains begin with ten words, all of them in each chain; when looking back
// works, one word more joins every fourth step, and texts mix in. little.md says what happened without this.
constexpr std::uint64_t steps_with_first_words = 240, steps_a_word = 4, steps_of_chains = 1600;
constexpr std::size_t first_words = 10;
constexpr std::size_t chains_at_the_end = 50, chains_among_texts = 15;  // of 100 sequences

// What chains are made of: names, then the words of lists, each where it is one token with its leading space.
std::vector<int> chain_words(const Vocabulary& vocabulary) {
  std::vector<int> ids;
  const auto add = [&](std::string_view word) {
    const std::vector<int> tokens = encode(vocabulary, " " + std::string(word), SpecialTokens::as_text);
    if (tokens.size() == 1 && std::find(ids.begin(), ids.end(), tokens[0]) == ids.end()) ids.push_back(tokens[0]);
  };
  for (const std::string_view name : language::names) add(name);
  for (const std::string_view word : language::common_words()) add(word);
  return ids;
}

// Of 100 sequences at this step, how many are chains.
std::size_t chain_percent(std::uint64_t step) {
  if (step < steps_with_first_words) return 100;
  if (step >= steps_of_chains) return chains_among_texts;
  return 100 - (100 - chains_at_the_end) * static_cast<std::size_t>(step - steps_with_first_words) /
                   static_cast<std::size_t>(steps_of_chains - steps_with_first_words);
}

// The chain words known at this step.
std::size_t words_known(std::uint64_t step, std::size_t all) {
  if (step < steps_with_first_words) return first_words;
  return std::min(all, first_words + static_cast<std::size_t>((step - steps_with_first_words) / steps_a_word));
}

void fill_with_texts(const Vocabulary& vocabulary, std::uint64_t number, std::span<int> ids) {
  const int end_of_text = vocabulary.special_tokens().front();
  std::size_t filled = 0;
  for (std::uint64_t i = 0; filled < ids.size(); ++i) {
    const std::vector<int> text =
        encode(vocabulary, language::text(number * texts_a_sequence + i % texts_a_sequence), SpecialTokens::as_text);
    const std::size_t taken = std::min(text.size(), ids.size() - filled);
    std::copy_n(text.begin(), taken, ids.begin() + static_cast<std::ptrdiff_t>(filled));
    filled += taken;
    if (filled < ids.size()) ids[filled++] = end_of_text;
  }
}

}  // namespace

Result<LearnedVocabulary> little_vocabulary() {
  std::vector<std::string> texts;
  for (std::uint64_t number = 0; number < vocabulary_texts; ++number) texts.push_back(language::text(number));
  return learn_merges(texts, vocabulary_entries);
}

Recipe little_recipe(const Vocabulary& vocabulary) {
  Recipe recipe;
  recipe.config = {.n_layers = 4, .n_heads = 4, .d_model = 96, .d_mlp = 384, .n_positions = 128,
                   .d_vocab = static_cast<std::size_t>(vocabulary.size())};
  recipe.sequence = 128;
  recipe.sequences_a_step = sequences_a_step;
  recipe.schedule = {.peak = 4e-3f, .last = 1e-4f, .warm_up = 50, .n_steps = 7500,
                     .second_peak = 2e-3f, .second_steps = 4500};
  recipe.spread = 0.06f;
  recipe.place_size = 0.12f;
  recipe.likeness = 1.5f;
  recipe.seed = 1;
  return recipe;
}

SequenceSource little_sequences(const Vocabulary& vocabulary) {
  return [&vocabulary, words = chain_words(vocabulary)](std::uint64_t number, std::span<int> ids, std::span<char>) {
    const std::uint64_t step = number / sequences_a_step;
    if (language::Dice(number).below(100) >= chain_percent(step)) return fill_with_texts(vocabulary, number, ids);
    const bool beginning = step < steps_with_first_words;
    const ChainShape shape = beginning ? ChainShape{first_words, first_words, 15} : ChainShape{};
    fill_chain(number, std::span(words).first(words_known(step, words.size())), shape, ids);
  };
}

}  // namespace lookback
