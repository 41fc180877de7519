// The toy worlds for JavaScript: one call, JSON in and out as core/lessons/lessons.hpp has it.
#include <emscripten/bind.h>

#include <string>

#include "core/lessons/lessons.hpp"
#include "wasm/values.hpp"

using emscripten::val;
using namespace lookback;

namespace {

val call_lesson(std::string name, std::string input) {
  return guarded([&] {
    const Result<std::string> output = lesson(name, input);
    return output ? ok(val(*output)) : error(output.error());
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(lessons) { emscripten::function("lesson", &call_lesson); }
