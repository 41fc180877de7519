// worlds: what the figures start from, as JSON.
#include "core/lessons/calls.hpp"
#include "core/lessons/limits.hpp"
#include "core/lessons/stories.hpp"
#include "core/lessons/worlds.hpp"

namespace lookback::lessons {

namespace {

Out limits_json() {
  return object("phrase_bytes", limits::phrase_bytes, "contents_bytes", limits::contents_bytes, "text_bytes",
                limits::text_bytes, "tokens", limits::tokens, "pages", limits::pages, "scores", limits::scores,
                "meanings", limits::meanings, "feature_weight", limits::feature_weight);
}

Out search_json() {
  const SearchInput search = default_search();
  Out pages = Out::array();
  for (const Page& page : search.pages) pages.push_back(object("title", page.title, "contents", page.contents));
  return object("query", search.query.phrase, "pages", std::move(pages));
}

Out sink_json() {
  const SinkInput sink = default_sink();
  Out keys = Out::array();
  for (const SinkKey& key : sink.keys) keys.push_back(object("text", key.text, "key", key.key.phrase));
  return object("query", sink.query.phrase, "keys", std::move(keys), "stretch", sink.stretch, "sink_score",
                sink.sink_score);
}

Out blend_json() {
  const BlendInput blend = default_blend();
  Out meanings = Out::array(), values = Out::array();
  for (const MeaningPoint& m : blend.meanings) {
    meanings.push_back(object("name", m.name, "x", m.at[0], "y", m.at[1]));
  }
  for (const std::size_t value : blend.values) values.push_back(blend.meanings[value].name);
  return object("meanings", std::move(meanings), "values", std::move(values), "weights", blend.weights);
}

}  // namespace

Result<Out> call_worlds(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {}, problem);
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);

  const DotInput dot = default_dot();
  const SoftmaxInput softmax = default_softmax();
  Out out;
  put(out, "features", features_with_meanings());
  put(out, "limits", limits_json());
  put(out, "search", search_json());
  put(out, "search_queries", Out::array());
  for (const std::string_view query : search_queries()) out["search_queries"].push_back(query);
  out["story"]["story"] = stories()[0].id;
  out["dot"]["q"] = numbers(dot.q);
  out["dot"]["k"] = numbers(dot.k);
  out["softmax"]["scores"] = numbers(softmax.scores);
  out["softmax"]["stretch"] = number(softmax.stretch);
  put(out, "sink", sink_json());
  put(out, "sink_queries", Out::array());
  for (const SinkQuery& q : sink_queries())
    out["sink_queries"].push_back(object("query", q.query, "matches", q.matches));
  put(out, "blend", blend_json());
  put(out, "blend_values", Out::array());
  for (const auto& [first, second] : blend_pairs()) out["blend_values"].push_back(Out::array({first, second}));
  return out;
}

}  // namespace lookback::lessons
