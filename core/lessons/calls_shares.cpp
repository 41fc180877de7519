// dot, softmax, sink, blend: JSON to JSON.
#include <algorithm>

#include "core/lessons/blend.hpp"
#include "core/lessons/calls.hpp"
#include "core/lessons/dot.hpp"
#include "core/lessons/limits.hpp"
#include "core/lessons/sink.hpp"
#include "core/lessons/softmax_dial.hpp"
#include "core/lessons/worlds.hpp"

namespace lookback::lessons {

namespace {

constexpr Range coordinates{-limits::coordinate, limits::coordinate};
constexpr Range scores{-limits::score, limits::score};
constexpr Range stretches{0, limits::stretch};

Eigen::Array2f point(const Fields& fields, std::string_view key) {
  const std::vector<float> xy = fields.numbers(key, 2, 2, coordinates);
  return xy.size() == 2 ? Eigen::Array2f(xy[0], xy[1]) : Eigen::Array2f(0, 0);
}

std::vector<SinkKey> keys_of(const Fields& fields) {
  if (!fields.has("keys")) return default_sink_keys();
  std::vector<SinkKey> keys;
  for (const Json* element : fields.list("keys", 1, limits::tokens)) {
    const Fields key(*element, fields.element("keys", keys.size()), {"text", "key", "key_weights"}, fields.problem());
    keys.push_back(
        {key.text("text", limits::token_bytes), {key.text("key", limits::phrase_bytes), key.weights("key_weights")}});
  }
  return keys;
}

// Where a name stands among the meanings; their number when it does not.
std::size_t place_of(const std::vector<MeaningPoint>& meanings, const std::string& name) {
  const auto found =
      std::find_if(meanings.begin(), meanings.end(), [&](const MeaningPoint& m) { return m.name == name; });
  return static_cast<std::size_t>(found - meanings.begin());
}

std::vector<MeaningPoint> meanings_of(const Fields& fields) {
  if (!fields.has("meanings")) return default_meanings();
  std::vector<MeaningPoint> meanings;
  for (const Json* element : fields.list("meanings", 1, limits::meanings)) {
    const Fields meaning(*element, fields.element("meanings", meanings.size()), {"name", "x", "y"}, fields.problem());
    MeaningPoint given{meaning.text("name", limits::phrase_bytes),
                       {meaning.number("x", coordinates), meaning.number("y", coordinates)}};
    if (place_of(meanings, given.name) < meanings.size()) {
      fields.problem().add("“meanings” must hold each name once, and " + in_quotes(given.name) + " stands twice.");
    }
    meanings.push_back(std::move(given));
  }
  return meanings;
}

std::vector<std::size_t> values_of(const Fields& fields, const std::vector<MeaningPoint>& meanings) {
  std::vector<std::size_t> values;
  for (const Json* element : fields.list("values", 1, limits::meanings)) {
    const std::string name = element->is_string() ? element->get<std::string>() : std::string();
    const std::size_t found = place_of(meanings, name);
    if (!element->is_string() || found == meanings.size()) {
      fields.problem().add(in_quotes(fields.element("values", values.size())) +
                           " must be the name of one of the meanings.");
      return {};
    }
    values.push_back(found);
  }
  return values;
}

// The weights given, or the shares that softmax gives the scores, or equal ones.
Result<std::vector<float>> blend_weights(const Fields& fields, std::size_t n) {
  if (fields.has("weights") && fields.has("scores")) fields.problem().add("“weights” must stand without “scores”.");
  if (fields.has("stretch") && !fields.has("scores"))
    fields.problem().add("“stretch” must stand together with “scores”.");
  if (fields.has("weights")) {
    std::vector<float> weights = fields.numbers("weights", n, n, {0, limits::score});
    const bool some = std::any_of(weights.begin(), weights.end(), [](float w) { return w > 0; });
    if (!some) fields.problem().add("“weights” must hold at least one number above 0.");
    return weights;
  }
  if (!fields.has("scores")) return std::vector<float>(n, 1.0f);
  const SoftmaxInput input{fields.numbers("scores", n, n, scores), fields.number("stretch", stretches, 1.0f)};
  if (fields.problem().sentence) return std::vector<float>();
  Result<SoftmaxDialOutput> dial = softmax_dial(input);
  if (!dial) return dial.error();
  return std::move(dial->shares);
}

Out to_json(const Eigen::Array2f& xy) { return Out::array({number(xy[0]), number(xy[1])}); }

}  // namespace

Result<Out> call_dot(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"q", "k"}, problem);
  const DotInput given{point(fields, "q"), point(fields, "k")};
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  const Result<DotOutput> found = dot(given);
  if (!found) return found.error();

  Out out;
  put(out, "q", to_json(given.q));
  put(out, "k", to_json(given.k));
  put(out, "q_length", found->q_length);
  put(out, "k_length", found->k_length);
  put(out, "products", to_json(found->products));
  put(out, "dot", found->dot);
  put(out, "cosine", found->cosine);
  put(out, "angle_degrees", found->angle_degrees);
  put(out, "q_direction_degrees", found->q_direction_degrees);
  put(out, "k_direction_degrees", found->k_direction_degrees);
  put(out, "lengths_times_cosine", found->lengths_times_cosine);
  return out;
}

Result<Out> call_softmax(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"scores", "stretch"}, problem);
  const SoftmaxInput given{fields.numbers("scores", 1, limits::scores, scores),
                           fields.number("stretch", stretches, 1.0f)};
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  const Result<SoftmaxDialOutput> found = softmax_dial(given);
  if (!found) return found.error();

  Out out;
  put(out, "scores", given.scores);
  put(out, "stretch", given.stretch);
  put(out, "stretched", found->stretched);
  put(out, "maximum", found->maximum);
  put(out, "exps", found->exps);
  put(out, "sum", found->sum);
  put(out, "shares", found->shares);
  put(out, "percents", found->percents);
  put(out, "percents1", Out::array());
  for (const int tenths : found->per_mille) out["percents1"].push_back(number(static_cast<float>(tenths) / 10.0f));
  put(out, "entropy_bits", found->entropy_bits);
  put(out, "top_two", nullptr);
  if (const auto& top = found->top_two) {
    put(out, "top_two",
        object("first", top->first, "second", top->second, "difference", top->difference, "ratio", top->ratio));
  }
  return out;
}

Result<Out> call_sink(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"query", "query_weights", "keys", "stretch", "sink_score", "word_edits"}, problem);
  const SinkInput defaults = default_sink();
  const SinkInput given{{fields.text("query", limits::phrase_bytes), fields.weights("query_weights")},
                        keys_of(fields),
                        fields.number("stretch", stretches, defaults.stretch),
                        fields.number("sink_score", {-limits::sink_score, limits::sink_score}, defaults.sink_score),
                        fields.word_edits("word_edits")};
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  const Result<SinkOutput> found = sink(given);
  if (!found) return found.error();

  Out tokens = Out::array();
  for (std::size_t i = 0; i < given.keys.size(); ++i) {
    Out item = object("text", given.keys[i].text, "stretched", found->stretched[i]);
    add_match(item, found->matches[i]);
    tokens.push_back(std::move(item));
  }
  const SinkShares &without = found->without_sink, &with = found->with_sink;
  const std::size_t n = given.keys.size();
  Out out;
  put(out, "features", feature_names());
  put(out, "query", to_json(found->query));
  put(out, "stretch", given.stretch);
  put(out, "sink_score", given.sink_score);
  put(out, "tokens", std::move(tokens));
  put(out, "without_sink",
      object("shares", without.shares, "percents", without.percents, "entropy_bits", without.entropy_bits));
  put(out, "with_sink",
      object("shares", std::span(with.shares).first(n), "percents",
             std::vector<int>(with.percents.begin(), with.percents.end() - 1), "sink_share", with.shares[n],
             "sink_percent", with.percents[n], "entropy_bits", with.entropy_bits));
  put(out, "unknown_words", found->unknown_words);
  return out;
}

Result<Out> call_blend(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"meanings", "values", "weights", "scores", "stretch"}, problem);
  BlendInput given;
  given.meanings = meanings_of(fields);
  given.values = values_of(fields, given.meanings);
  Result<std::vector<float>> weights = blend_weights(fields, given.values.size());
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  if (!weights) return weights.error();
  given.weights = *std::move(weights);
  const Result<BlendOutput> found = blend(given);
  if (!found) return found.error();

  Out meanings = Out::array(), values = Out::array(), distances = Out::array();
  for (const MeaningPoint& m : given.meanings) {
    meanings.push_back(object("name", m.name, "x", m.at[0], "y", m.at[1]));
  }
  for (std::size_t i = 0; i < given.values.size(); ++i) {
    const MeaningPoint& m = given.meanings[given.values[i]];
    values.push_back(object("name", m.name, "x", m.at[0], "y", m.at[1], "share", found->values[i].share, "percent",
                            found->percents[i], "contribution", to_json(found->values[i].contribution)));
  }
  for (const Distance& d : found->distances) {
    distances.push_back(object("name", given.meanings[d.meaning].name, "distance", d.distance, "blended", d.blended));
  }
  Out out;
  put(out, "meanings", std::move(meanings));
  put(out, "values", std::move(values));
  put(out, "blend", to_json(found->blend));
  put(out, "distances", std::move(distances));
  put(out, "nearest", given.meanings[found->distances[0].meaning].name);
  put(out, "nearest_other", found->nearest_other ? Out(given.meanings[*found->nearest_other].name) : Out(nullptr));
  return out;
}

}  // namespace lookback::lessons
