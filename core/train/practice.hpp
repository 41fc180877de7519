// Practices: models so small that a page can train one while you watch, on texts made up from a seed.
//
// `head`     one layer of one head reads sentences in which "it" has a noun; every noun has a verb of its own.
// `repeats`  two layers read words in a random order that comes round again: nothing but looking back tells what follows.
//
// The loss is the next word's alone. The same name, options and seed give the same bits everywhere (trainer.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lens/heads.hpp"
#include "core/result.hpp"
#include "core/train/trainer.hpp"

namespace lookback {

struct PracticeOptions {
  std::uint64_t seed = 1;  // of the first weights and of the texts
  // The texts of `repeats`; `head` has no choice of texts.
  std::size_t words = 32;                   // size of the vocabulary, 4 to 40
  std::size_t shortest = 8, longest = 24;   // length of the pattern: every length between is equally frequent; 2 to 24
  bool repeated = true;                     // false: each word is drawn anew, so nothing before it helps
};

// A text and what its writer knows about it. n = the words that go through the model.
struct PracticeText {
  std::vector<int> ids;           // [n + 1]: each of the first n is asked for the next
  std::vector<char> counts;       // [n] 1 where the answer is part of the loss
  std::vector<char> known;        // [n] 1 where the words before settle the answer
  std::size_t from = 0, noun = 0; // `head`: the places of "it" and of its noun
  std::size_t first_run = 0;      // `repeats`: the words before the pattern comes round; n where it never does
};

// What a practice's heads are measured by: a mean share, and from which on the head is called by the role's name.
struct PracticeRole {
  std::string_view name;
  float threshold;
};

// What a practice is made of.
struct PracticeWorld {
  std::vector<std::string> words;  // the vocabulary; ids are places in it
  Recipe recipe;
  // Text number `number` of this training. Its length is recipe.sequence, the last words filling up where need be.
  std::function<PracticeText(std::uint64_t number)> text;
  std::vector<PracticeText> probes;  // texts to watch, never trained on, without filling; the same for every seed
  std::vector<PracticeRole> roles;
};

Result<> check_practice_name(std::string_view name);

// Errors, bad_argument: no practice of this name, or the first option that is out of range.
Result<PracticeWorld> practice_world(std::string_view name, const PracticeOptions& options);

// What the model makes of one probe. n words, H = n_layers * n_heads heads, layer by layer.
struct ProbeReading {
  std::vector<float> patterns;       // [H, n, n] shares, 0 where masked
  std::vector<float> losses;         // [n] -ln p(the word that follows)
  std::vector<float> chances;        // [n] p(the word that follows)
  std::vector<int> guesses;          // [n] the likeliest word; of equals the lower id
  std::vector<float> guess_chances;  // [n]
};

struct Reading {
  std::uint64_t step = 0;  // steps done
  std::vector<ProbeReading> probes;
  // Over fresh texts, the same at every reading: mean loss where the words before settle the answer, and elsewhere; and
  // how often the likeliest word is right where it is settled. NaN where there is no such place.
  float known_loss = 0, other_loss = 0, known_right = 0;
  // [roles, H] Mean shares over the fresh texts. `head`: the share of "it"'s look that is on its noun. `repeats`: the
  // roles of lens/census.hpp; previous_token over the pattern's first run alone, since looks at the word before are of
  // use there: what they fetch is found later by those who look for it.
  std::vector<float> roles;
};

// The steepest fall of a loss curve: of all steps s, the one where the mean over the `window` steps before s exceeds the
// mean over the `window` steps from s on by the most; nothing when that is less than `least`, or the curve is too short.
struct Ledge {
  std::uint64_t step = 0;
  float before = 0, after = 0;  // the two means
};
inline constexpr std::size_t ledge_window = 30;
inline constexpr float ledge_least = 0.25f;
std::optional<Ledge> find_ledge(std::span<const float> losses);

class Practice {
 public:
  // Errors: as practice_world; out_of_memory.
  static Result<Practice> begin(std::string_view name, const PracticeOptions& options);

  const PracticeWorld& world() const { return world_; }
  const Trainer& trainer() const { return trainer_; }
  std::uint64_t steps_done() const { return trainer_.steps_done(); }
  bool finished() const { return steps_done() >= world_.recipe.schedule.n_steps; }

  StepReport step(Pool& pool);

  // What the model does now. Learning does not depend on it: any number of readings leaves the curve as it is.
  // Error out_of_memory.
  Result<Reading> read(Pool& pool) const;

 private:
  Practice(PracticeWorld world, Trainer trainer) : world_(std::move(world)), trainer_(std::move(trainer)) {}

  PracticeWorld world_;
  Trainer trainer_;
};

}  // namespace lookback
