// Reading a lesson's input: JSON text in, checked values out, or one sentence that names the key and what was expected.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lessons/features.hpp"
#include "core/lessons/lexicon.hpp"
#include "core/result.hpp"

namespace lookback::lessons {

using Json = nlohmann::json;

// Parses text of at most limits::input_bytes. Refuses what is not JSON, and an object that holds a key twice.
Result<Json> parse_input(std::string_view text);

// The first thing that was found wrong; later ones are dropped, so that readers need not stop in the middle.
struct Problem {
  std::optional<std::string> sentence;
  void add(std::string text) {
    if (!sentence) sentence = std::move(text);
  }
};

struct Range {
  float low, high;
};

// The members of one JSON object. Each call reads one key; what is missing without a default, or is not as expected,
// goes to the problem, and an empty value comes back.
class Fields {
 public:
  // `path` is how messages name the object, e.g. "tokens[3]"; empty for the outermost. Any key but `keys` is a problem.
  Fields(const Json& value, std::string path, std::initializer_list<std::string_view> keys, Problem& problem);

  bool has(std::string_view key) const { return find(key) != nullptr; }

  // Text of at most `max_bytes`.
  std::string text(std::string_view key, std::size_t max_bytes, std::optional<std::string> otherwise = {}) const;
  float number(std::string_view key, Range range, std::optional<float> otherwise = {}) const;
  bool flag(std::string_view key, bool otherwise) const;
  // A whole number from `least` to `most`.
  std::uint64_t whole(std::string_view key, std::uint64_t least, std::uint64_t most,
                      std::optional<std::uint64_t> otherwise = {}) const;
  // `fewest` to `most_elements` whole numbers, each from `least` to `most`.
  std::vector<std::uint64_t> wholes(std::string_view key, std::size_t fewest, std::size_t most_elements,
                                    std::uint64_t least, std::uint64_t most) const;
  // A whole number from 0 to size − 1.
  std::size_t index(std::string_view key, std::size_t size) const;
  // `least` to `most` numbers.
  std::vector<float> numbers(std::string_view key, std::size_t least, std::size_t most, Range range) const;
  // A weight for each feature; none when the key is missing.
  std::optional<FeatureVector> weights(std::string_view key) const;
  std::vector<WordEdit> word_edits(std::string_view key) const;
  // The elements of a list of `least` to `most`; empty when it is not one.
  std::vector<const Json*> list(std::string_view key, std::size_t least, std::size_t most) const;

  // How messages name a member, and an element of a list in it.
  std::string name(std::string_view key) const;
  std::string element(std::string_view key, std::size_t i) const;
  Problem& problem() const { return *problem_; }

 private:
  const Json* find(std::string_view key) const;
  const Json* need(std::string_view key, const std::string& expected) const;  // find, or a problem
  void expected(std::string_view key, const std::string& what) const;

  const Json* object_;  // null when the value is no object
  std::string path_;
  Problem* problem_;
};

// The first bytes of a reader's text, cut between characters, for use in a sentence.
std::string shortened(std::string_view text);

// “text”, shortened, with what nobody would see shown as in core/text/display.hpp.
std::string in_quotes(std::string_view text);

}  // namespace lookback::lessons
