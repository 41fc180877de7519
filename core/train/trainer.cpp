#include "core/train/trainer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "core/numerics/functions.hpp"
#include "core/numerics/vector.hpp"
#include "core/train/parameters.hpp"

namespace lookback {
namespace {

// A normal number, nearly: twelve uniform ones have variance 1 together. No logarithm, so every machine agrees.
float normal(std::mt19937_64& random) {
  std::uint64_t sum = 0;
  for (int i = 0; i < 12; ++i) sum += random() >> 40;  // 24 bits each
  return static_cast<float>(static_cast<double>(sum) * 0x1p-24 - 6.0);
}

void fill(BasicPackedMatrix<float>& matrix, float spread, std::mt19937_64& random) {
  for (std::size_t k = 0; k < matrix.k_rows; ++k)
    for (std::size_t n = 0; n < matrix.n_columns; ++n) matrix.full(k, n) = normal(random) * spread;
}

// wpe[t][2j], wpe[t][2j + 1] = sin, cos of t / 10000^(2j / d_model), times sqrt(2) size.
void fill_with_waves(std::vector<float>& wpe, std::size_t d_model, float size) {
  const double amplitude = 1.41421356237309504880 * size;
  for (std::size_t at = 0; at < wpe.size(); ++at) {
    const auto pair = static_cast<float>(at % d_model / 2 * 2);
    const double angle = static_cast<double>(at / d_model) * exp(-9.210340371976184f * pair / static_cast<float>(d_model));
    wpe[at] = static_cast<float>(amplitude * (at % d_model % 2 ? cosine(angle) : sine(angle)));
  }
}

// W_K becomes W_Q, both times `likeness`, in c_attn [d, 3 d].
void begin_alike(BasicPackedMatrix<float>& c_attn, float likeness) {
  const std::size_t d = c_attn.k_rows;
  for (std::size_t k = 0; k < d; ++k)
    for (std::size_t n = 0; n < d; ++n) c_attn.full(k, n) = c_attn.full(k, d + n) = c_attn.full(k, n) * likeness;
}

// What a state belongs to. Two recipes that print alike give the same training.
std::string fingerprint_of(const Recipe& r) {
  std::string out = "lookback training state 1\n";
  for (const std::size_t number : {r.config.n_layers, r.config.n_heads, r.config.d_model, r.config.d_mlp,
                                   r.config.n_positions, r.config.d_vocab, std::size_t{r.config.tied_head}, r.sequence,
                                   r.sequences_a_step, std::size_t(r.schedule.warm_up), std::size_t(r.schedule.n_steps),
                                   std::size_t(r.schedule.second_steps),
                                   std::size_t(r.seed)})
    out += std::to_string(number) + " ";
  for (const float number : {r.config.layer_norm_eps, r.schedule.peak, r.schedule.last, r.schedule.second_peak, r.beta_1, r.beta_2, r.epsilon,
                             r.decay, r.clip, r.spread, r.place_size, r.likeness})
    out += std::to_string(bits_of(number)) + " ";
  return out + "\n";
}

}  // namespace

Result<> check_recipe(const Recipe& r) {
  const auto wrong = [](const std::string& what) { return fail(ErrorCode::bad_argument, what); };
  const Config& c = r.config;
  if (c.n_layers == 0 || c.n_heads == 0 || c.d_model == 0 || c.d_mlp == 0 || c.d_vocab == 0)
    return wrong("A model to train needs at least one layer, head, dimension, neuron and token.");
  if (c.d_model % c.n_heads != 0)
    return wrong("A width of " + std::to_string(c.d_model) + " does not divide into " + std::to_string(c.n_heads) + " heads.");
  if (r.sequence == 0 || r.sequence > c.n_positions)
    return wrong("Sequences of " + std::to_string(r.sequence) + " tokens were asked for; the model's window holds 1 to " +
                 std::to_string(c.n_positions) + ".");
  if (r.sequences_a_step == 0) return wrong("A training step needs at least one sequence.");
  for (const float rate : {r.schedule.peak, r.schedule.last, r.schedule.second_peak, r.decay, r.clip, r.spread, r.place_size, r.likeness})
    if (!(rate >= 0) || rate > 1e6f) return wrong("Learning rates, decay, clipping and the first weights' sizes must be finite and not below 0.");
  if (!(r.beta_1 >= 0 && r.beta_1 < 1 && r.beta_2 >= 0 && r.beta_2 < 1))
    return wrong("AdamW's betas must be at least 0 and below 1.");
  if (!(r.epsilon > 0)) return wrong("AdamW's epsilon must be above 0.");
  if (r.schedule.n_steps == 0 || r.schedule.warm_up > r.schedule.n_steps)
    return wrong("A schedule needs at least one step, and no more steps of warm-up than steps.");
  return Nothing{};
}

Weights first_weights(const Recipe& recipe) {
  std::mt19937_64 random(recipe.seed);
  Weights weights = zero_weights<float>(recipe.config);
  const float spread = recipe.spread;
  const float into_stream = spread / std::sqrt(2.0f * static_cast<float>(recipe.config.n_layers));
  const auto ones = [](LayerNormWeights& norm) { std::fill(norm.weight.begin(), norm.weight.end(), 1.0f); };
  fill(weights.wte, spread, random);
  if (recipe.place_size > 0) fill_with_waves(weights.wpe, recipe.config.d_model, recipe.place_size);
  else for (float& value : weights.wpe) value = normal(random) * spread;
  for (BlockWeights& block : weights.blocks) {
    ones(block.ln_1);
    ones(block.ln_2);
    fill(block.c_attn.weight, spread, random);
    if (recipe.likeness > 0) begin_alike(block.c_attn.weight, recipe.likeness);
    fill(block.c_proj.weight, into_stream, random);
    fill(block.mlp_fc.weight, spread, random);
    fill(block.mlp_proj.weight, into_stream, random);
  }
  ones(weights.ln_f);
  if (!recipe.config.tied_head) fill(weights.lm_head, spread, random);
  return weights;
}

Result<Trainer> Trainer::begin(const Recipe& recipe, SequenceSource source) {
  if (const Result<> checked = check_recipe(recipe); !checked) return checked.error();
  Trainer trainer;
  try {
    trainer.recipe_ = recipe;
    trainer.source_ = std::move(source);
    trainer.weights_ = first_weights(recipe);
    transpose(trainer.weights_, trainer.transposed_);
    trainer.optimizer_ = {.beta_1 = recipe.beta_1, .beta_2 = recipe.beta_2, .epsilon = recipe.epsilon,
                          .decay = recipe.decay, .clip = recipe.clip, .mean = zero_weights<float>(recipe.config),
                          .square = zero_weights<float>(recipe.config)};
    trainer.groups_.resize(n_groups);
    for (Group& group : trainer.groups_) {
      group.gradient = zero_weights<float>(recipe.config);
      group.ids.resize(recipe.sequence + 1);
      group.counts.resize(recipe.sequence);
    }
  } catch (...) {
    return fail(ErrorCode::out_of_memory, "There is not enough memory to train this model.");
  }
  return trainer;
}

void Trainer::run_group(std::size_t g) {
  Group& group = groups_[g];
  for (const Parameter<float>& part : parameters(group.gradient)) std::fill(part.values.begin(), part.values.end(), 0.0f);
  group.loss = 0;
  group.answers = 0;
  Pool alone(1);
  const float scale = 1.0f / static_cast<float>(recipe_.sequences_a_step * recipe_.sequence);
  const std::size_t begin = recipe_.sequences_a_step * g / n_groups, end = recipe_.sequences_a_step * (g + 1) / n_groups;
  for (std::size_t i = begin; i < end; ++i) {
    std::fill(group.counts.begin(), group.counts.end(), char{1});
    source_(optimizer_.steps * recipe_.sequences_a_step + i, group.ids, group.counts);
    const std::span<const int> texts(group.ids.data(), recipe_.sequence);
    std::vector<int> targets(group.ids.begin() + 1, group.ids.end());
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (group.counts[t]) ++group.answers;
      else targets[t] = not_counted;
    }
    group.trace.ids.clear();  // nothing of the last weights' trace may be kept
    if (!run(weights_, texts, group.trace, alone)) return;
    group.loss += add_gradient(weights_, transposed_, group.trace, targets, scale, group.gradient, group.scratch);
  }
}

StepReport Trainer::step(Pool& pool) {
  pool.split(n_groups, [&](std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) run_group(g);
  });
  const auto total = parameters(groups_[0].gradient);
  float loss = groups_[0].loss;
  std::size_t answers = groups_[0].answers;
  for (std::size_t g = 1; g < n_groups; ++g) {
    const auto part = parameters(groups_[g].gradient);
    for (std::size_t p = 0; p < total.size(); ++p)
      for (std::size_t i = 0; i < total[p].values.size(); ++i) total[p].values[i] += part[p].values[i];
    loss += groups_[g].loss;
    answers += groups_[g].answers;
  }
  StepReport report;
  report.step = optimizer_.steps;
  report.loss = answers ? loss / static_cast<float>(answers) : 0;
  report.rate = learning_rate(recipe_.schedule, report.step);
  report.length = update(optimizer_, weights_, groups_[0].gradient, report.rate);
  transpose(weights_, transposed_);
  return report;
}

std::string Trainer::state() const {
  std::string out = fingerprint_of(recipe_);
  const std::uint64_t steps = optimizer_.steps;
  out.append(reinterpret_cast<const char*>(&steps), sizeof steps);
  // parameters() hands out what may be written to; here it is only read.
  for (const Weights* part : {&weights_, &optimizer_.mean, &optimizer_.square})
    for (const Parameter<float>& p : parameters(const_cast<Weights&>(*part)))
      out.append(reinterpret_cast<const char*>(p.values.data()), p.values.size_bytes());
  return out;
}

Result<> Trainer::take_up(std::string_view state) {
  const std::string expected = fingerprint_of(recipe_);
  if (state.size() != this->state().size() || !state.starts_with(expected))
    return fail(ErrorCode::bad_file, "The saved state belongs to another recipe, or a part of it is missing.");
  state.remove_prefix(expected.size());
  const auto take = [&](void* to, std::size_t size) {
    std::memcpy(to, state.data(), size);
    state.remove_prefix(size);
  };
  take(&optimizer_.steps, sizeof optimizer_.steps);
  for (Weights* part : {&weights_, &optimizer_.mean, &optimizer_.square})
    for (const Parameter<float>& p : parameters(*part)) take(p.values.data(), p.values.size_bytes());
  transpose(weights_, transposed_);
  return Nothing{};
}

}  // namespace lookback
