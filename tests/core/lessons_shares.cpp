// The arrows, the dial, the sink and the map.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/lessons/blend.hpp"
#include "core/lessons/dot.hpp"
#include "core/lessons/sink.hpp"
#include "core/lessons/softmax_dial.hpp"
#include "core/lessons/worlds.hpp"

using namespace lookback;
using namespace lookback::lessons;

namespace {

template <class Number>
std::size_t largest(const std::vector<Number>& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

}  // namespace

TEST_CASE("dot: both readings of the product agree, whatever the arrows") {
  std::mt19937 random(4);
  std::uniform_real_distribution<float> component(-1000, 1000);
  for (int i = 0; i < 2000; ++i) {
    const DotInput in{{component(random), component(random)}, {component(random), component(random)}};
    const auto out = dot(in);
    REQUIRE(out);
    const double exact = static_cast<double>(in.q[0]) * in.k[0] + static_cast<double>(in.q[1]) * in.k[1];
    const double scale = std::hypot(in.q[0], in.q[1]) * std::hypot(in.k[0], in.k[1]);
    REQUIRE(std::fabs(out->dot - exact) <= 2e-7 * scale);
    REQUIRE(std::fabs(out->lengths_times_cosine - exact) <= 3e-7 * scale);
    REQUIRE(std::fabs(*out->cosine - std::cos(*out->angle_degrees * 3.14159265358979 / 180)) <= 1e-6);
    REQUIRE(std::fabs(out->q_length - std::hypot(in.q[0], in.q[1])) <= 1e-6 * out->q_length);
  }
}

TEST_CASE("dot: right angles, opposite arrows, no length, tiny and huge ones") {
  CHECK(*dot({{3, 0}, {0, 2}})->angle_degrees == 90);
  CHECK(*dot({{3, 0}, {0, 2}})->cosine == 0);
  CHECK(*dot({{1, 2}, {-2, -4}})->angle_degrees == 180);
  CHECK(*dot({{1, 2}, {-2, -4}})->cosine == -1);
  CHECK(*dot({{0, -1}, {1, 0}})->q_direction_degrees == -90);
  const auto none = dot({{0, 0}, {1, 2}});
  REQUIRE(none);
  CHECK_FALSE(none->cosine);
  CHECK_FALSE(none->angle_degrees);
  CHECK_FALSE(none->q_direction_degrees);
  CHECK(*none->k_direction_degrees == doctest::Approx(63.434949));
  CHECK(none->dot == 0);
  CHECK(*dot({{1e-30f, 0}, {1e-30f, 1e-30f}})->angle_degrees == doctest::Approx(45));
  CHECK_FALSE(dot({{1001, 0}, {1, 0}}));
  CHECK_FALSE(dot({{NAN, 0}, {1, 0}}));
}

TEST_CASE("softmax: shares add up, follow the formula in double, and keep the ratio e^difference") {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> score(-10, 10);
  for (int round = 0; round < 500; ++round) {
    SoftmaxInput in{{}, 0.5f};
    for (std::size_t n = 2 + random() % 60; n > 0; --n) in.scores.push_back(score(random));
    const auto out = softmax_dial(in);
    REQUIRE(out);
    double sum = 0;
    for (const float s : out->stretched) sum += std::exp(static_cast<double>(s));
    for (std::size_t i = 0; i < in.scores.size(); ++i) {
      REQUIRE(out->shares[i] == doctest::Approx(std::exp(static_cast<double>(out->stretched[i])) / sum).epsilon(1e-5));
      REQUIRE(out->exps[i] / out->sum == doctest::Approx(out->shares[i]).epsilon(1e-6));
    }
    REQUIRE(std::accumulate(out->shares.begin(), out->shares.end(), 0.0) == doctest::Approx(1).epsilon(1e-6));
    REQUIRE(std::accumulate(out->percents.begin(), out->percents.end(), 0) == 100);
    REQUIRE(std::accumulate(out->per_mille.begin(), out->per_mille.end(), 0) == 1000);
    const TopTwo& top = *out->top_two;
    REQUIRE(largest(out->stretched) == top.first);
    REQUIRE(out->shares[top.first] / out->shares[top.second] == doctest::Approx(*top.ratio).epsilon(1e-5));
    REQUIRE(*top.ratio == doctest::Approx(std::exp(static_cast<double>(top.difference))).epsilon(1e-5));
  }
}

TEST_CASE("softmax: scores within 0 and 1 come out nearly flat, nine-fold they decide") {
  SoftmaxInput in = default_softmax();
  CHECK(softmax_dial(in)->percents[0] < 40);
  in.stretch = 9;
  CHECK(softmax_dial(in)->percents[0] > 90);
  in.stretch = 0;
  CHECK(softmax_dial(in)->percents == std::vector<int>(5, 20));
}

TEST_CASE("softmax: one score, far apart scores, and what is refused") {
  const auto one = softmax_dial({{-7}, 1});
  REQUIRE(one);
  CHECK(one->percents == std::vector<int>{100});
  CHECK_FALSE(one->top_two);
  const auto far = softmax_dial({{1000, -1000}, 100});
  REQUIRE(far);
  CHECK(far->shares == std::vector<float>{1, 0});
  CHECK(far->exps[1] == 0);
  CHECK_FALSE(far->top_two->ratio);
  CHECK(far->top_two->difference == 200000);
  CHECK_FALSE(softmax_dial({{}, 1}));
  CHECK_FALSE(softmax_dial({std::vector<float>(257, 0.0f), 1}));
  CHECK_FALSE(softmax_dial({{1001}, 1}));
  CHECK_FALSE(softmax_dial({{NAN}, 1}));
  CHECK_FALSE(softmax_dial({{1}, -1}));
  CHECK_FALSE(softmax_dial({{1}, INFINITY}));
}

TEST_CASE("sink: without it, a query that nothing matches is spread as noise; with it, the sink takes most") {
  SinkInput in = default_sink();
  for (const SinkQuery& q : sink_queries()) {
    if (q.matches) continue;
    INFO(q.query);
    in.query = {std::string(q.query)};
    const auto out = sink(in);
    REQUIRE(out);
    CHECK(out->unknown_words.empty());
    CHECK(out->without_sink.entropy_bits > 2.3f);  // ten keys: 3.32 would be flat
    CHECK(out->with_sink.shares.back() > 0.65f);
    for (std::size_t i = 0; i < in.keys.size(); ++i) {
      CHECK(out->with_sink.shares[i] < out->without_sink.shares[i] * 0.35f);
      CHECK(out->matches[i].score < 0.35f);
    }
  }
}

TEST_CASE("sink: the query shown first comes out nearly flat") {
  const auto out = sink(default_sink());
  REQUIRE(out);
  CHECK(out->without_sink.entropy_bits > 3);
  CHECK(out->without_sink.percents[largest(out->without_sink.percents)] <= 25);
}

TEST_CASE("sink: a true match still wins") {
  SinkInput in = default_sink();
  int matching = 0;
  for (const SinkQuery& q : sink_queries()) {
    if (!q.matches) continue;
    INFO(q.query);
    ++matching;
    in.query = {std::string(q.query)};
    const auto out = sink(in);
    REQUIRE(out);
    const std::size_t best = largest(out->with_sink.shares);
    CHECK(best < in.keys.size());
    CHECK(out->with_sink.shares[best] > 0.8f);
    CHECK(out->with_sink.shares.back() < 0.05f);
  }
  CHECK(matching >= 3);
}

TEST_CASE("sink: its share is e^score over the row's sum, for any score") {
  SinkInput in = default_sink();
  for (const float score : {-5.0f, 0.0f, 2.5f, 9.0f}) {
    in.sink_score = score;
    const auto out = sink(in);
    REQUIRE(out);
    double sum = std::exp(static_cast<double>(score));
    for (const float s : out->stretched) sum += std::exp(static_cast<double>(s));
    CHECK(out->with_sink.shares.back() == doctest::Approx(std::exp(static_cast<double>(score)) / sum).epsilon(1e-5));
    CHECK(std::accumulate(out->with_sink.percents.begin(), out->with_sink.percents.end(), 0) == 100);
  }
  in.keys.clear();
  CHECK_FALSE(sink(in));
}

TEST_CASE("blend: each suggested pair lands near another meaning, nearer than to its own parts") {
  const std::vector<MeaningPoint> meanings = default_meanings();
  const auto place_of = [&](std::string_view name) {
    std::size_t i = 0;
    while (meanings.at(i).name != name) ++i;
    return i;
  };
  const std::string_view expected[] = {"riverside", "bank counter", "sleepy dog", "alien sky", "rain", "decree"};
  REQUIRE(blend_pairs().size() == std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const auto out = blend({meanings, {place_of(blend_pairs()[i][0]), place_of(blend_pairs()[i][1])}, {1, 1}});
    REQUIRE(out);
    CHECK(meanings[out->distances[0].meaning].name == expected[i]);
    CHECK(out->distances[0].distance < 0.25f);
    CHECK(out->distances[1].distance > 1.2f);
    CHECK(out->nearest_other == out->distances[0].meaning);
  }
}

TEST_CASE("blend: the mean is weighted, and moves to a point as its share grows to one") {
  const BlendInput base = default_blend();
  const auto& meanings = base.meanings;
  const auto out = blend({meanings, {0, 2}, {3, 1}});
  REQUIRE(out);
  CHECK(out->values[0].share == 0.75f);
  CHECK(out->blend[0] == doctest::Approx(0.75 * meanings[0].at[0] + 0.25 * meanings[2].at[0]));
  CHECK(out->blend[1] == doctest::Approx(0.75 * meanings[0].at[1] + 0.25 * meanings[2].at[1]));
  const auto all = blend({meanings, {0, 2}, {0, 5}});
  CHECK(all->distances[0].meaning == 2);
  CHECK(all->distances[0].distance == 0);
  CHECK(*all->nearest_other != 2);
  CHECK_FALSE(blend({meanings, {0}, {0}}));
  CHECK_FALSE(blend({meanings, {99}, {1}}));
  CHECK_FALSE(blend({meanings, {0, 1}, {1}}));
  CHECK_FALSE(blend({meanings, {0}, {-1}}));
  CHECK_FALSE(blend({{}, {0}, {1}}));
  CHECK_FALSE(blend({{meanings[0]}, {0}, {1}})->nearest_other);
}
