// Sentences in which "it" has a noun. The word after "it" is the noun's own verb, so it cannot be guessed without
// finding the noun; another noun, of a place, stands nearer.
#include <array>
#include <initializer_list>

#include "core/language/dice.hpp"
#include "core/train/practice_worlds.hpp"

namespace lookback {
namespace {

using language::Dice;
using language::mixed;

constexpr std::array<std::string_view, 40> lexicon = {
    ".",       "the",    "it",     "because", "was",     "heard", "noticed", "at",     "night",  "near",
    "by",      "behind", "old",    "small",   "black",   "people", "children", "dog",  "cat",    "horse",
    "bird",    "bell",   "clock",  "door",    "engine",  "barked", "meowed", "neighed", "sang",  "rang",
    "ticked",  "creaked", "hummed", "gate",    "wall",    "tree",  "bridge",  "house", "road",   "barn"};

constexpr int id_of(std::string_view word) {
  for (std::size_t id = 0; id < lexicon.size(); ++id)
    if (lexicon[id] == word) return static_cast<int>(id);
  return -1;
}

struct Sounder {
  std::string_view noun, verb;
};
constexpr Sounder sounders[] = {{"dog", "barked"},  {"cat", "meowed"},   {"horse", "neighed"}, {"bird", "sang"},
                                {"bell", "rang"},   {"clock", "ticked"}, {"door", "creaked"},  {"engine", "hummed"}};
constexpr std::string_view places[] = {"gate", "wall", "tree", "bridge", "house", "road", "barn"};
constexpr std::string_view sizes[] = {"old", "small", "black"};
constexpr std::string_view nearness[] = {"near", "by", "behind"};
constexpr std::string_view hearers[] = {"people", "children"};
constexpr std::string_view sensing[] = {"heard", "noticed"};

constexpr std::size_t sequence = 15;  // words of the longest sentence without its full stop

class Sentence {
 public:
  void say(std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) ids.push_back(id_of(word));
  }
  void say_size(Dice& dice) {
    if (dice.chance(50)) say({dice.pick(sizes)});
  }
  std::vector<int> ids;
};

// "The old dog near the gate was heard at night because it barked." or "Children heard the dog by the old wall because
// it barked." Ids of the words and the full stop; `text` learns where "it" and its noun stand.
std::vector<int> write(const Sounder& sounder, Dice& dice, PracticeText& text) {
  Sentence sentence;
  const bool heard = dice.chance(50);
  if (!heard) sentence.say({dice.pick(hearers), dice.pick(sensing)});
  sentence.say({"the"});
  sentence.say_size(dice);
  text.noun = sentence.ids.size();
  sentence.say({sounder.noun, dice.pick(nearness), "the"});
  sentence.say_size(dice);
  sentence.say({dice.pick(places)});
  if (heard) sentence.say({"was", dice.pick(sensing)});
  if (dice.chance(30)) sentence.say({"at", "night"});
  sentence.say({"because"});
  text.from = sentence.ids.size();
  sentence.say({"it", sounder.verb, "."});
  return sentence.ids;
}

PracticeText text_about(const Sounder& sounder, Dice& dice, bool filled) {
  PracticeText text;
  text.ids = write(sounder, dice, text);
  text.counts.assign(text.ids.size() - 1, 1);
  text.known.assign(text.ids.size() - 1, 0);
  text.known[text.from] = 1;
  if (!filled) return text;
  text.ids.resize(sequence + 1, id_of("."));
  text.counts.resize(sequence, 0);
  text.known.resize(sequence, 0);
  return text;
}

}  // namespace

PracticeWorld head_world(const PracticeOptions& o) {
  PracticeWorld world;
  world.words.assign(lexicon.begin(), lexicon.end());
  world.recipe.config = {.n_layers = 1, .n_heads = 1, .d_model = 16, .d_mlp = 32, .n_positions = sequence,
                         .d_vocab = lexicon.size(), .tied_head = false};
  world.recipe.sequence = sequence;
  world.recipe.sequences_a_step = 32;
  world.recipe.schedule = {.peak = 1e-2f, .last = 1e-3f, .warm_up = 50, .n_steps = 1000};
  world.recipe.decay = 0.01f;
  world.recipe.spread = 0.1f;
  world.recipe.seed = o.seed;
  world.text = [seed = o.seed](std::uint64_t number) {
    Dice dice(mixed(seed) + number);
    const Sounder& sounder = dice.pick(sounders);
    return text_about(sounder, dice, true);
  };
  Dice dice(0);
  for (const Sounder& sounder : {sounders[0], sounders[5]}) world.probes.push_back(text_about(sounder, dice, false));
  world.roles = {{noun_role, 0.5f}};
  return world;
}

}  // namespace lookback
