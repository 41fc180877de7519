// The one way a core function says that it could not do what was asked.
//
// Core functions do not throw past their edge: they return Result<T>, whose error carries a code for programs and one
// sentence for people. The sentence names the thing and what was expected, and ends with a full stop.
//
// What the standard library throws inside is caught by `catch (...)`: Emscripten 3.1.6's threaded libraries throw a
// std::bad_alloc that no handler for std::bad_alloc or std::exception matches (tried; the one-thread ones are right).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace lookback {

enum class ErrorCode {
  bad_argument,    // a caller's value is outside what the function takes
  bad_file,        // bytes that are not what they claim to be
  missing_tensor,  // a checkpoint lacks a tensor, or holds one of another shape or an unknown name
  window_full,     // more tokens than the model has positions for
  out_of_memory,   // an allocation was refused
  cancelled,       // the caller asked to stop
  not_yet,         // what is needed has not come, but is on its way
};

struct Error {
  ErrorCode code;
  std::string sentence;
};

struct Nothing {};  // the value of a Result that only tells whether something worked

// Either a value or an Error; the part of C++23's std::expected that the core uses.
template <class T = Nothing>
class Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return held_.index() == 0; }
  T& operator*() { return *std::get_if<0>(&held_); }
  const T& operator*() const { return *std::get_if<0>(&held_); }
  T* operator->() { return std::get_if<0>(&held_); }
  const T* operator->() const { return std::get_if<0>(&held_); }
  const Error& error() const { return *std::get_if<1>(&held_); }

 private:
  std::variant<T, Error> held_;
};

inline Error fail(ErrorCode code, std::string sentence) { return Error{code, std::move(sentence)}; }

// The code's name, as the command line and the page receive it.
constexpr std::string_view name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::bad_argument: return "bad_argument";
    case ErrorCode::bad_file: return "bad_file";
    case ErrorCode::missing_tensor: return "missing_tensor";
    case ErrorCode::window_full: return "window_full";
    case ErrorCode::out_of_memory: return "out_of_memory";
    case ErrorCode::cancelled: return "cancelled";
    case ErrorCode::not_yet: return "not_yet";
  }
  return "unknown";
}

}  // namespace lookback
