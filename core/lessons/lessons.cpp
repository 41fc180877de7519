#include "core/lessons/lessons.hpp"

#include <algorithm>
#include <iterator>

#include "core/lessons/calls.hpp"

namespace lookback {

namespace {

struct Entry {
  std::string_view name;
  Result<lessons::Out> (*call)(const lessons::Json& input);
};

constexpr Entry table[] = {
    {"phrase", lessons::call_phrase},   {"lexicon", lessons::call_lexicon}, {"search", lessons::call_search},
    {"story", lessons::call_story},     {"stories", lessons::call_stories}, {"dot", lessons::call_dot},
    {"softmax", lessons::call_softmax}, {"sink", lessons::call_sink},       {"blend", lessons::call_blend},
    {"worlds", lessons::call_worlds},   {"questions", lessons::call_questions},   {"gelu", lessons::call_gelu},       {"parameters", lessons::call_parameters},
    {"cost", lessons::call_cost},       {"price", lessons::call_price},     {"spread", lessons::call_spread},
    {"ratio", lessons::call_ratio},     {"rotary", lessons::call_rotary},
    {"order", lessons::call_order},
};

Result<std::string> run(const Entry& entry, std::string_view input_json) {
  const Result<lessons::Json> input = lessons::parse_input(input_json);
  if (!input) return input.error();
  const Result<lessons::Out> output = entry.call(*input);
  if (!output) return output.error();
  return lessons::written(*output);
}

}  // namespace

Result<std::string> lesson(std::string_view name, std::string_view input_json) {
  const auto entry = std::find_if(std::begin(table), std::end(table), [&](const Entry& e) { return e.name == name; });
  if (entry == std::end(table)) {
    std::string names;
    for (const Entry& known : table) names += (names.empty() ? "" : ", ") + std::string(known.name);
    return fail(ErrorCode::bad_argument,
                "There is no lesson " + lessons::in_quotes(name) + "; expected one of " + names + ".");
  }
  return run(*entry, input_json);
}

}  // namespace lookback
