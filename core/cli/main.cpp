// lookback: the core on the command line. Wrong arguments: one line on standard error and exit status 2.
#include <iostream>
#include <string_view>

#include "core/cli/commands.hpp"
#include "core/text/display.hpp"

namespace {

// One line for the terminal: what was typed may hold line ends, control codes and signs that turn a line around, which are
// shown, not obeyed.
int refuse(std::string_view sentence) {
  std::cerr << "lookback: " << lookback::display(sentence) << "\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Lookback: look inside a model of GPT-2's architecture.", "lookback");
  app.require_subcommand(1);

  const std::vector<std::pair<CLI::App*, lookback::Command>> commands = [&] {
    std::vector<std::pair<CLI::App*, lookback::Command>> list;
    for (const auto add : {lookback::add_inside, lookback::add_compare, lookback::add_tokens, lookback::add_generate, lookback::add_lesson, lookback::add_train, lookback::add_report, lookback::add_practice, lookback::add_claims}) {
      lookback::Command command = add(app);
      list.emplace_back(app.get_subcommands({}).back(), std::move(command));
    }
    return list;
  }();

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    if (argc > 1 && argv[1][0] != '-' && app.get_subcommands([&](const CLI::App* known) { return known->check_name(argv[1]); }).empty()) {
      return refuse(std::string("there is no command \"") + argv[1] + "\" (lookback --help lists what there is)");
    }
    return refuse(std::string(error.what()) + " (lookback --help lists what there is)");
  }
  for (const auto& [subcommand, run] : commands) {
    if (!*subcommand) continue;
    const lookback::Result<std::string> output = [&]() -> lookback::Result<std::string> {
      try {
        return run();
      } catch (const std::exception& problem) {  // memory or threads that the system refused
        return lookback::fail(lookback::ErrorCode::out_of_memory, std::string("The system refused: ") + problem.what() + ".");
      }
    }();
    if (!output) return refuse(output.error().sentence);
    std::cout << *output;
    std::cout.flush();
    if (std::cout) return 0;
    std::cerr << "lookback: The output could not be written.\n";
    return 1;
  }
}
