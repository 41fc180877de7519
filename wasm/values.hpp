// How calls end and arrays cross to JavaScript; results.hpp has what every call returns.
//
// Arrays come back as copies in JavaScript's own memory, made at the last moment: views on the heap die when it grows.
#pragma once

#include <emscripten/val.h>

#include <string>
#include <vector>

#include "wasm/results.hpp"

namespace lookback {

// Runs work; what it throws (only a refused allocation can) becomes a result too.
template <class Work>
emscripten::val guarded(Work work) {
  try {
    return work();
  } catch (...) {
    return error({ErrorCode::out_of_memory, "The browser gave the engine no more memory."});
  }
}

template <class T>
emscripten::val copy_of(const char* array_type, const std::vector<T>& data) {
  return emscripten::val::global(array_type)
      .new_(emscripten::val(emscripten::typed_memory_view(data.size(), data.data())));
}
inline emscripten::val floats(const std::vector<float>& data) { return copy_of("Float32Array", data); }

inline emscripten::val strings(const std::vector<std::string>& list) {
  emscripten::val out = emscripten::val::array();
  for (const std::string& text : list) out.call<void>("push", text);
  return out;
}

}  // namespace lookback
