// Numbers on the command line are decimal. What CLI11 reads by itself is not: 010 is eight there, 0x10 sixteen, and -1 the
// largest of the unsigned numbers.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>
#include <string>
#include <type_traits>

#include "core/text/display.hpp"

namespace lookback {

// An option that takes one number from `least` to `most`; `value` must outlive the parsing. Anything else is refused in a
// sentence that names the option.
template <class T>
CLI::Option* add_number(CLI::App& command, const std::string& name, T& value, const std::string& help,
                        std::type_identity_t<T> least = std::numeric_limits<T>::lowest(),
                        std::type_identity_t<T> most = std::numeric_limits<T>::max()) {
  const auto read = [name, least, most, &value](const std::string& text) {
    T number{};
    const char* end = text.data() + text.size();
    const auto [after, problem] = std::from_chars(text.data(), end, number);
    if (problem == std::errc{} && after == end && number >= least && number <= most) {
      value = number;
      return;
    }
    std::string expected = " takes a number such as 0.5";
    if constexpr (std::is_integral_v<T>)
      expected = " takes a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    throw CLI::ValidationError(name + expected + ", not " + in_quotes(text));
  };
  return command.add_option_function<std::string>(name, read, help)->type_name("NUMBER");
}

inline CLI::Option* add_threads(CLI::App& command, std::size_t& threads) {
  return add_number(command, "--threads", threads, "Threads (one a core)", 1, 64);
}

// The largest seed that JavaScript's numbers hold exactly.
constexpr std::uint64_t highest_seed = 9007199254740991;

}  // namespace lookback
