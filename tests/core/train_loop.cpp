// The training loop: what it learns, and that the same seed always gives the same bits.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "core/train/parameters.hpp"
#include "core/train/trainer.hpp"

using namespace lookback;

namespace {

Recipe small_recipe() {
  Recipe recipe;
  recipe.config = {.n_layers = 2, .n_heads = 2, .d_model = 16, .d_mlp = 32, .n_positions = 12, .d_vocab = 9};
  recipe.sequence = 12;
  recipe.sequences_a_step = 7;  // does not divide into the groups
  recipe.schedule = {.peak = 1e-2f, .last = 1e-3f, .warm_up = 5, .n_steps = 60};
  recipe.seed = 3;
  return recipe;
}

// Counting upwards from anywhere, round and round: the next token follows from this one.
void counting(std::uint64_t number, std::span<int> ids, std::span<char>) {
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<int>((number * 5 + i) % 9);
}

std::string trained(std::size_t n_threads, int steps, float* last_loss = nullptr) {
  Result<Trainer> trainer = Trainer::begin(small_recipe(), counting);
  REQUIRE(trainer);
  Pool pool(n_threads);
  for (int i = 0; i < steps; ++i) {
    const StepReport report = trainer->step(pool);
    if (last_loss) *last_loss = report.loss;
  }
  return trainer->state();
}

}  // namespace

TEST_CASE("training: the loss begins at the guess among all tokens and falls to almost nothing") {
  Result<Trainer> trainer = Trainer::begin(small_recipe(), counting);
  REQUIRE(trainer);
  Pool pool(1);
  CHECK(trainer->step(pool).loss == doctest::Approx(std::log(9.0)).epsilon(0.02));
  float loss = 0;
  trained(1, 60, &loss);
  CHECK(loss < 0.1f);
}

TEST_CASE("training: 1, 2 and 3 threads give the same bits") {
  const std::string one = trained(1, 12);
  CHECK(one == trained(2, 12));
  CHECK(one == trained(3, 12));
}

TEST_CASE("training: taken up from any saved state it goes on with the same bits") {
  const std::string whole = trained(1, 12);
  for (const int saved_after : {0, 1, 7}) {
    Result<Trainer> trainer = Trainer::begin(small_recipe(), counting);
    REQUIRE(trainer);
    REQUIRE(trainer->take_up(trained(1, saved_after)));
    CHECK(trainer->steps_done() == static_cast<std::uint64_t>(saved_after));
    Pool pool(2);
    while (trainer->steps_done() < 12) trainer->step(pool);
    CHECK(trainer->state() == whole);
  }
}

TEST_CASE("training: a state of another recipe, or a part of one, is refused and changes nothing") {
  Result<Trainer> trainer = Trainer::begin(small_recipe(), counting);
  REQUIRE(trainer);
  const std::string before = trainer->state();
  Recipe other = small_recipe();
  other.seed = 4;
  const Result<Trainer> stranger = Trainer::begin(other, counting);
  REQUIRE(stranger);
  CHECK_FALSE(trainer->take_up(stranger->state()));
  CHECK_FALSE(trainer->take_up(before.substr(0, before.size() - 1)));
  const Result<> refused = trainer->take_up("");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().sentence == "The saved state belongs to another recipe, or a part of it is missing.");
  CHECK(trainer->state() == before);
}

TEST_CASE("training: answers that do not count change nothing but what they would have taught") {
  const auto none = [](std::uint64_t number, std::span<int> ids, std::span<char> counts) {
    counting(number, ids, counts);
    std::fill(counts.begin(), counts.end(), char{0});
  };
  Recipe recipe = small_recipe();
  recipe.decay = 0;
  Result<Trainer> trainer = Trainer::begin(recipe, none);
  REQUIRE(trainer);
  const Weights before = trainer->weights();
  Pool pool(1);
  const StepReport report = trainer->step(pool);
  CHECK(report.loss == 0);
  CHECK(report.length == 0);
  CHECK(trainer->weights().wpe == before.wpe);
}

TEST_CASE("training: the learning rate climbs, turns at the peak and ends at its last value") {
  const Schedule s{.peak = 1.0f, .last = 0.1f, .warm_up = 10, .n_steps = 110};
  CHECK(learning_rate(s, 0) == doctest::Approx(0.1));
  CHECK(learning_rate(s, 9) == 1.0f);
  CHECK(learning_rate(s, 10) == 1.0f);
  CHECK(learning_rate(s, 60) == doctest::Approx(0.55));
  CHECK(learning_rate(s, 35) == doctest::Approx(0.1 + 0.45 * (1 + std::cos(3.14159265358979 * 0.25))).epsilon(1e-7));
  CHECK(learning_rate(s, 110) == 0.1f);
  CHECK(learning_rate(s, 9999) == 0.1f);
  const Schedule twice{.peak = 1.0f, .last = 0.1f, .warm_up = 10, .n_steps = 110, .second_peak = 0.5f, .second_steps = 40};
  CHECK(learning_rate(twice, 60) == learning_rate(s, 60));
  CHECK(learning_rate(twice, 109) == learning_rate(s, 109));
  CHECK(learning_rate(twice, 110) == 0.5f);
  CHECK(learning_rate(twice, 130) == doctest::Approx(0.3));
  CHECK(learning_rate(twice, 150) == 0.1f);
}

TEST_CASE("training: one AdamW update by hand") {
  // One weight that decays (in wpe) and one that does not (a bias): numbers worked out from algorithm 2.
  const Config config{.n_layers = 1, .n_heads = 1, .d_model = 1, .d_mlp = 1, .n_positions = 1, .d_vocab = 1};
  Weights weights = zero_weights<float>(config), gradient = zero_weights<float>(config);
  AdamW optimizer{.beta_1 = 0.9f, .beta_2 = 0.99f, .epsilon = 1e-8f, .decay = 0.5f, .clip = 0, .mean = gradient, .square = gradient};
  weights.wpe[0] = 2;
  weights.ln_f.bias[0] = 2;
  gradient.wpe[0] = 3;
  gradient.ln_f.bias[0] = 4;
  CHECK(update(optimizer, weights, gradient, 0.1f) == 5.0f);  // the length of (3, 4)
  // First step: mean / correction = slope, root of square / correction = |slope|, so the step is 0.1 against the slope.
  CHECK(weights.wpe[0] == doctest::Approx(2 * (1 - 0.1 * 0.5) - 0.1));
  CHECK(weights.ln_f.bias[0] == doctest::Approx(2 - 0.1));
  gradient.ln_f.bias[0] = 0;
  update(optimizer, weights, gradient, 0.1f);
  const double mean = 0.9 * 0.4 / (1 - 0.81), square = 0.99 * 0.16 / (1 - 0.9801);
  CHECK(weights.ln_f.bias[0] == doctest::Approx(1.9 - 0.1 * mean / std::sqrt(square)));
}

TEST_CASE("training: a long gradient is shortened to the clip, a short one is left alone") {
  const Config config{.n_layers = 1, .n_heads = 1, .d_model = 1, .d_mlp = 1, .n_positions = 1, .d_vocab = 1};
  for (const float slope : {0.5f, 50.0f}) {
    Weights weights = zero_weights<float>(config), gradient = zero_weights<float>(config);
    AdamW optimizer{.clip = 1.0f, .mean = gradient, .square = gradient};
    gradient.wpe[0] = slope;
    CHECK(update(optimizer, weights, gradient, 0.1f) == slope);
    CHECK(optimizer.mean.wpe[0] == doctest::Approx(0.1 * std::min(slope, 1.0f)));
  }
}

TEST_CASE("training: recipes out of range are refused by name") {
  const auto sentence = [](auto change) {
    Recipe recipe = small_recipe();
    change(recipe);
    const Result<> checked = check_recipe(recipe);
    return checked ? std::string("accepted") : checked.error().sentence;
  };
  CHECK(sentence([](Recipe&) {}) == "accepted");
  CHECK(sentence([](Recipe& r) { r.sequence = 13; }) ==
        "Sequences of 13 tokens were asked for; the model's window holds 1 to 12.");
  CHECK(sentence([](Recipe& r) { r.config.n_heads = 3; }) == "A width of 16 does not divide into 3 heads.");
  CHECK(sentence([](Recipe& r) { r.sequences_a_step = 0; }) == "A training step needs at least one sequence.");
  CHECK(sentence([](Recipe& r) { r.schedule.peak = std::nanf(""); }) ==
        "Learning rates, decay, clipping and the first weights' sizes must be finite and not below 0.");
  CHECK(sentence([](Recipe& r) { r.schedule.warm_up = 61; }) ==
        "A schedule needs at least one step, and no more steps of warm-up than steps.");
}
