// What every call returns to JavaScript: {ok: value} or {error: code, sentence}.
#pragma once

#include <emscripten/val.h>

#include <string>

#include "core/result.hpp"

namespace lookback {

inline emscripten::val ok(emscripten::val value) {
  emscripten::val result = emscripten::val::object();
  result.set("ok", value);
  return result;
}
inline emscripten::val ok() { return ok(emscripten::val(true)); }

inline emscripten::val error(const Error& e) {
  emscripten::val result = emscripten::val::object();
  result.set("error", std::string(name_of(e.code)));
  result.set("sentence", e.sentence);
  return result;
}

}  // namespace lookback
