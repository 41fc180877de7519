// Writing a lesson's output: floats in the fewest digits that read back to the same float, never -0.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/lessons/features.hpp"
#include "core/lessons/lexicon.hpp"
#include "core/lessons/phrase.hpp"

namespace lookback::lessons {

// JSON whose numbers are floats and whose keys keep the order they were given in.
using Out =
    nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t, std::uint64_t, float>;

inline Out number(float x) { return x + 0.0f; }  // + 0 turns -0 into 0
inline Out number(std::optional<float> x) { return x ? number(*x) : Out(nullptr); }
inline Out index(std::optional<std::size_t> i) { return i ? Out(*i) : Out(nullptr); }

template <class Numbers>
Out numbers(const Numbers& values) {
  Out list = Out::array();
  for (const float x : values) list.push_back(number(x));
  return list;
}

Out feature_names();
Out features_with_meanings();
Out to_json(const Phrase& phrase);

// Adds key, products, score, shared_words to an object.
void add_match(Out& object, const Match& match);

// The JSON text.
std::string written(const Out& value);

}  // namespace lookback::lessons
