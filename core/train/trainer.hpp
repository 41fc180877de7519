// The training loop, one step at a time: texts in, loss and slopes, one update of the weights.
//
// The same seed gives the same bits with any number of threads, natively and in every browser: a step's sequences are
// dealt to a fixed number of groups, each group adds up its slopes in order, and the groups are added in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/transformer.hpp"
#include "core/result.hpp"
#include "core/train/backward.hpp"
#include "core/train/optimizer.hpp"

namespace lookback {

struct Recipe {
  Config config;
  std::size_t sequence = 128;      // tokens that go through the model at once; each is asked for the token after it
  std::size_t sequences_a_step = 32;
  Schedule schedule;
  float beta_1 = 0.9f, beta_2 = 0.99f, epsilon = 1e-8f, decay = 0.1f, clip = 1.0f;  // optimizer.hpp
  float spread = 0.02f;            // of the first weights; those that write to the stream: / sqrt(2 n_layers)
  float place_size = 0;            // of the first position table, when it shall begin as waves (below); 0: at random
  float likeness = 0;              // when keys shall begin as the queries: W_Q times this serves for both; 0: each its own
  std::uint64_t seed = 0;          // of the first weights
};

// Errors: bad_argument, which names the first number that is out of range.
Result<> check_recipe(const Recipe& recipe);

// Fills ids [sequence + 1] with sequence number `number`, counted from 0 over the whole training: ids[0 … n - 1] go in,
// ids[1 … n] are the answers. Answers whose place in `counts` [sequence] is set from 1 to 0 are not asked for.
// Called from several threads at once; the same number must give the same ids.
using SequenceSource = std::function<void(std::uint64_t number, std::span<int> ids, std::span<char> counts)>;

struct StepReport {
  std::uint64_t step = 0;  // steps done before it
  float loss = 0;          // mean of -ln p over the answers of this step, before the update
  float rate = 0;          // learning rate
  float length = 0;        // of the gradient, before clipping
};

// First weights: normal numbers times recipe.spread, biases 0, norms 1 (Radford et al. 2019, section 2.3).
//
// Two other beginnings help a small model to find out sooner that looking back pays. With place_size the position table
// begins as waves of that root mean square (Vaswani et al. 2017, section 3.5), so neighbouring places are alike. With
// likeness a token first looks at what is like it. Both are changed by training like everything else.
Weights first_weights(const Recipe& recipe);

class Trainer {
 public:
  // Errors: bad_argument from check_recipe, out_of_memory.
  static Result<Trainer> begin(const Recipe& recipe, SequenceSource source);

  StepReport step(Pool& pool);

  std::uint64_t steps_done() const { return optimizer_.steps; }
  const Weights& weights() const { return weights_; }
  const Recipe& recipe() const { return recipe_; }

  // Everything that the next step depends on, as bytes; and back. A trainer that takes a state up goes on with the same
  // bits as if it had never stopped. Error bad_file: the state is of another recipe, or cut short; nothing changes then.
  std::string state() const;
  Result<> take_up(std::string_view state);

 private:
  static constexpr std::size_t n_groups = 4;
  struct Group {
    Weights gradient;
    BackwardScratch<float> scratch;
    Trace trace;
    std::vector<int> ids;
    std::vector<char> counts;
    float loss = 0;
    std::size_t answers = 0;
  };

  Trainer() = default;
  void run_group(std::size_t group);

  Recipe recipe_;
  SequenceSource source_;
  Weights weights_;
  TransposedWeights<float> transposed_;
  AdamW optimizer_;
  std::vector<Group> groups_;
};

}  // namespace lookback
