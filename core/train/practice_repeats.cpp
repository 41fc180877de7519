// Words drawn by chance, and then the same words in the same order again, to the end of the text.
//
// Tried and dropped: patterns without a word twice. The model then often learns to say what it has not said for longest,
// which needs no look at the word before. Short patterns (up to 16 words) allow too much by the same kind of guess.
#include <algorithm>
#include <array>
#include <numeric>

#include "core/language/dice.hpp"
#include "core/train/practice_worlds.hpp"

namespace lookback {
namespace {

using language::Dice;
using language::mixed;

constexpr std::size_t sequence = 48;
constexpr std::size_t longest_pattern = sequence / 2;  // so that every pattern comes round at least once
constexpr std::size_t probe_words = 24;                // as many as a page has room for, when the pattern allows it
constexpr std::size_t probe_pattern = 8;

// Three letters each, so that a page has room for their names.
constexpr std::array<std::string_view, 40> lexicon = {
    "cat", "sun", "hat", "sea", "bee", "map", "jar", "fox", "tea", "oak", "pen", "cow", "ice", "bag",
    "owl", "net", "day", "pot", "elk", "cup", "ink", "ant", "sky", "fan", "hen", "box", "egg", "van",
    "pig", "web", "leg", "toy", "nut", "ear", "rat", "car", "bed", "fly", "gas", "arm"};

// Drawn with replacement: a word may stand twice in a pattern.
std::vector<int> draw(std::size_t n, std::size_t n_words, Dice& dice) {
  std::vector<int> words(n);
  for (int& word : words) word = static_cast<int>(dice.below(n_words));
  return words;
}

// From a shuffled deck of all words, shuffled again when it is used up: no word twice while there are others.
std::vector<int> deal(std::size_t n, std::size_t n_words, Dice& dice) {
  std::vector<int> deck(n_words), words;
  std::iota(deck.begin(), deck.end(), 0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t at = i % n_words;
    std::swap(deck[at], deck[at + dice.below(n_words - at)]);
    words.push_back(deck[at]);
  }
  return words;
}

// n + 1 words: the pattern over and over. `length` is its length, 0 where it is as long as the text.
PracticeText write(std::size_t n, std::size_t length, const std::vector<int>& pattern) {
  PracticeText text;
  for (std::size_t t = 0; t <= n; ++t) text.ids.push_back(pattern[t % pattern.size()]);
  text.counts.assign(n, 1);
  text.first_run = length ? length : n;
  // The pattern's first word comes back unannounced: only from the second one on do the words before tell what follows.
  for (std::size_t t = 0; t < n; ++t) text.known.push_back(length && t >= length);
  return text;
}

Result<> check(const PracticeOptions& o) {
  const auto wrong = [](const std::string& what, std::size_t least, std::size_t most, std::size_t given) {
    return fail(ErrorCode::bad_argument, what + " must be a whole number from " + std::to_string(least) + " to " +
                                             std::to_string(most) + ", not " + std::to_string(given) + ".");
  };
  if (o.words < 4 || o.words > lexicon.size()) return wrong("The number of words", 4, lexicon.size(), o.words);
  if (o.shortest < 2 || o.shortest > longest_pattern) return wrong("The shortest pattern", 2, longest_pattern, o.shortest);
  if (o.longest < o.shortest || o.longest > longest_pattern)
    return wrong("The longest pattern", o.shortest, longest_pattern, o.longest);
  return Nothing{};
}

Recipe recipe_of(const PracticeOptions& o) {
  Recipe recipe;
  recipe.config = {.n_layers = 2, .n_heads = 2, .d_model = 32, .d_mlp = 8, .n_positions = sequence,
                   .d_vocab = o.words, .tied_head = false};
  recipe.sequence = sequence;
  recipe.sequences_a_step = 24;
  recipe.schedule = {.peak = 5e-3f, .last = 1e-3f, .warm_up = 50, .n_steps = 1000};
  recipe.decay = 0.01f;
  recipe.spread = 0.1f;
  recipe.seed = o.seed;
  return recipe;
}

}  // namespace

Result<PracticeWorld> repeats_world(const PracticeOptions& o) {
  if (const Result<> checked = check(o); !checked) return checked.error();
  PracticeWorld world;
  world.words.assign(lexicon.begin(), lexicon.begin() + static_cast<std::ptrdiff_t>(o.words));
  world.recipe = recipe_of(o);
  world.text = [o](std::uint64_t number) {
    Dice dice(mixed(o.seed) + number);
    const std::size_t length = o.repeated ? o.shortest + dice.below(o.longest - o.shortest + 1) : 0;
    return write(sequence, length, draw(length ? length : sequence + 1, o.words, dice));
  };
  const std::size_t pattern = std::clamp(probe_pattern, o.shortest, o.longest), n = std::max(probe_words, 2 * pattern);
  const std::size_t length = o.repeated ? pattern : 0;
  Dice dice(0);
  world.probes = {write(n, length, deal(length ? length : n + 1, o.words, dice))};
  for (const Role role : {Role::previous_token, Role::induction}) world.roles.push_back({name_of(role), threshold_of(role)});
  return world;
}

}  // namespace lookback
