#include <iostream>
#include <iterator>
#include <memory>

#include "core/cli/commands.hpp"
#include "core/train/practice_json.hpp"

namespace lookback {

Command add_practice(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "practice", "Trains one of the book's smallest models: JSON options on standard input, JSON out");
  const auto name = std::make_shared<std::string>();
  command->add_option("name", *name, "head or repeats")->required();
  return [name]() -> Result<std::string> {
    const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
    Pool pool(1);
    Result<std::string> output = practise(*name, input, pool);
    if (output) *output += "\n";
    return output;
  };
}

}  // namespace lookback
