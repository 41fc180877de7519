#include "core/lessons/json_input.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/json_text.hpp"
#include "core/lessons/json_output.hpp"
#include "core/lessons/limits.hpp"
#include "core/lessons/phrase.hpp"
#include "core/text/display.hpp"

namespace lookback::lessons {

namespace {

std::string written(float x) {
  const auto whole = static_cast<long>(x);
  return static_cast<float>(whole) == x ? std::to_string(whole) : lessons::written(number(x));
}

std::string between(Range range) { return "a number from " + written(range.low) + " to " + written(range.high); }

std::string count(std::size_t least, std::size_t most, const std::string& what) {
  if (least == most) return std::to_string(least) + " " + what;
  return (least == 0 ? "at most " : std::to_string(least) + " to ") + std::to_string(most) + " " + what;
}

bool in_range(const Json& value, Range range) {
  if (!value.is_number()) return false;
  const double x = value.get<double>();
  return x >= static_cast<double>(range.low) && x <= static_cast<double>(range.high);
}

std::string whole_between(std::uint64_t least, std::uint64_t most) {
  return "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
}

bool is_whole(const Json& value, std::uint64_t least, std::uint64_t most) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() >= least && value.get<std::uint64_t>() <= most;
}

// Builds the value as the parser meets it, and sees keys that stand twice in one object. Json::parse with a callback
// could do it too, but holds the parser twice.
struct Reader {
  Json value;
  std::optional<std::string> twice;  // the first such key
  std::vector<Json*> open = {};      // the containers around the current place; a child is the last of its parent
  std::string next_key = {};

  Json& next_place() {
    if (open.empty()) return value;
    Json& parent = *open.back();
    if (!parent.is_array()) return parent[next_key];
    parent.push_back(nullptr);
    return parent.back();
  }
  Json& place(Json&& child) { return next_place() = std::move(child); }
  bool leaf(Json&& child) { return place(std::move(child)), true; }
  bool begin(Json&& container) { return open.push_back(&place(std::move(container))), true; }
  bool end() { return open.pop_back(), true; }

  bool null() { return leaf(nullptr); }
  bool boolean(bool x) { return leaf(x); }
  bool number_integer(std::int64_t x) { return leaf(x); }
  bool number_unsigned(std::uint64_t x) { return leaf(x); }
  bool number_float(double x, const std::string&) { return leaf(x); }
  bool string(std::string& x) { return leaf(std::move(x)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return begin(Json::object()); }
  bool start_array(std::size_t) { return begin(Json::array()); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }
  bool key(std::string& name) {
    if (!twice && open.back()->contains(name)) twice = name;
    next_key = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { return false; }
};

float number_of(const Json& value) { return static_cast<float>(value.get<double>()) + 0.0f; }  // + 0 turns -0 into 0

}  // namespace

std::string shortened(std::string_view text) {
  constexpr std::size_t most = 40;
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

std::string in_quotes(std::string_view text) { return "“" + display(shortened(text)) + "”"; }

Result<Json> parse_input(std::string_view text) {
  if (text.size() > limits::input_bytes) {
    return fail(ErrorCode::bad_argument, "A lesson's input must be at most " + std::to_string(limits::input_bytes) +
                                             " bytes, not " + std::to_string(text.size()) + ".");
  }
  Reader reader;
  if (holds_nul(text) || !Json::sax_parse(text, &reader)) {
    return fail(ErrorCode::bad_argument,
                "A lesson's input must be JSON in UTF-8, with numbers that a computer can hold.");
  }
  if (reader.twice)
    return fail(ErrorCode::bad_argument, "The key " + in_quotes(*reader.twice) + " must stand once in an object.");
  return std::move(reader.value);
}

Fields::Fields(const Json& value, std::string path, std::initializer_list<std::string_view> keys, Problem& problem)
    : object_(value.is_object() ? &value : nullptr), path_(std::move(path)), problem_(&problem) {
  if (object_ == nullptr) {
    problem.add((path_.empty() ? "A lesson's input" : in_quotes(path_)) + " must be a JSON object.");
    return;
  }
  for (const auto& [key, member] : value.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    std::string known;
    for (const std::string_view k : keys) known += (known.empty() ? "" : ", ") + std::string(k);
    problem.add(in_quotes(name(shortened(key))) + " is not a known key; expected " +
                (known.empty() ? "no keys" : known) + ".");
  }
}

std::string Fields::name(std::string_view key) const { return (path_.empty() ? "" : path_ + ".") + std::string(key); }

std::string Fields::element(std::string_view key, std::size_t i) const {
  return name(key) + "[" + std::to_string(i) + "]";
}

const Json* Fields::find(std::string_view key) const {
  if (object_ == nullptr) return nullptr;
  const auto found = object_->find(key);
  return found == object_->end() ? nullptr : &*found;
}

void Fields::expected(std::string_view key, const std::string& what) const {
  problem_->add("“" + name(key) + "” must be " + what + ".");
}

const Json* Fields::need(std::string_view key, const std::string& what) const {
  const Json* value = find(key);
  if (value == nullptr) problem_->add("“" + name(key) + "” is missing; expected " + what + ".");
  return value;
}

std::string Fields::text(std::string_view key, std::size_t max_bytes, std::optional<std::string> otherwise) const {
  if (otherwise && !has(key)) return *std::move(otherwise);
  const std::string what = "text of at most " + std::to_string(max_bytes) + " bytes";
  const Json* value = need(key, what);
  if (value == nullptr) return {};
  if (value->is_string() && value->get_ref<const std::string&>().size() <= max_bytes) return value->get<std::string>();
  expected(key, what);
  return {};
}

float Fields::number(std::string_view key, Range range, std::optional<float> otherwise) const {
  if (otherwise && !has(key)) return *otherwise;
  const Json* value = need(key, between(range));
  if (value == nullptr) return 0;
  if (in_range(*value, range)) return number_of(*value);
  expected(key, between(range));
  return 0;
}

bool Fields::flag(std::string_view key, bool otherwise) const {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (value->is_boolean()) return value->get<bool>();
  expected(key, "true or false");
  return otherwise;
}

std::uint64_t Fields::whole(std::string_view key, std::uint64_t least, std::uint64_t most,
                            std::optional<std::uint64_t> otherwise) const {
  if (otherwise && !has(key)) return *otherwise;
  const std::string what = whole_between(least, most);
  const Json* value = need(key, what);
  if (value == nullptr) return least;
  if (is_whole(*value, least, most)) return value->get<std::uint64_t>();
  expected(key, what);
  return least;
}

std::vector<std::uint64_t> Fields::wholes(std::string_view key, std::size_t fewest, std::size_t most_elements,
                                          std::uint64_t least, std::uint64_t most) const {
  const std::string what = "a list of " + count(fewest, most_elements, "elements, each ") + whole_between(least, most);
  const Json* value = need(key, what);
  if (value == nullptr) return {};
  const bool fits = value->is_array() && value->size() >= fewest && value->size() <= most_elements &&
                    std::all_of(value->begin(), value->end(), [&](const Json& x) { return is_whole(x, least, most); });
  if (fits) return value->get<std::vector<std::uint64_t>>();
  expected(key, what);
  return {};
}

std::size_t Fields::index(std::string_view key, std::size_t size) const {
  const std::string what =
      size == 0 ? "the index of a token, and there is none" : "a whole number from 0 to " + std::to_string(size - 1);
  const Json* value = need(key, what);
  if (value == nullptr) return 0;
  if (value->is_number_unsigned() && value->get<std::uint64_t>() < size) return value->get<std::size_t>();
  expected(key, what);
  return 0;
}

std::vector<float> Fields::numbers(std::string_view key, std::size_t least, std::size_t most, Range range) const {
  const std::string what = count(least, most, most == 1 ? "number from " : "numbers from ") + written(range.low) +
                           " to " + written(range.high);
  const Json* value = need(key, what);
  if (value == nullptr) return {};
  const bool fits = value->is_array() && value->size() >= least && value->size() <= most &&
                    std::all_of(value->begin(), value->end(), [&](const Json& x) { return in_range(x, range); });
  if (!fits) {
    expected(key, what);
    return {};
  }
  std::vector<float> numbers;
  for (const Json& x : *value) numbers.push_back(number_of(x));
  return numbers;
}

std::optional<FeatureVector> Fields::weights(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  const std::vector<float> given = numbers(key, n_features, n_features, {0, limits::feature_weight});
  if (given.empty()) return std::nullopt;
  return FeatureVector(Eigen::Map<const FeatureVector>(given.data()));
}

std::vector<WordEdit> Fields::word_edits(std::string_view key) const {
  std::vector<WordEdit> edits;
  const Json* value = find(key);
  if (value == nullptr) return edits;
  if (!value->is_object() || value->size() > limits::edited_words) {
    expected(key, "an object of at most " + std::to_string(limits::edited_words) + " words");
    return edits;
  }
  for (const auto& [word, features] : value->items()) {
    const std::string where = name(key) + "." + display(shortened(word));
    const auto words = words_in(word);
    if (word.size() > limits::phrase_bytes || words.size() != 1 || words[0] != word) {
      problem_->add(in_quotes(where) + " must be a single word.");
    }
    if (!features.is_object()) problem_->add(in_quotes(where) + " must be an object of features and weights.");
    if (!features.is_object()) continue;
    for (const auto& [feature, weight] : features.items()) {
      const auto known = feature_named(feature);
      if (!known) {
        problem_->add(in_quotes(where) + " names " + in_quotes(feature) + ", which is not one of the features.");
      } else if (!in_range(weight, {0, limits::feature_weight})) {
        problem_->add("“" + where + "." + feature + "” must be " + between({0, limits::feature_weight}) + ".");
      } else {
        edits.push_back({plain_word(word), *known, number_of(weight)});
      }
    }
  }
  return edits;
}

std::vector<const Json*> Fields::list(std::string_view key, std::size_t least, std::size_t most) const {
  const std::string what = "a list of " + count(least, most, "elements");
  const Json* value = need(key, what);
  if (value == nullptr) return {};
  if (!value->is_array() || value->size() < least || value->size() > most) {
    expected(key, what);
    return {};
  }
  std::vector<const Json*> elements;
  for (const Json& x : *value) elements.push_back(&x);
  return elements;
}

}  // namespace lookback::lessons
