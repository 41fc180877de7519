// Chains and the first weights that a small model begins with.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>

#include "core/train/chains.hpp"
#include "core/train/little.hpp"
#include "core/text/bpe.hpp"

using namespace lookback;

TEST_CASE("chains: one ring a chain, jumps as often as asked, the same for the same number") {
  std::vector<int> words;
  for (int id = 100; id < 140; ++id) words.push_back(id);
  std::set<std::size_t> sizes;
  std::size_t followed = 0, all = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    std::vector<int> ids(129), again(129);
    fill_chain(number, words, {}, ids);
    fill_chain(number, words, {}, again);
    REQUIRE(ids == again);
    std::map<int, std::map<int, int>> followers;
    for (std::size_t t = 1; t < ids.size(); ++t) ++followers[ids[t - 1]][ids[t]];
    std::set<int> chosen(ids.begin(), ids.end());
    sizes.insert(chosen.size());
    CHECK(*chosen.begin() >= 100);
    CHECK(*chosen.rbegin() < 140);
    // The rule is what most often follows. It is one ring: from any word it comes back after all of them.
    std::map<int, int> rule;
    for (const auto& [word, counts] : followers) {
      int best = -1, most = 0;
      for (const auto& [next, n] : counts)
        if (n > most) best = next, most = n;
      rule[word] = best;
      CHECK(best != word);
    }
    for (std::size_t t = 1; t < ids.size(); ++t) followed += rule[ids[t - 1]] == ids[t], ++all;
  }
  CHECK(sizes == std::set<std::size_t>{8, 9, 10});
  CHECK(static_cast<double>(followed) / static_cast<double>(all) == doctest::Approx(0.865).epsilon(0.02));
}

TEST_CASE("first weights: waves for places, keys like queries, else numbers of the asked spread") {
  Recipe recipe;
  recipe.config = {.n_layers = 1, .n_heads = 2, .d_model = 24, .d_mlp = 48, .n_positions = 40, .d_vocab = 50};
  recipe.sequence = 8;
  recipe.spread = 0.5f;
  recipe.seed = 9;
  const Weights plain = first_weights(recipe);
  double square = 0;
  for (const float x : plain.wpe) square += double(x) * double(x);
  CHECK(std::sqrt(square / double(plain.wpe.size())) == doctest::Approx(0.5).epsilon(0.05));
  CHECK(plain.blocks[0].c_attn.weight.at(3, 5) != plain.blocks[0].c_attn.weight.at(3, 24 + 5));

  recipe.place_size = 0.2f;
  recipe.likeness = 1.5f;
  const Weights begun = first_weights(recipe);
  for (std::size_t t = 0; t < 40; ++t)
    for (std::size_t j = 0; j < 12; ++j) {
      const double angle = double(t) / std::pow(10000.0, 2.0 * double(j) / 24), size = 0.2 * std::sqrt(2.0);
      CHECK(std::fabs(begun.wpe[t * 24 + 2 * j] - size * std::sin(angle)) < 2e-6);
      CHECK(std::fabs(begun.wpe[t * 24 + 2 * j + 1] - size * std::cos(angle)) < 2e-6);
    }
  const PackedMatrix& c_attn = begun.blocks[0].c_attn.weight;
  bool alike = true, values_alike = true;
  for (std::size_t k = 0; k < 24; ++k)
    for (std::size_t n = 0; n < 24; ++n) {
      alike &= c_attn.at(k, n) == c_attn.at(k, 24 + n);
      values_alike &= c_attn.at(k, n) == c_attn.at(k, 48 + n);
    }
  CHECK(alike);
  CHECK_FALSE(values_alike);
}

TEST_CASE("the little model's sequences: chains of ten words first, then texts, each sequence another") {
  const Result<LearnedVocabulary> learned = little_vocabulary();
  REQUIRE(learned);
  const Result<Vocabulary> vocabulary = Vocabulary::parse(learned->vocab_json, learned->merges_txt);
  REQUIRE(vocabulary);
  CHECK(vocabulary->size() == 2048);
  const Recipe recipe = little_recipe(*vocabulary);
  REQUIRE(check_recipe(recipe));
  const SequenceSource source = little_sequences(*vocabulary);
  const auto sequence = [&](std::uint64_t number) {
    std::vector<int> ids(recipe.sequence + 1);
    std::vector<char> counts(recipe.sequence, 1);
    source(number, ids, counts);
    return ids;
  };
  const std::vector<int> first = sequence(0);
  CHECK(std::set<int>(first.begin(), first.end()).size() == 10);
  CHECK(std::set<int>(first.begin(), first.end()) == [&] {
    const std::vector<int> other = sequence(1000);
    return std::set<int>(other.begin(), other.end());
  }());
  CHECK(first == sequence(0));

  const std::uint64_t late = (recipe.schedule.n_steps - 10) * recipe.sequences_a_step;
  std::size_t texts = 0;
  std::set<std::vector<int>> different;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::vector<int> ids = sequence(late + i);
    different.insert(ids);
    texts += std::set<int>(ids.begin(), ids.end()).size() > 10;
  }
  CHECK(different.size() == 100);
  CHECK(texts >= 75);
  CHECK(texts <= 95);
}
