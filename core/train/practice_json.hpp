// Practices as JSON, for the page and for the command line; web/engine/training-types.ts documents the shapes.
#pragma once

#include <string>
#include <string_view>

#include "core/numerics/pool.hpp"
#include "core/result.hpp"
#include "core/train/practice.hpp"

namespace lookback {

// An object with any of seed, words, shortest, longest, repeated; of `head` with seed alone. Errors, bad_argument: no
// JSON object, a key that the practice does not have, or a value of the wrong kind. Ranges are practice_world's business.
Result<PracticeOptions> parse_practice_options(std::string_view name, std::string_view json);

// What stays as it is while the practice runs: its words, sizes, roles, probes.
std::string plan_json(const Practice& practice);

std::string reading_json(const PracticeWorld& world, const Reading& reading);

// Trains for input's "steps" (0 to the practice's own; 0 when absent), its other keys being options, and tells
// {plan, losses, ledge, reading}. Errors: as above and as Practice::begin.
Result<std::string> practise(std::string_view name, std::string_view input_json, Pool& pool);

}  // namespace lookback
