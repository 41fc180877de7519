#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/checkpoint/wording.hpp"
#include "core/cli/commands.hpp"
#include "core/cli/numbers.hpp"
#include "core/model/sampling.hpp"
#include "core/model/transformer.hpp"
#include "core/text/bpe.hpp"

namespace lookback {

Command add_generate(CLI::App& app) {
  struct Options {
    TextOptions text;
    std::size_t length = 20;
    Sampling sampling{0.0f, 0, 1.0f};
    std::uint64_t seed = 1;
    std::string precision = "f32";
    std::size_t threads = std::thread::hardware_concurrency();
    bool json = false;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("generate", "Continues a text, token by token");
  add_text_options(*command, o->text);
  add_number(*command, "--length", o->length, "Tokens to add (20)", 0, 1 << 20);
  add_number(*command, "--temperature", o->sampling.temperature, "0 takes the likeliest token each time (0)");
  add_number(*command, "--top-k", o->sampling.top_k, "Choose among the k likeliest; 0 = all (0)", 0, 1 << 24);
  add_number(*command, "--top-p", o->sampling.top_p, "Choose among the likeliest that together reach p (1)");
  add_number(*command, "--seed", o->seed, "Starts the dice (1)", 0, highest_seed);
  command->add_option("--precision", o->precision, "How matrices are kept: f32, f16 or int8 (f32, exact)");
  add_threads(*command, o->threads);
  command->add_flag("--json", o->json, "Print JSON");

  return [o]() -> Result<std::string> {
    if (const Result<> checked = check_sampling(o->sampling); !checked) return checked.error();
    const Result<Precision> precision = parse_precision(o->precision);
    if (!precision) return precision.error();
    const Result<ModelFiles> model = read_model(o->text.model, *precision);
    if (!model) return model.error();
    const Vocabulary* vocabulary = model->vocabulary ? &*model->vocabulary : nullptr;
    Result<std::vector<int>> ids = ids_of(o->text, vocabulary);
    if (!ids) return ids.error();

    Pool pool(o->threads);
    Trace trace;
    std::mt19937_64 random(o->seed);
    const Config& config = model->weights.config;
    const std::size_t prompt = ids->size();
    for (std::size_t i = 0; i < o->length && ids->size() <= config.n_positions; ++i) {
      if (const Result<> done = run(model->weights, *ids, trace, pool); !done) return done.error();
      const std::size_t last = (ids->size() - 1) * config.d_model;
      const std::vector<float> scores = logits(model->weights, {&trace.resid_final[last], config.d_model}, pool);
      if (!std::all_of(scores.begin(), scores.end(), [](float score) { return std::isfinite(score); }))
        return fail(ErrorCode::bad_argument, "The model's scores are not finite after " + std::to_string(ids->size()) +
                                                 " tokens, so no next token can be chosen.");
      ids->push_back(sample(scores, o->sampling, random));
    }
    const bool window_full = ids->size() - prompt < o->length;

    // An id that the vocabulary lacks stands as ⟨no token 50300⟩, so that nothing of the text is lost.
    std::string text;
    if (vocabulary)
      for (const int id : *ids) text += vocabulary->contains(id) ? std::string(vocabulary->token_bytes(id)) : token_display(*vocabulary, id);
    if (o->json) {
      nlohmann::json out = {{"ids", *ids}, {"prompt_tokens", prompt}, {"window_full", window_full}};
      if (vocabulary) out["text"] = text;
      return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }
    std::string out = text;
    if (!vocabulary)
      for (const int id : *ids) out += (out.empty() ? "" : " ") + std::to_string(id);
    if (window_full) out += "\n(The window of " + std::to_string(config.n_positions) + " tokens is full.)";
    return out + "\n";
  };
}

}  // namespace lookback
