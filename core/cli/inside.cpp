// lookback inside: the shapes, one token's attention, and the logit lens, worked out once as JSON and then printed
// either as such or as tables.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/checkpoint/wording.hpp"
#include "core/cli/commands.hpp"
#include "core/cli/numbers.hpp"
#include "core/cli/trace_file.hpp"
#include "core/lens/fingerprint.hpp"
#include "core/lens/heads.hpp"
#include "core/lens/layer_lengths.hpp"
#include "core/lens/logit_lens.hpp"
#include "core/text/bpe.hpp"
#include "core/text/display.hpp"

namespace lookback {
namespace {

using nlohmann::json;

struct Options {
  TextOptions text;
  int from = 0;  // position, counted from base; the last one where the option is not given
  CLI::Option* from_option = nullptr;
  std::vector<std::string> heads;
  std::string target;
  std::string precision = "f32", positions = "learned";
  std::uint32_t seed = 1;
  std::vector<std::string> silenced;
  std::size_t top = 3, base = 0;
  std::size_t threads = std::thread::hardware_concurrency();
  bool as_json = false;
  std::string save_trace;
  bool grids = false;
};

// "9.9" counted from options.base.
Result<HeadIndex> parse_head(const Options& options, const Config& c, std::string_view option, const std::string& text) {
  unsigned layer = 0, head = 0;
  const char* end = text.data() + text.size();
  const auto [dot, problem] = std::from_chars(text.data(), end, layer);
  const bool first = problem == std::errc{} && dot != end && *dot == '.';
  const auto [after, second_problem] = first ? std::from_chars(dot + 1, end, head) : std::from_chars_result{end, std::errc::invalid_argument};
  const std::size_t base = options.base;
  if (second_problem != std::errc{} || after != end || layer < base || head < base || layer - base >= c.n_layers || head - base >= c.n_heads)
    return fail(ErrorCode::bad_argument, std::string(option) + " " + in_quotes(text) + " is not a head of this model; expected a layer from " +
                                             std::to_string(base) + " to " + std::to_string(c.n_layers - 1 + base) +
                                             " and a head from " + std::to_string(base) + " to " +
                                             std::to_string(c.n_heads - 1 + base) + ", such as " + std::to_string(base) + "." +
                                             std::to_string(base) + ".");
  return HeadIndex{layer - base, head - base};
}

Result<Edits> edits_of(const Options& options, const Config& config) {
  const std::optional<Positions> positions = positions_named(options.positions);
  if (!positions)
    return fail(ErrorCode::bad_argument, "--positions " + in_quotes(options.positions) + " is none of learned, none and shuffled.");
  Edits edits{*positions, options.seed, {}, {}};
  for (const std::string& text : options.silenced) {
    const Result<HeadIndex> at = parse_head(options, config, "--silence", text);
    if (!at) return at.error();
    edits.silenced.push_back({at->layer, at->head});
  }
  return edits;
}

struct Session {
  const Options& options;
  const ModelFiles& model;
  const Vocabulary* vocabulary;
  const Trace& trace;
  Pool& pool;
  std::size_t from = 0;

  std::string name_of(int id) const { return token_name(vocabulary, id); }
};

// The heads that look hardest from the token at one other token, the first one (a common resting place) left out.
std::vector<HeadIndex> pointed_heads(const Session& s, std::size_t how_many) {
  std::vector<FoundHead> found;
  for (std::size_t layer = 0; layer < s.trace.config.n_layers; ++layer)
    for (std::size_t head = 0; head < s.trace.config.n_heads; ++head) {
      const std::vector<float> row = pattern_row(s.trace, {layer, head}, s.from);
      const float most = row.size() > 2 ? *std::max_element(row.begin() + 1, row.end() - 1) : 0.0f;
      found.push_back({{layer, head}, most == most ? most : 0.0f});
    }
  std::stable_sort(found.begin(), found.end(), [](const FoundHead& a, const FoundHead& b) { return a.share > b.share; });
  std::vector<HeadIndex> heads;
  for (std::size_t i = 0; i < std::min(how_many, found.size()); ++i) heads.push_back(found[i].at);
  return heads;
}

json shapes(const Session& s) {
  const Config& c = s.trace.config;
  const std::size_t n = s.trace.n_tokens();
  json rows = json::array();
  const auto add = [&](const std::string& what, std::vector<std::size_t> shape) {
    rows.push_back({{"what", what}, {"shape", std::move(shape)}});
  };
  add("token ids", {n});
  add("token row + position row", {n, c.d_model});
  for (std::size_t layer = 0; layer < c.n_layers; ++layer) {
    const std::string name = "layer " + std::to_string(layer + s.options.base);
    add(name + ": q, k, v of each of " + std::to_string(c.n_heads) + " heads", {n, c.d_head()});
    add(name + ": scores and shares of each head", {n, n});
    add(name + ": feed-forward neurons", {n, c.d_mlp});
    add("after " + name, {n, c.d_model});
  }
  add("scores for the next token", {c.d_vocab});
  return rows;
}

Result<json> attention(const Session& s) {
  std::vector<HeadIndex> heads;
  for (const std::string& text : s.options.heads) {
    const Result<HeadIndex> at = parse_head(s.options, s.trace.config, "--head", text);
    if (!at) return at.error();
    heads.push_back(*at);
  }
  if (heads.empty()) heads = pointed_heads(s, 3);
  json rows = json::array();
  for (const HeadIndex at : heads)
    rows.push_back({{"layer", at.layer}, {"head", at.head}, {"shares", pattern_row(s.trace, at, s.from)}});
  json out = {{"from", s.from}, {"heads", rows}, {"mean", mean_pattern_row(s.trace, s.from)}};
  json hardest = json::array();
  for (std::size_t to = 0; to <= s.from; ++to) {
    const FoundHead found = hardest_looking_head(s.trace, s.from, to);
    hardest.push_back({{"to", to}, {"layer", found.at.layer}, {"head", found.at.head}, {"share", found.share}});
  }
  out["hardest_looking"] = hardest;
  return out;
}

// A target token: its text when there is a vocabulary, else its id.
Result<int> parse_target(const Session& s) {
  const std::string& text = s.options.target;
  std::vector<int> ids;
  if (s.vocabulary) ids = encode(*s.vocabulary, text, SpecialTokens::as_text);
  if (ids.size() == 1) return ids[0];
  int id = 0;
  const char* end = text.data() + text.size();
  const auto [after, problem] = std::from_chars(text.data(), end, id);
  if (!s.vocabulary && problem == std::errc{} && after == end && id >= 0 && id < static_cast<int>(s.trace.config.d_vocab))
    return id;
  return fail(ErrorCode::bad_argument, "--target " + in_quotes(text) + " is not one token of the vocabulary.");
}

Result<json> lens(const Session& s) {
  Result<int> target = -1;
  if (!s.options.target.empty()) {
    target = parse_target(s);
    if (!target) return target.error();
  }
  json rows = json::array();
  for (std::size_t done = 0; done <= s.trace.config.n_layers; ++done) {
    const std::vector<float> scores = logit_lens(s.model.weights, s.trace, done, s.from, s.pool);
    json guesses = json::array();
    for (const Guess& g : top_k(scores, s.options.top))
      guesses.push_back({{"id", g.id}, {"token", s.name_of(g.id)}, {"logit", g.logit}, {"probability", g.probability}});
    json row = {{"layers_done", done}, {"top", guesses}};
    if (*target >= 0) {
      const Standing standing = standing_of(scores, *target);
      row["target"] = {{"id", *target}, {"token", s.name_of(*target)}, {"probability", standing.probability},
                       {"rank", standing.rank}};
    }
    rows.push_back(row);
  }
  return rows;
}

json lengths(const Session& s) {
  json rows = json::array();
  for (const LayerLengths& l : layer_lengths(s.trace, s.from))
    rows.push_back({{"before", l.before}, {"attention", l.attention}, {"between", l.between},
                    {"feed_forward", l.feed_forward}, {"after", l.after}});
  return rows;
}

std::string percent(double share) { return fixed(share * 100, share < 0.01 ? 1 : 0) + " %"; }

std::string print(const Session& s, const json& all) {
  const Config& c = s.trace.config;
  const std::size_t base = s.options.base;
  std::string out = s.model.name + ": " + std::to_string(c.n_layers) + " layers × " + std::to_string(c.n_heads) +
                    " heads, width " + std::to_string(c.d_model) + ", window " + std::to_string(c.n_positions) + "\n" +
                    std::to_string(s.trace.n_tokens()) + " tokens in " +
                    fixed(all["milliseconds"].get<double>(), 1) + " ms on " + std::to_string(s.pool.n_threads()) +
                    " threads; trace " + fixed(all["trace_bytes"].get<double>() / 1e6, 2) + " MB, bits " +
                    all["fingerprint"].get<std::string>() + "\n";
  out += what_if(s.options.positions, s.options.seed);
  for (const std::string& head : s.options.silenced) out += "What if: head " + head + " is silent\n";
  for (const json& note : all["notes"]) out += "Note: " + note.get<std::string>() + "\n";

  out += "\nThe shape of the numbers\n";
  for (const json& row : all["shapes"]) {
    std::string shape;
    for (const json& side : row["shape"]) shape += (shape.empty() ? "" : " × ") + std::to_string(side.get<std::size_t>());
    out += "  " + padded(row["what"].get<std::string>(), 44) + shape + "\n";
  }

  const json& look = all["attention"];
  out += "\nWhere token " + std::to_string(s.from + base) + ", " + s.name_of(s.trace.ids[s.from]) + ", looks\n  " +
         padded("", 24);
  for (const json& head : look["heads"])
    out += padded_left(std::to_string(head["layer"].get<std::size_t>() + base) + "." +
                           std::to_string(head["head"].get<std::size_t>() + base), 9);
  out += padded_left("mean", 9) + "   hardest-looking head\n";
  for (std::size_t to = 0; to <= s.from; ++to) {
    out += "  " + padded(padded_left(std::to_string(to + base), 4) + " " + s.name_of(s.trace.ids[to]), 24);
    for (const json& head : look["heads"]) out += padded_left(percent(head["shares"][to].get<double>()), 9);
    out += padded_left(percent(look["mean"][to].get<double>()), 9);
    const json& found = look["hardest_looking"][to];
    out += "   " + std::to_string(found["layer"].get<std::size_t>() + base) + "." +
           std::to_string(found["head"].get<std::size_t>() + base) + " with " + percent(found["share"].get<double>()) + "\n";
  }

  out += "\nWhat token " + std::to_string(s.from + base) + " would say next, after so many layers\n";
  for (const json& row : all["lens"]) {
    out += padded_left(std::to_string(row["layers_done"].get<std::size_t>()), 4) + "  ";
    if (row.contains("target"))
      out += padded(row["target"]["token"].get<std::string>() + " " +
                        fixed(row["target"]["probability"].get<double>() * 100, 2) + " %, place " +
                        std::to_string(row["target"]["rank"].get<std::size_t>() + 1), 32);
    for (const json& guess : row["top"])
      out += padded(guess["token"].get<std::string>() + " " + percent(guess["probability"].get<double>()), 22);
    while (out.back() == ' ') out.pop_back();
    out += "\n";
  }
  return out;
}

Result<std::string> inside(const Options& options) {
  const Result<Precision> precision = parse_precision(options.precision);
  if (!precision) return precision.error();
  const Result<ModelFiles> model = read_model(options.text.model, *precision);
  if (!model) return model.error();
  const Vocabulary* vocabulary = model->vocabulary ? &*model->vocabulary : nullptr;
  const Result<std::vector<int>> ids = ids_of(options.text, vocabulary);
  if (!ids) return ids.error();
  const Result<Edits> edits = edits_of(options, model->weights.config);
  if (!edits) return edits.error();

  Pool pool(options.threads);
  Trace trace;
  const auto start = std::chrono::steady_clock::now();
  if (const Result<> done = run(model->weights, *ids, trace, pool, *edits); !done) return done.error();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;

  Session session{options, *model, vocabulary, trace, pool};
  const int base = static_cast<int>(options.base), n = static_cast<int>(trace.n_tokens());
  const bool given = static_cast<bool>(*options.from_option);
  if (given && (options.from < base || options.from >= n + base))
    return fail(ErrorCode::bad_argument, "--from " + std::to_string(options.from) + " is not a position of this text; expected " +
                                             std::to_string(base) + " to " + std::to_string(n - 1 + base) + ".");
  session.from = static_cast<std::size_t>(given ? options.from - base : n - 1);

  const Result<json> look = attention(session), guesses = lens(session);
  if (!look) return look.error();
  if (!guesses) return guesses.error();
  json tokens = json::array();
  for (const int id : trace.ids) tokens.push_back({{"id", id}, {"token", session.name_of(id)}});
  std::vector<std::string> notes = model->notes;
  if (const std::optional<std::size_t> layer = first_not_finite(trace))
    notes.push_back("From layer " + std::to_string(*layer + options.base) +
                    " on the numbers are not finite, so what follows from them means nothing.");
  if (!options.save_trace.empty()) {
    const Result<std::string> text = vocabulary ? decode(*vocabulary, trace.ids) : std::string();
    const Result<std::uint64_t> bytes = write_trace(options.save_trace, model->weights, trace, text ? *text : std::string(), options.grids, pool);
    if (!bytes) return bytes.error();
    notes.push_back("The trace lies in " + display(options.save_trace) + ", " + fixed(static_cast<double>(*bytes) / 1e6, 2) + " MB.");
  }
  const json all = {{"model", model->name},
                    {"precision", options.precision},
                    {"notes", notes},
                    {"edits", {{"positions", options.positions}, {"seed", options.seed}, {"silenced", options.silenced}}},
                    {"tokens", tokens},
                    {"milliseconds", took.count()},
                    {"trace_bytes", trace_bytes(trace.config, trace.n_tokens())},
                    {"fingerprint", fingerprint(trace)},
                    {"shapes", shapes(session)},
                    {"attention", *look},
                    {"lengths", lengths(session)},
                    {"lens", *guesses}};
  return options.as_json ? all.dump(2, ' ', false, json::error_handler_t::replace) + "\n" : print(session, all);
}

}  // namespace

Command add_inside(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("inside", "What happens inside a model on one text");
  add_text_options(*command, o->text);
  o->from_option = add_number(*command, "--from", o->from, "Position of the token that looks (the last)");
  command->add_option("--head", o->heads, "A layer and a head, such as 1.2; again for more (the three most pointed)");
  command->add_option("--target", o->target, "A token whose chance the lens follows (its id without a vocabulary)");
  add_number(*command, "--top", o->top, "Guesses to show in the lens (3)", 1, 100);
  add_number(*command, "--base", o->base, "Count layers, heads and positions from 0 or 1 (0)", 0, 1);
  command->add_option("--precision", o->precision, "How matrices are kept: f32, f16 or int8 (f32, exact)");
  command->add_option("--positions", o->positions, "What if: rows of the position table learned, none or shuffled (learned)");
  add_number(*command, "--seed", o->seed, "Of the shuffle (1)");
  command->add_option("--silence", o->silenced, "What if: a layer and a head that shall add nothing, such as 1.2; again for more");
  add_threads(*command, o->threads);
  command->add_flag("--json", o->as_json, "Print JSON, counted from 0");
  CLI::Option* file = command->add_option("--save-trace", o->save_trace, "A file for every intermediate, as safetensors with the field's names");
  command->add_flag("--grids", o->grids, "Save the heads' scores and patterns too, which grow with the square of the text")->needs(file);
  return [o] { return inside(*o); };
}

}  // namespace lookback
