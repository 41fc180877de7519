// The small trainings that a page runs: their texts, what they learn, and that a seed gives the same curve everywhere.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "core/train/practice.hpp"
#include "core/train/practice_json.hpp"

using namespace lookback;
using Json = nlohmann::json;

namespace {

PracticeWorld world_of(std::string_view name, const PracticeOptions& options = {}) {
  const Result<PracticeWorld> world = practice_world(name, options);
  if (!world) FAIL(world.error().sentence);
  return *world;
}

Practice begin(std::string_view name, const PracticeOptions& options = {}) {
  Result<Practice> practice = Practice::begin(name, options);
  if (!practice) FAIL(practice.error().sentence);
  return std::move(*practice);
}

Reading read(const Practice& practice) {
  Pool pool(1);
  const Result<Reading> reading = practice.read(pool);
  if (!reading) FAIL(reading.error().sentence);
  return *reading;
}

std::vector<float> train(Practice& practice, std::size_t steps, std::size_t threads = 1) {
  Pool pool(threads);
  std::vector<float> losses;
  for (std::size_t i = 0; i < steps; ++i) losses.push_back(practice.step(pool).loss);
  return losses;
}

// FNV-1a over the bits.
std::uint64_t hash(const std::vector<float>& values) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (const float value : values) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    for (int byte = 0; byte < 4; ++byte) sum = (sum ^ ((bits >> (8 * byte)) & 0xff)) * 0x100000001b3u;
  }
  return sum;
}

std::string sentence(const PracticeWorld& world, const PracticeText& text) {
  std::string out;
  for (const int id : text.ids) out += world.words[static_cast<std::size_t>(id)] + " ";
  return out;
}

std::string refusal(std::string_view name, const PracticeOptions& options) {
  const Result<PracticeWorld> world = practice_world(name, options);
  return world ? "accepted" : world.error().sentence;
}

float largest(const std::vector<float>& shares, std::size_t begin, std::size_t end) {
  return *std::max_element(shares.begin() + static_cast<std::ptrdiff_t>(begin), shares.begin() + static_cast<std::ptrdiff_t>(end));
}

}  // namespace

TEST_CASE("practice: in head the word after it is the noun's own verb, and the place says nothing about it") {
  const PracticeWorld world = world_of("head");
  std::vector<std::set<int>> verbs(world.words.size()), places(world.words.size());
  for (std::uint64_t number = 0; number < 2000; ++number) {
    const PracticeText text = world.text(number);
    REQUIRE(text.ids.size() == world.recipe.sequence + 1);
    REQUIRE(text.counts.size() == world.recipe.sequence);
    const auto word = [&](std::size_t t) { return world.words[static_cast<std::size_t>(text.ids[t])]; };
    REQUIRE(word(text.from) == "it");
    REQUIRE(word(text.from - 1) == "because");
    REQUIRE(word(text.from + 2) == ".");
    REQUIRE(text.noun < text.from);
    REQUIRE(text.known[text.from] == 1);
    REQUIRE(std::count(text.known.begin(), text.known.end(), 1) == 1);
    // The loss counts up to the full stop and not the filling after it.
    for (std::size_t t = 0; t < text.counts.size(); ++t) REQUIRE(text.counts[t] == (t <= text.from + 1));
    verbs[static_cast<std::size_t>(text.ids[text.noun])].insert(text.ids[text.from + 1]);
    std::size_t place = text.noun + 3;
    if (word(place) == "old" || word(place) == "small" || word(place) == "black") ++place;
    places[static_cast<std::size_t>(text.ids[place])].insert(text.ids[text.from + 1]);
  }
  CHECK(std::count_if(verbs.begin(), verbs.end(), [](const auto& set) { return set.size() == 1; }) == 8);
  CHECK(std::none_of(verbs.begin(), verbs.end(), [](const auto& set) { return set.size() > 1; }));
  for (const std::set<int>& set : places) CHECK((set.empty() || set.size() == 8));
  for (const PracticeText& probe : world.probes) MESSAGE("practice head: ", sentence(world, probe));
}

TEST_CASE("practice: in repeats the pattern comes round to the end, with every length and every word") {
  const PracticeOptions options{.words = 20, .shortest = 5, .longest = 9};
  const PracticeWorld world = world_of("repeats", options);
  std::set<std::size_t> lengths;
  std::set<int> words;
  for (std::uint64_t number = 0; number < 500; ++number) {
    const PracticeText text = world.text(number);
    const std::size_t n = text.counts.size(), length = text.first_run;
    REQUIRE(text.ids.size() == n + 1);
    lengths.insert(length);
    words.insert(text.ids.begin(), text.ids.end());
    for (std::size_t t = length; t <= n; ++t) REQUIRE(text.ids[t] == text.ids[t - length]);
    for (std::size_t t = 0; t < n; ++t) REQUIRE(text.known[t] == (t >= length));
  }
  CHECK(lengths == std::set<std::size_t>{5, 6, 7, 8, 9});
  CHECK(words.size() == 20);
  CHECK(*words.rbegin() == 19);

  // The text to watch is the same for every seed and was never trained on: no training text has its first words.
  const PracticeText probe = world.probes.front();
  CHECK(probe.ids == world_of("repeats", {.seed = 77, .words = 20, .shortest = 5, .longest = 9}).probes.front().ids);
  CHECK(std::set<int>(probe.ids.begin(), probe.ids.end()).size() == probe.first_run);
  for (std::uint64_t number = 0; number < 24 * 1000; ++number) {
    const std::vector<int> ids = world.text(number).ids;
    REQUIRE_FALSE(std::equal(ids.begin(), ids.begin() + 6, probe.ids.begin()));
  }

  const PracticeText never = world_of("repeats", {.repeated = false}).text(3);
  CHECK(std::count(never.known.begin(), never.known.end(), 1) == 0);
  CHECK(never.first_run == never.counts.size());
}

TEST_CASE("practice: the same number gives the same text, another seed another one") {
  for (const std::string_view name : {"head", "repeats"}) {
    const PracticeWorld world = world_of(name, {.seed = 5}), again = world_of(name, {.seed = 5}), other = world_of(name, {.seed = 6});
    std::size_t same = 0;
    for (std::uint64_t number = 0; number < 50; ++number) {
      CHECK(world.text(number).ids == again.text(number).ids);
      same += world.text(number).ids == other.text(number).ids;
    }
    CHECK(same < 5);
  }
}

TEST_CASE("practice: options out of range are named in one sentence") {
  CHECK(refusal("walk", {}) == "There is no practice “walk”; expected head or repeats.");
  CHECK(refusal("repeats", {.words = 3}) == "The number of words must be a whole number from 4 to 40, not 3.");
  CHECK(refusal("repeats", {.words = 41}) == "The number of words must be a whole number from 4 to 40, not 41.");
  CHECK(refusal("repeats", {.shortest = 1}) == "The shortest pattern must be a whole number from 2 to 24, not 1.");
  CHECK(refusal("repeats", {.shortest = 9, .longest = 8}) == "The longest pattern must be a whole number from 9 to 24, not 8.");
  CHECK(refusal("repeats", {.longest = 25}) == "The longest pattern must be a whole number from 8 to 24, not 25.");
  CHECK(refusal("repeats", {.words = 4, .shortest = 2, .longest = 2}) == "accepted");
}

TEST_CASE("practice: from it, the only head comes to look hardest at the noun, which no label names") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Practice practice = begin("head", {.seed = seed});
    const Reading before = read(practice);
    CHECK(before.roles.front() < 0.3f);
    CHECK(before.known_loss > 3.0f);
    train(practice, 500);
    const Reading after = read(practice);
    MESSAGE("practice head, seed ", seed, ": share on the noun ", before.roles.front(), " -> ", after.roles.front());
    CHECK(after.step == 500);
    CHECK(after.roles.front() >= 0.7f);
    CHECK(after.known_right >= 0.95f);
    for (std::size_t p = 0; p < after.probes.size(); ++p) {
      const PracticeText& text = practice.world().probes[p];
      const std::size_t n = text.ids.size() - 1;
      const float* row = &after.probes[p].patterns[text.from * n];
      CHECK(std::max_element(row, row + n) - row == static_cast<std::ptrdiff_t>(text.noun));
      CHECK(after.probes[p].guesses[text.from] == text.ids[text.from + 1]);
    }
  }
}

TEST_CASE("practice: repeats falls off a ledge, with a previous-token head below an induction head") {
  Practice practice = begin("repeats", {.seed = 2});
  const std::vector<float> losses = train(practice, 600);
  const Reading after = read(practice);
  const std::optional<Ledge> ledge = find_ledge(losses);
  REQUIRE(ledge);
  MESSAGE("practice repeats: ledge at step ", ledge->step, ", ", ledge->before, " -> ", ledge->after, "; previous token ",
          largest(after.roles, 0, 2), ", induction ", largest(after.roles, 6, 8));
  CHECK(ledge->step > 100);
  CHECK(ledge->before - ledge->after > 0.4f);
  CHECK(largest(after.roles, 0, 2) >= 0.8f);  // layer 0, previous token
  CHECK(largest(after.roles, 6, 8) >= 0.6f);  // layer 1, induction
  CHECK(after.known_loss < 0.8f);
  CHECK(after.known_right > 0.8f);
  CHECK(after.other_loss > 3.3f);  // nothing tells what a new word will be
}

TEST_CASE("practice: where nothing is repeated there is nothing to learn") {
  Practice practice = begin("repeats", {.words = 24, .repeated = false});
  train(practice, 200);
  const Reading after = read(practice);
  CHECK(std::isnan(after.known_loss));
  CHECK(std::isnan(after.known_right));
  CHECK(after.other_loss == doctest::Approx(std::log(24.0)).epsilon(0.02));
}

TEST_CASE("practice: a seed gives the same bits with any number of threads, natively and in WebAssembly") {
  const auto curve = [](std::string_view name, std::size_t threads) {
    Practice practice = begin(name, {.seed = 9});
    return train(practice, 50, threads);
  };
  CHECK(hash(curve("head", 1)) == 11513044590407733029u);
  CHECK(hash(curve("repeats", 1)) == 1469965848704560948u);
  CHECK(hash(curve("head", 3)) == hash(curve("head", 1)));
  CHECK(hash(curve("repeats", 3)) == hash(curve("repeats", 1)));
}

TEST_CASE("practice: reading leaves the curve as it is, and agrees with itself") {
  Practice watched = begin("head"), alone = begin("head");
  std::vector<float> losses;
  for (int i = 0; i < 4; ++i) {
    const std::vector<float> more = train(watched, 5);
    losses.insert(losses.end(), more.begin(), more.end());
    const Reading reading = read(watched);
    for (std::size_t p = 0; p < reading.probes.size(); ++p) {
      const ProbeReading& probe = reading.probes[p];
      const std::size_t n = probe.losses.size();
      for (std::size_t row = 0; row < n; ++row) {
        double sum = 0;
        for (std::size_t column = 0; column < n; ++column) {
          const float share = probe.patterns[row * n + column];
          sum += static_cast<double>(share);
          if (column > row) CHECK(share == 0);
        }
        CHECK(sum == doctest::Approx(1).epsilon(1e-5));
        CHECK(probe.losses[row] == doctest::Approx(-std::log(static_cast<double>(probe.chances[row]))).epsilon(1e-4));
        CHECK(probe.guess_chances[row] >= probe.chances[row]);
      }
    }
  }
  CHECK(losses == train(alone, 20));
}

TEST_CASE("practice: a ledge is the steepest fall between two stretches") {
  std::vector<float> curve(200, 3.0f);
  CHECK_FALSE(find_ledge(curve));
  for (std::size_t i = 120; i < curve.size(); ++i) curve[i] = 1.0f;
  const std::optional<Ledge> ledge = find_ledge(curve);
  REQUIRE(ledge);
  CHECK(ledge->step == 120);
  CHECK(ledge->before == 3.0f);
  CHECK(ledge->after == 1.0f);
  for (std::size_t i = 0; i < curve.size(); ++i) curve[i] = 3.0f - 0.005f * static_cast<float>(i);  // 0.15 in 30 steps
  CHECK_FALSE(find_ledge(curve));
  CHECK_FALSE(find_ledge(std::vector<float>(2 * ledge_window - 1, 0.0f)));
  CHECK_FALSE(find_ledge({}));
}

TEST_CASE("practice: as JSON, steps and options in, plan, losses and reading out") {
  Pool pool(1);
  const Result<std::string> answer = practise("repeats", R"({"seed":4,"words":12,"shortest":3,"longest":6,"steps":3})", pool);
  REQUIRE(answer);
  const Json out = Json::parse(*answer);
  CHECK(out["plan"]["words"].size() == 12);
  CHECK(out["plan"]["config"]["n_layers"] == 2);
  CHECK(out["plan"]["roles"][1]["name"] == "induction");
  CHECK(out["losses"].size() == 3);
  CHECK(out["ledge"].is_null());
  CHECK(out["reading"]["step"] == 3);
  const std::size_t n = out["plan"]["probes"][0]["known"].size();
  CHECK(out["plan"]["probes"][0]["ids"].size() == n + 1);
  CHECK(out["reading"]["probes"][0]["patterns"].size() == 4 * n * n);
  CHECK(out["reading"]["roles"][0].size() == 4);

  Practice practice = begin("repeats", {.seed = 4, .words = 12, .shortest = 3, .longest = 6});
  const std::vector<float> losses = train(practice, 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(out["losses"][i].get<float>() == losses[i]);

  const Result<std::string> never = practise("repeats", R"({"repeated":false})", pool);
  REQUIRE(never);
  CHECK(Json::parse(*never)["reading"]["known_loss"].is_null());

  const auto refused = [&](std::string_view name, std::string_view input) {
    const Result<std::string> result = practise(name, input, pool);
    return result ? "accepted" : result.error().sentence;
  };
  CHECK(refused("repeats", "[]") == "A practice's options must be a JSON object.");
  CHECK(refused("repeats", "{") == "A practice's options must be a JSON object.");
  CHECK(refused("repeats", R"({"seed":-1})") == "“seed” must be a whole number from 0 to 9007199254740991.");
  CHECK(refused("repeats", R"({"seed":1.5})") == "“seed” must be a whole number from 0 to 9007199254740991.");
  CHECK(refused("repeats", R"({"repeated":1})") == "“repeated” must be true or false.");
  CHECK(refused("repeats", R"({"steps":1001})") == "“steps” must be a whole number from 0 to 1000.");
  CHECK(refused("head", R"({"words":9})") == "“words” is no option of this practice; expected seed, steps.");
  CHECK(refused("walk", R"({"words":9})") == "There is no practice “walk”; expected head or repeats.");
}
