// What a target holds the core to. A property that fails stops the process, so that libFuzzer keeps the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/text/unicode_classes.hpp"
#include "core/text/utf8.hpp"

namespace lookback::fuzz {

inline void hold(bool property, const char* what, std::string_view about = {}) {
  if (property) return;
  std::fprintf(stderr, "PROPERTY FAILED: %s\n%.*s\n", what, static_cast<int>(about.size()), about.data());
  std::abort();
}

// Valid UTF-8 in which everything can be seen.
inline void hold_visible(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Step step = read_utf8(text, at);
    hold(step.well_formed, "what people read is UTF-8", text);
    hold(!is_invisible(step.code_point), "what people read has no control or invisible character", text);
    at += step.length;
  }
}

// A refusal is one sentence. Inputs are small, so memory is no reason: that would be a stray exception, caught late.
inline void hold_refusal(const Error& error) {
  std::string sentence = error.sentence;
  hold(error.code != ErrorCode::out_of_memory, "a small input is not refused for want of memory", sentence);
  hold(sentence.size() > 1 && sentence.size() <= 1000, "a refusal is of a length that can be read", sentence);
  hold(sentence.ends_with("."), "a refusal ends with a full stop", sentence);
  hold_visible(sentence);
  // What is quoted may hold anything.
  if (const std::size_t open = sentence.find("“"), close = sentence.rfind("”"); open < close && close != sentence.npos)
    sentence.erase(open, close - open);
  hold(sentence.find(". ") == sentence.npos, "a refusal is one sentence", error.sentence);
}

// Whether an input was refused, and if so, as it should be.
template <class T>
bool refused(const Result<T>& result) {
  if (result) return false;
  hold_refusal(result.error());
  return true;
}

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return size == 0 ? std::string_view() : std::string_view(reinterpret_cast<const char*>(data), size);
}

// A file of the little model.
inline std::string little_file(const std::string& name) {
  std::ifstream file(LITTLE + name, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  hold(!bytes.empty(), "the little model is there", name);
  return bytes;
}

}  // namespace lookback::fuzz
