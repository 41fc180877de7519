#include <memory>
#include <thread>

#include "core/cli/commands.hpp"
#include "core/cli/numbers.hpp"
#include "core/language/report.hpp"
#include "core/text/display.hpp"

namespace lookback {

Command add_report(CLI::App& app) {
  struct Options {
    std::string model;
    std::size_t cases = 500;
    std::uint64_t seed = 1;
    std::size_t threads = std::thread::hardware_concurrency();
    bool json = false;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("report", "What a model has learned of the book's little language");
  command->add_option("--model", o->model, "Folder with config.json, model.safetensors, vocab.json and merges.txt")
      ->required();
  add_number(*command, "--cases", o->cases, "Held-out cases of each kind (500)", 1, 100000);
  add_number(*command, "--seed", o->seed, "Chooses the cases (1)", 0, highest_seed);
  add_threads(*command, o->threads);
  command->add_flag("--json", o->json, "Print JSON");

  return [o]() -> Result<std::string> {
    const Result<ModelFiles> model = read_model(o->model);
    if (!model) return model.error();
    if (!model->vocabulary)
      return fail(ErrorCode::bad_argument,
                  in_quotes(o->model) + " has no vocab.json and merges.txt; a report needs them to read its cases.");
    Pool pool(o->threads);
    const Result<language::Report> report =
        language::make_report(model->weights, *model->vocabulary, o->cases, o->seed, pool);
    if (!report) return report.error();
    const std::string file = model->name + "/model.safetensors";
    return o->json ? language::report_json(*report, file) : language::report_markdown(*report, file);
  };
}

}  // namespace lookback
