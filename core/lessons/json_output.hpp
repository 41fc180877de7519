// Writing a lesson's output: floats in the fewest digits that read back to the same float, never -0.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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

// Set one member of an object. Plain calls: written as nested braces, the same members take three times the code.
void put_value(Out& object, const char* key, Out&& value);
void put_text(Out& object, const char* key, std::string_view value);
void put_number(Out& object, const char* key, float value);
void put_numbers(Out& object, const char* key, std::span<const float> values);
void put_signed(Out& object, const char* key, std::int64_t value);
void put_unsigned(Out& object, const char* key, std::uint64_t value);
void put_flag(Out& object, const char* key, bool value);

template <class Value>
void put(Out& object, const char* key, Value&& value) {
  using Plain = std::remove_cvref_t<Value>;
  if constexpr (std::is_same_v<Plain, Out> || std::is_same_v<Plain, std::nullptr_t>)
    put_value(object, key, Out(std::forward<Value>(value)));
  else if constexpr (std::is_same_v<Plain, bool>)
    put_flag(object, key, value);
  else if constexpr (std::is_floating_point_v<Plain>)
    put_number(object, key, value);
  else if constexpr (std::is_integral_v<Plain> && std::is_signed_v<Plain>)
    put_signed(object, key, value);
  else if constexpr (std::is_integral_v<Plain>)
    put_unsigned(object, key, value);
  else if constexpr (std::is_convertible_v<Value, std::string_view>)
    put_text(object, key, value);
  else if constexpr (std::is_convertible_v<Value, std::span<const float>>)
    put_numbers(object, key, value);
  else if constexpr (requires {
                       { value.derived().data() } -> std::convertible_to<const float*>;
                     })  // an Eigen row
    put_numbers(object, key, std::span<const float>(value.data(), static_cast<std::size_t>(value.size())));
  else if constexpr (std::is_same_v<Plain, std::optional<float>>)
    put_value(object, key, number(value));
  else
    put_value(object, key, Out(std::forward<Value>(value)));
}

inline void put_all(Out&) {}
template <class Value, class... Rest>
void put_all(Out& object, const char* key, Value&& value, Rest&&... rest) {
  put(object, key, std::forward<Value>(value));
  put_all(object, std::forward<Rest>(rest)...);
}
// An object of these members: key, value, key, value and so on.
template <class... Members>
Out object(Members&&... members) {
  Out made = Out::object();
  put_all(made, std::forward<Members>(members)...);
  return made;
}

Out feature_names();
Out features_with_meanings();
Out to_json(const Phrase& phrase);

// Adds key, products, score, shared_words to an object.
void add_match(Out& object, const Match& match);

// The JSON text.
std::string written(const Out& value);

}  // namespace lookback::lessons
