#include "core/train/practice.hpp"

#include <algorithm>
#include <limits>

#include "core/lens/census.hpp"
#include "core/lens/logit_lens.hpp"
#include "core/model/likelier.hpp"
#include "core/numerics/functions.hpp"
#include "core/numerics/softmax.hpp"
#include "core/text/display.hpp"
#include "core/train/practice_worlds.hpp"

namespace lookback {
namespace {

constexpr std::uint64_t fresh_texts = std::uint64_t{1} << 40;  // numbers that training never reaches
constexpr std::size_t n_fresh = 32;

std::span<const int> words_of(const PracticeText& text) { return {text.ids.data(), text.ids.size() - 1}; }

// What the model makes of the word at position t: its guess, and the chance and loss of the word that follows.
struct Answer {
  int guess = 0;
  float guess_chance = 0, chance = 0, loss = 0;
};

Answer answer_at(const Weights& weights, const Trace& trace, std::size_t t, int right, Pool& pool) {
  std::vector<float> scores = logit_lens(weights, trace, weights.config.n_layers, t, pool);
  std::vector<int> ids(scores.size());
  for (std::size_t id = 0; id < ids.size(); ++id) ids[id] = static_cast<int>(id);
  Answer answer;
  answer.guess = *std::min_element(ids.begin(), ids.end(), Likelier{scores});
  const float score = scores[static_cast<std::size_t>(right)];
  const SoftmaxSteps steps = softmax(scores);
  answer.loss = log(steps.sum) - (score - steps.maximum);
  answer.guess_chance = scores[static_cast<std::size_t>(answer.guess)];
  answer.chance = scores[static_cast<std::size_t>(right)];
  return answer;
}

Result<ProbeReading> read_probe(const Weights& weights, const PracticeText& text, Pool& pool) {
  Trace trace;
  if (const Result<> done = run(weights, words_of(text), trace, pool); !done) return done.error();
  ProbeReading reading;
  for (std::size_t layer = 0; layer < weights.config.n_layers; ++layer) {
    for (std::size_t head = 0; head < weights.config.n_heads; ++head) {
      const std::vector<float> grid = pattern(trace, {layer, head});
      reading.patterns.insert(reading.patterns.end(), grid.begin(), grid.end());
    }
  }
  for (std::size_t t = 0; t < trace.n_tokens(); ++t) {
    const Answer answer = answer_at(weights, trace, t, text.ids[t + 1], pool);
    reading.losses.push_back(answer.loss);
    reading.chances.push_back(answer.chance);
    reading.guesses.push_back(answer.guess);
    reading.guess_chances.push_back(answer.guess_chance);
  }
  return reading;
}

// What is measured over the fresh texts.
struct Tally {
  Mean known_loss, other_loss, known_right;
  Census census, first_runs;
  LookCensus looks;
};

Result<> add_text(Tally& tally, const PracticeWorld& world, const PracticeText& text, const Weights& weights, Pool& pool) {
  Trace trace;
  if (const Result<> done = run(weights, words_of(text), trace, pool); !done) return done;
  for (std::size_t t = 0; t < trace.n_tokens(); ++t) {
    if (!text.counts[t]) continue;
    const Answer answer = answer_at(weights, trace, t, text.ids[t + 1], pool);
    (text.known[t] ? tally.known_loss : tally.other_loss).add(answer.loss);
    if (text.known[t]) tally.known_right.add(answer.guess == text.ids[t + 1]);
  }
  if (world.roles.front().name == noun_role) return count_look(tally.looks, trace, text.from, text.noun, text.noun + 1);
  if (const Result<> counted = count(tally.census, trace); !counted) return counted;
  // A row stands alone: the first run by itself has the rows that it has in the whole text.
  if (const Result<> done = run(weights, words_of(text).first(text.first_run), trace, pool); !done) return done;
  return count(tally.first_runs, trace);
}

std::vector<float> shares_of_roles(const Tally& tally, const PracticeWorld& world) {
  std::vector<float> shares;
  for (const PracticeRole& role : world.roles) {
    if (role.name == noun_role) {
      for (const HeadLooks& head : tally.looks.heads) shares.push_back(head.share.value());
      continue;
    }
    const Role known = *std::find_if(roles.begin(), roles.end(), [&](Role r) { return name_of(r) == role.name; });
    const Census& census = known == Role::previous_token ? tally.first_runs : tally.census;
    for (const HeadCensus& head : census.heads) shares.push_back(head.of(known).value());
  }
  return shares;
}

float value_or_nan(const Mean& mean) { return mean.n ? mean.value() : std::numeric_limits<float>::quiet_NaN(); }

Result<Reading> reading_of(const PracticeWorld& world, const Trainer& trainer, Pool& pool) {
  const Weights& weights = trainer.weights();
  Reading reading;
  reading.step = trainer.steps_done();
  for (const PracticeText& probe : world.probes) {
    Result<ProbeReading> read = read_probe(weights, probe, pool);
    if (!read) return read.error();
    reading.probes.push_back(std::move(*read));
  }
  Tally tally;
  tally.census = tally.first_runs = begin_census(weights.config);
  tally.looks = begin_looks(weights.config);
  for (std::uint64_t i = 0; i < n_fresh; ++i)
    if (const Result<> added = add_text(tally, world, world.text(fresh_texts + i), weights, pool); !added) return added.error();
  reading.known_loss = value_or_nan(tally.known_loss);
  reading.other_loss = value_or_nan(tally.other_loss);
  reading.known_right = value_or_nan(tally.known_right);
  reading.roles = shares_of_roles(tally, world);
  return reading;
}

}  // namespace

Result<> check_practice_name(std::string_view name) {
  if (name == "head" || name == "repeats") return Nothing{};
  return fail(ErrorCode::bad_argument, "There is no practice " + in_quotes(name) + "; expected head or repeats.");
}

Result<PracticeWorld> practice_world(std::string_view name, const PracticeOptions& options) {
  if (const Result<> known = check_practice_name(name); !known) return known.error();
  if (name == "head") return head_world(options);
  return repeats_world(options);
}

Result<Practice> Practice::begin(std::string_view name, const PracticeOptions& options) {
  try {
    Result<PracticeWorld> world = practice_world(name, options);
    if (!world) return world.error();
    // Text number 0 is the first that training asks for.
    SequenceSource source = [text = world->text](std::uint64_t number, std::span<int> ids, std::span<char> counts) {
      const PracticeText written = text(number);
      std::copy(written.ids.begin(), written.ids.end(), ids.begin());
      std::copy(written.counts.begin(), written.counts.end(), counts.begin());
    };
    Result<Trainer> trainer = Trainer::begin(world->recipe, std::move(source));
    if (!trainer) return trainer.error();
    return Practice(std::move(*world), std::move(*trainer));
  } catch (...) {
    return fail(ErrorCode::out_of_memory, "There is not enough memory for this practice.");
  }
}

StepReport Practice::step(Pool& pool) { return trainer_.step(pool); }

Result<Reading> Practice::read(Pool& pool) const {
  try {
    return reading_of(world_, trainer_, pool);
  } catch (...) {
    return fail(ErrorCode::out_of_memory, "There is not enough memory to read this practice.");
  }
}

std::optional<Ledge> find_ledge(std::span<const float> losses) {
  std::optional<Ledge> best;
  // Sums of losses in double: exact enough that a step more or less of window changes no bit that counts.
  const auto mean = [&](std::size_t begin) {
    double sum = 0;
    for (std::size_t i = begin; i < begin + ledge_window; ++i) sum += static_cast<double>(losses[i]);
    return static_cast<float>(sum / static_cast<double>(ledge_window));
  };
  float most = ledge_least;
  for (std::size_t s = ledge_window; s + ledge_window <= losses.size(); ++s) {
    const float before = mean(s - ledge_window), after = mean(s);
    if (before - after >= most && (!best || before - after > most)) {
      most = before - after;
      best = Ledge{s, before, after};
    }
  }
  return best;
}

}  // namespace lookback
