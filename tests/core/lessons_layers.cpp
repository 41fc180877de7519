// The bend of the feed-forward step, and the counting of weights.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/lessons/lessons.hpp"
#include "core/lessons/parameters.hpp"
#include "core/model/weights.hpp"
#include "core/train/little.hpp"

using namespace lookback;
using namespace lookback::lessons;
using Json = nlohmann::json;

namespace {

Json call(std::string_view name, const Json& input) {
  const auto output = lesson(name, input.dump());
  if (!output) FAIL(output.error().sentence);
  return Json::parse(*output);
}

std::string refusal(std::string_view name, const Json& input) {
  const auto output = lesson(name, input.dump());
  return output ? "accepted: " + *output : output.error().sentence;
}

Config config_of(const Sizes& s) {
  Config config;
  config.n_layers = s.layers;
  config.n_heads = 1;
  config.d_model = s.width;
  config.d_mlp = 4 * s.width;
  config.d_vocab = s.tokens;
  config.n_positions = s.places;
  return config;
}

}  // namespace

TEST_CASE("the parts hold as many weights as the model has") {
  for (const NamedSizes& model : known_models()) {
    INFO(model.name);
    const Budget budget = budget_of(model.sizes);
    CHECK(budget.weights == n_parameters(config_of(model.sizes)));
    double shares = 0;
    std::uint64_t weights = 0;
    for (const Part& part : budget.parts) {
      weights += part.weights;
      shares += part.share;
      std::uint64_t tables = 0;
      for (const Table& table : part.tables) tables += table.rows * table.columns * table.copies;
      CHECK(tables == part.weights);
    }
    CHECK(weights == budget.weights);
    CHECK(shares == doctest::Approx(1).epsilon(1e-6));
  }
  for (std::uint64_t n = 1; n < 40; n += 3) {
    const Sizes odd{n, 2 * n + 1, 50 - n, n * n};
    CHECK(budget_of(odd).weights == n_parameters(config_of(odd)));
  }
}

TEST_CASE("the known models are those of the book") {
  const auto weights = [](std::string_view name) {
    for (const NamedSizes& model : known_models())
      if (model.name == name) return budget_of(model.sizes).weights;
    return std::uint64_t(0);
  };
  CHECK(weights("small") == 124439808);
  CHECK(weights("medium") == 354823168);
  CHECK(weights("large") == 774030080);
  CHECK(weights("xl") == 1557611200);
  const Budget small = budget_of({12, 768, 50257, 1024});
  CHECK(std::round(small.parts[3].share * 1000) == 455);
  CHECK(std::round(small.parts[2].share * 1000) == 228);
  CHECK(small.parts[4].weights == 38400);

  const Result<LearnedVocabulary> learned = little_vocabulary();
  REQUIRE(learned);
  const Result<Vocabulary> vocabulary = Vocabulary::parse(learned->vocab_json, learned->merges_txt);
  REQUIRE(vocabulary);
  const Config little = little_recipe(*vocabulary).config;
  const Sizes& sizes = known_models()[0].sizes;
  CHECK(known_models()[0].name == "little");
  CHECK(sizes.layers == little.n_layers);
  CHECK(sizes.width == little.d_model);
  CHECK(sizes.tokens == little.d_vocab);
  CHECK(sizes.places == little.n_positions);
  CHECK(little.d_mlp == 4 * little.d_model);
  CHECK(budget_of(sizes).weights == n_parameters(little));
}

TEST_CASE("parameters takes a name or sizes, and says what is wrong") {
  const Json small = call("parameters", {{"model", "small"}});
  CHECK(small["asked"] == small["known"]["small"]);
  CHECK(small["known"].size() == 5);
  const Json sizes = small["asked"]["sizes"];
  CHECK(call("parameters", sizes) == small);
  CHECK(call("parameters", {{"layers", 1000}, {"width", 100000}, {"tokens", 10000000}, {"places", 10000000}})["asked"]["weights"]
            .get<std::uint64_t>() == 122'001'300'200'000u);  // more than a 32-bit machine's std::size_t holds
  CHECK(refusal("parameters", {{"model", "huge"}}) ==
        "“model” must be one of little, small, medium, large, xl, not “huge”.");
  CHECK(refusal("parameters", {{"model", "small"}, {"width", 3}}) == "“model” must stand without “width”.");
  CHECK(refusal("parameters", {{"layers", 0}, {"width", 3}, {"tokens", 5}, {"places", 1}}) ==
        "“layers” must be a whole number from 1 to 1000.");
  CHECK(refusal("parameters", {{"layers", 1}, {"width", 3}, {"tokens", 5}}).find("“places” is missing") == 0);
  CHECK(refusal("parameters", {{"layers", 1}, {"width", 2.5}, {"tokens", 5}, {"places", 1}}).find("“width” must be") == 0);
}

TEST_CASE("gelu bends as its formula does") {
  Json x = Json::array();
  for (int i = -60; i <= 60; ++i) x.push_back(i / 10.0);
  const Json bent = call("gelu", {{"x", x}});
  CHECK(bent["x"].size() == 121);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double at = x[i].get<double>();
    const double exact = 0.5 * at * (1 + std::tanh(std::sqrt(2 / 3.14159265358979) * (at + 0.044715 * at * at * at)));
    CHECK(bent["y"][i].get<double>() == doctest::Approx(exact).epsilon(1e-4));
  }
  CHECK(refusal("gelu", {{"x", Json::array()}}).find("“x” must be") == 0);
  CHECK(refusal("gelu", {{"y", 1}}).find("“y” is not a known key") == 0);
}
