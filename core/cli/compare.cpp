// lookback compare: two texts through one model, and how far apart is what attention brings to their last tokens.
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/cli/commands.hpp"
#include "core/cli/numbers.hpp"
#include "core/lens/apart.hpp"
#include "core/lens/heads.hpp"
#include "core/model/transformer.hpp"
#include "core/text/bpe.hpp"

namespace lookback {
namespace {

using nlohmann::json;

struct Options {
  TextOptions text;
  std::string against, against_ids, positions = "learned";
  CLI::Option* against_option = nullptr;
  CLI::Option* against_ids_option = nullptr;
  std::uint32_t seed = 1;
  std::size_t threads = std::thread::hardware_concurrency();
  bool as_json = false;
};

// The tokens of a text, and where its last one looks: shares [n_layers][n_heads][n].
json side(const Trace& trace, const Vocabulary* vocabulary) {
  json tokens = json::array(), layers = json::array();
  for (const int id : trace.ids) tokens.push_back({{"id", id}, {"token", token_name(vocabulary, id)}});
  for (std::size_t layer = 0; layer < trace.config.n_layers; ++layer) {
    json heads = json::array();
    for (std::size_t head = 0; head < trace.config.n_heads; ++head)
      heads.push_back(pattern_row(trace, {layer, head}, trace.n_tokens() - 1));
    layers.push_back(heads);
  }
  return {{"tokens", tokens}, {"shares", layers}};
}

std::string print(const Options& options, const std::vector<Apart>& layers, std::size_t d_model) {
  std::string out = what_if(options.positions, options.seed) + "What attention brings to the last token\n" +
                    padded("  layer", 10) + padded_left("first", 10) + padded_left("second", 10) + padded_left("apart", 10) +
                    padded_left("largest", 14) + padded_left("equal bits", 14) + "\n";
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const Apart& a = layers[layer];
    out += padded("  " + std::to_string(layer), 10) + padded_left(fixed(a.one, 3), 10) + padded_left(fixed(a.two, 3), 10) +
           padded_left(fixed(a.difference, 3), 10) + padded_left(fixed(a.most, 9), 14) +
           padded_left(std::to_string(a.equal) + " of " + std::to_string(d_model), 14) + "\n";
  }
  return out;
}

Result<std::string> compare(const Options& options) {
  Edits edits;
  const std::optional<Positions> positions = positions_named(options.positions);
  if (!positions)
    return fail(ErrorCode::bad_argument, "--positions " + in_quotes(options.positions) + " is none of learned, none and shuffled.");
  edits.positions = *positions;
  edits.seed = options.seed;
  if (!*options.against_option && !*options.against_ids_option)
    return fail(ErrorCode::bad_argument, "Give the other text with --against, or its token ids with --against-ids.");
  const Result<ModelFiles> model = read_model(options.text.model);
  if (!model) return model.error();
  const Vocabulary* vocabulary = model->vocabulary ? &*model->vocabulary : nullptr;
  const TextOptions against{options.text.model, options.against, options.against_ids, options.against_option,
                            options.against_ids_option};

  Pool pool(options.threads);
  Trace traces[2];
  const TextOptions* texts[] = {&options.text, &against};
  for (std::size_t i = 0; i < 2; ++i) {
    const Result<std::vector<int>> ids = ids_of(*texts[i], vocabulary);
    if (!ids) return ids.error();
    if (const Result<> done = run(model->weights, *ids, traces[i], pool, edits); !done) return done.error();
  }
  const std::vector<Apart> layers = attention_apart(model->weights, traces[0], traces[1], pool);
  if (!options.as_json) return print(options, layers, model->weights.config.d_model);
  json rows = json::array();
  for (const Apart& a : layers)
    rows.push_back({{"one", a.one}, {"two", a.two}, {"difference", a.difference}, {"most", a.most}, {"equal", a.equal}});
  const json all = {{"model", model->name},
                    {"positions", options.positions},
                    {"seed", options.seed},
                    {"layers", rows},
                    {"one", side(traces[0], vocabulary)},
                    {"two", side(traces[1], vocabulary)}};
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

Command add_compare(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("compare", "What attention brings to the last tokens of two texts");
  add_text_options(*command, o->text);
  o->against_option = command->add_option("--against", o->against, "The other text");
  o->against_ids_option = command->add_option("--against-ids", o->against_ids, "Token ids instead of the other text");
  o->against_option->excludes(o->against_ids_option);
  command->add_option("--positions", o->positions, "Rows of the position table: learned, none or shuffled (learned)");
  add_number(*command, "--seed", o->seed, "Of the shuffle (1)");
  add_threads(*command, o->threads);
  command->add_flag("--json", o->as_json, "Print JSON");
  return [o] { return compare(*o); };
}

}  // namespace lookback
