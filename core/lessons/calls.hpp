// Each lesson as a call from JSON to JSON; the shapes are documented in web/engine/lessons.ts.
#pragma once

#include "core/lessons/json_input.hpp"
#include "core/lessons/json_output.hpp"
#include "core/result.hpp"

namespace lookback::lessons {

Result<Out> call_phrase(const Json& input);
Result<Out> call_lexicon(const Json& input);
Result<Out> call_search(const Json& input);
Result<Out> call_story(const Json& input);
Result<Out> call_stories(const Json& input);
Result<Out> call_dot(const Json& input);
Result<Out> call_softmax(const Json& input);
Result<Out> call_sink(const Json& input);
Result<Out> call_blend(const Json& input);
Result<Out> call_worlds(const Json& input);
Result<Out> call_questions(const Json& input);
Result<Out> call_gelu(const Json& input);
Result<Out> call_parameters(const Json& input);
Result<Out> call_cost(const Json& input);
Result<Out> call_price(const Json& input);
Result<Out> call_spread(const Json& input);
Result<Out> call_ratio(const Json& input);
Result<Out> call_rotary(const Json& input);
Result<Out> call_order(const Json& input);

}  // namespace lookback::lessons
