#include "core/lessons/json_output.hpp"

namespace lookback::lessons {

namespace {

std::string_view name_of(WordStatus status) {
  switch (status) {
    case WordStatus::known: return "known";
    case WordStatus::ignored: return "ignored";
    case WordStatus::unknown: return "unknown";
  }
  return "unknown";
}

}  // namespace

Out feature_names() {
  Out names = Out::array();
  for (const FeatureMeaning& feature : feature_meanings) names.push_back(feature.name);
  return names;
}

Out features_with_meanings() {
  Out features = Out::array();
  for (const FeatureMeaning& f : feature_meanings) features.push_back({{"name", f.name}, {"meaning", f.meaning}});
  return features;
}

Out to_json(const Phrase& phrase) {
  Out words = Out::array();
  for (const PhraseWord& word : phrase.words) {
    const bool known = word.meaning.status == WordStatus::known;
    words.push_back({{"text", word.text},
                     {"status", name_of(word.meaning.status)},
                     {"weights", known ? numbers(word.meaning.weights) : Out(nullptr)}});
  }
  Out out;
  out["phrase"] = phrase.phrase;
  out["words"] = std::move(words);
  out["sum"] = numbers(phrase.sum);
  out["edited"] = phrase.edited;
  out["length"] = number(phrase.length);
  out["vector"] = numbers(phrase.vector);
  return out;
}

void add_match(Out& object, const Match& match) {
  object["key"] = to_json(match.key);
  object["products"] = numbers(match.products);
  object["score"] = number(match.score);
  object["shared_words"] = match.shared_words;
}

std::string written(const Out& value) { return value.dump(-1, ' ', false, Out::error_handler_t::replace); }

}  // namespace lookback::lessons
