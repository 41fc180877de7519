#include <iostream>
#include <iterator>
#include <memory>

#include "core/cli/commands.hpp"
#include "core/lessons/lessons.hpp"

namespace lookback {

Command add_lesson(CLI::App& app) {
  CLI::App* command = app.add_subcommand("lesson", "One of the book's toy worlds: JSON on standard input, JSON out");
  const auto name = std::make_shared<std::string>();
  command->add_option("name", *name, "search, dot, softmax, sink, blend, …")->required();
  return [name]() -> Result<std::string> {
    const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
    Result<std::string> output = lesson(*name, input);
    if (output) *output += "\n";
    return output;
  };
}

}  // namespace lookback
