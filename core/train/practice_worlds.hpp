// The worlds behind practice_world, one a file.
#pragma once

#include "core/lens/census.hpp"
#include "core/train/practice.hpp"

namespace lookback {

inline constexpr std::string_view noun_role = "noun of it";

PracticeWorld head_world(const PracticeOptions& options);
Result<PracticeWorld> repeats_world(const PracticeOptions& options);

}  // namespace lookback
