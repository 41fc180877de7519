// The stories' patterns (scribe.hpp), by what they are about.
#pragma once

#include <span>
#include <string_view>

namespace lookback::language {

std::span<const std::string_view> stories_at_home();
std::span<const std::string_view> stories_outside();

}  // namespace lookback::language
