// What must be known of a text before nlohmann-json reads it.
#pragma once

#include <string_view>

namespace lookback {

// The parser takes a NUL for the end of the text, so that anything could stand behind it.
inline bool holds_nul(std::string_view json) { return json.find('\0') != std::string_view::npos; }

}  // namespace lookback
