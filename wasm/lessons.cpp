// The toy worlds for JavaScript: one call, JSON in and out as core/lessons/lessons.hpp has it. Compiled without exceptions:
// memory that is refused ends the module, and the page starts another.
#include <emscripten/bind.h>

#include <string>

#include "core/lessons/lessons.hpp"
#include "wasm/results.hpp"

using emscripten::val;
using namespace lookback;

namespace {

val call_lesson(std::string name, std::string input) {
  const Result<std::string> output = lesson(name, input);
  return output ? ok(val(*output)) : error(output.error());
}

}  // namespace

EMSCRIPTEN_BINDINGS(lessons) { emscripten::function("lesson", &call_lesson); }
