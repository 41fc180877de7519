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

void put_value(Out& object, const char* key, Out&& value) { object[key] = std::move(value); }
void put_text(Out& object, const char* key, std::string_view value) { put_value(object, key, Out(value)); }
void put_number(Out& object, const char* key, float value) { put_value(object, key, number(value)); }
void put_numbers(Out& object, const char* key, std::span<const float> values) {
  put_value(object, key, numbers(values));
}
void put_signed(Out& object, const char* key, std::int64_t value) { put_value(object, key, Out(value)); }
void put_unsigned(Out& object, const char* key, std::uint64_t value) { put_value(object, key, Out(value)); }
void put_flag(Out& object, const char* key, bool value) { put_value(object, key, Out(value)); }

Out feature_names() {
  Out names = Out::array();
  for (const FeatureMeaning& feature : feature_meanings) names.push_back(feature.name);
  return names;
}

Out features_with_meanings() {
  Out features = Out::array();
  for (const FeatureMeaning& f : feature_meanings) features.push_back(object("name", f.name, "meaning", f.meaning));
  return features;
}

Out to_json(const Phrase& phrase) {
  Out words = Out::array();
  for (const PhraseWord& word : phrase.words) {
    const bool known = word.meaning.status == WordStatus::known;
    words.push_back(object("text", word.text, "status", name_of(word.meaning.status), "weights",
                           known ? numbers(word.meaning.weights) : Out(nullptr)));
  }
  Out out;
  put(out, "phrase", phrase.phrase);
  put(out, "words", std::move(words));
  put(out, "sum", phrase.sum);
  put(out, "edited", phrase.edited);
  put(out, "length", phrase.length);
  put(out, "vector", phrase.vector);
  return out;
}

void add_match(Out& object, const Match& match) {
  put(object, "key", to_json(match.key));
  put(object, "products", match.products);
  put(object, "score", match.score);
  put(object, "shared_words", match.shared_words);
}

std::string written(const Out& value) { return value.dump(-1, ' ', false, Out::error_handler_t::replace); }

}  // namespace lookback::lessons
