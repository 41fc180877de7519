// The lessons: the first line is the lesson's name, the rest its input.
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/lessons/lessons.hpp"
#include "tests/fuzz/property.hpp"

using namespace lookback;
using namespace lookback::fuzz;

namespace {

void hold_finite(const nlohmann::json& value, const std::string& output) {
  if (value.is_number_float()) {
    const double x = value.get<double>();
    hold(std::isfinite(x) && !(x == 0 && std::signbit(x)), "numbers are finite, and none is -0", output);
  }
  if (value.is_structured())
    for (const nlohmann::json& element : value) hold_finite(element, output);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = as_text(data, size);
  const std::size_t line = std::min(input.find('\n'), size);
  const std::string_view name = input.substr(0, line), json = input.substr(std::min(line + 1, size));
  const Result<std::string> output = lesson(name, json);
  if (refused(output)) return 0;
  hold(json.find('\0') == json.npos, "nothing stands behind the end of the JSON");
  const nlohmann::json value = nlohmann::json::parse(*output, nullptr, false);
  hold(value.is_object(), "a lesson's output is a JSON object", *output);
  hold_finite(value, *output);
  const Result<std::string> again = lesson(name, json);
  hold(again && *again == *output, "the same input gives the same output", *output);
  return 0;
}
