#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <thread>

#include "core/checkpoint/save.hpp"
#include "core/cli/commands.hpp"
#include "core/cli/numbers.hpp"
#include "core/text/display.hpp"
#include "core/train/little.hpp"

namespace lookback {
namespace {

namespace fs = std::filesystem;

// Writes beside the file and renames, so that a kill leaves the old one or the new one, never a half.
Result<> write_file(const fs::path& path, std::string_view bytes) {
  const fs::path beside = path.string() + ".new";
  {
    std::ofstream out(beside, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) return fail(ErrorCode::bad_argument, beside.string() + " could not be written.");
  }
  std::error_code problem;
  fs::rename(beside, path, problem);
  if (problem) return fail(ErrorCode::bad_argument, path.string() + " could not be written: " + problem.message() + ".");
  return Nothing{};
}

Result<> write_files(const fs::path& folder, const std::vector<std::pair<const char*, std::string_view>>& files) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) return fail(ErrorCode::bad_argument, "The folder " + folder.string() + " could not be made: " + problem.message() + ".");
  for (const auto& [name, bytes] : files)
    if (const Result<> written = write_file(folder / name, bytes); !written) return written.error();
  return Nothing{};
}

std::string minutes(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  char text[32];
  std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
  return text;
}

// One line on standard error that counts; on a file, a line now and then.
class Progress {
 public:
  explicit Progress(const Trainer& trainer) : trainer_(trainer), first_(trainer.steps_done()) {}

  void show(const StepReport& report, bool last) {
    mean_loss_ = mean_loss_ == 0 ? report.loss : mean_loss_ * 0.98f + report.loss * 0.02f;
    const std::uint64_t done = trainer_.steps_done(), all = trainer_.recipe().schedule.steps_in_all();
    if (!last && done % 20 != 0) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    const double a_step = seconds / static_cast<double>(done - first_);
    const double tokens = static_cast<double>(trainer_.recipe().sequence * trainer_.recipe().sequences_a_step);
    std::fprintf(stderr, "step %llu of %llu  loss %.4f (mean %.4f)  rate %.2e  gradient %.3f  %.0f tokens/s  %s left\n",
                 static_cast<unsigned long long>(done), static_cast<unsigned long long>(all), report.loss, mean_loss_,
                 report.rate, report.length, tokens / a_step, minutes(a_step * static_cast<double>(all - done)).c_str());
  }

 private:
  const Trainer& trainer_;
  std::uint64_t first_;
  float mean_loss_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace

Command add_train(CLI::App& app) {
  struct Options {
    std::string out, state;
    std::uint64_t seed = 0, steps = 0, stop_after = 0, save_every = 100;
    std::size_t threads = std::thread::hardware_concurrency();
    CLI::Option* seed_option = nullptr;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("train", "Trains the little model from nothing, on texts that it makes itself");
  command->add_option("--out", o->out, "Folder for the model: config.json, model.safetensors, vocab.json, merges.txt")->required();
  command->add_option("--state", o->state, "File that keeps the training's state; when it is there, training goes on from it");
  o->seed_option = add_number(*command, "--seed", o->seed, "Seed of the first weights (the recipe's)");
  add_number(*command, "--steps", o->steps, "Steps in all (the recipe's)", 1, 1 << 24);
  add_number(*command, "--stop-after", o->stop_after, "Save the state and stop after so many steps more", 1, 1 << 24);
  add_number(*command, "--save-every", o->save_every, "Steps between two saved states (100)", 1, 1 << 24);
  add_threads(*command, o->threads);

  return [o]() -> Result<std::string> {
    const Result<LearnedVocabulary> learned = little_vocabulary();
    if (!learned) return learned.error();
    const Result<Vocabulary> vocabulary = Vocabulary::parse(learned->vocab_json, learned->merges_txt);
    if (!vocabulary) return vocabulary.error();
    Recipe recipe = little_recipe(*vocabulary);
    if (*o->seed_option) recipe.seed = o->seed;
    if (o->steps) {
      recipe.schedule.n_steps = o->steps;
      recipe.schedule.second_steps = 0;
      recipe.schedule.warm_up = std::min(recipe.schedule.warm_up, o->steps);
    }
    Result<Trainer> trainer = Trainer::begin(recipe, little_sequences(*vocabulary));
    if (!trainer) return trainer.error();
    if (!o->state.empty() && fs::exists(o->state)) {
      std::ifstream in(o->state, std::ios::binary);
      const std::string state{std::istreambuf_iterator<char>(in), {}};
      if (const Result<> taken = trainer->take_up(state); !taken)
        return fail(taken.error().code, o->state + ": " + taken.error().sentence);
    }

    Pool pool(o->threads);
    Progress progress(*trainer);
    const std::uint64_t first = trainer->steps_done();
    const std::uint64_t all = recipe.schedule.steps_in_all();
    while (trainer->steps_done() < all) {
      const StepReport report = trainer->step(pool);
      if (!std::isfinite(report.loss)) return fail(ErrorCode::bad_argument, "The loss is not finite at step " + std::to_string(report.step) + "; training stopped.");
      const bool stop = o->stop_after && trainer->steps_done() - first == o->stop_after;
      const bool last = stop || trainer->steps_done() == all;
      progress.show(report, last);
      if (!o->state.empty() && (last || trainer->steps_done() % o->save_every == 0))
        if (const Result<> written = write_file(o->state, trainer->state()); !written) return written.error();
      if (stop) break;
    }

    const Result<std::string> weights = save(trainer->weights(), Dtype::f16);
    if (!weights) return weights.error();
    const Result<> written = write_files(o->out, {{"config.json", config_json(recipe.config)},
                                                  {"model.safetensors", *weights},
                                                  {"vocab.json", learned->vocab_json},
                                                  {"merges.txt", learned->merges_txt}});
    if (!written) return written.error();
    return display(o->out) + ": " + std::to_string(n_parameters(recipe.config)) + " weights after " +
           std::to_string(trainer->steps_done()) + " steps.\n";
  };
}

}  // namespace lookback
