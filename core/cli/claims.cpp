// lookback claims: what is recorded about a model, computed anew. Prints claim, recorded, computed, same or different.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/checkpoint/wording.hpp"
#include "core/cli/commands.hpp"
#include "core/cli/numbers.hpp"
#include "core/lens/heads.hpp"
#include "core/lens/logit_lens.hpp"
#include "core/text/bpe.hpp"

namespace lookback {
namespace {

using nlohmann::json;

// A claim with the trace of its text.
struct Claim {
  const json& told;
  const ModelFiles& model;
  const Trace& trace;
  Pool& pool;

  // A whole number from 0 on; negative counts from `count` back: -1 is the last.
  std::size_t index(const char* key, std::size_t count) const {
    const auto found = told.find(key);
    if (found == told.end() || !found->is_number_integer()) throw std::string("needs a whole number “") + key + "”";
    const auto number = found->get<long long>();
    const long long at = number < 0 ? static_cast<long long>(count) + number : number;
    if (at < 0 || at >= static_cast<long long>(count))
      throw std::string("has “") + key + "” " + std::to_string(number) + "; there are " + std::to_string(count);
    return static_cast<std::size_t>(at);
  }
  HeadIndex head() const { return {index("layer", trace.config.n_layers), index("head", trace.config.n_heads)}; }
  std::size_t position(const char* key) const { return index(key, trace.n_tokens()); }
  // Of `from` at `to`, which must not come later.
  std::pair<std::size_t, std::size_t> look() const {
    const std::size_t from = position("from"), to = position("to");
    if (to > from) throw std::string("looks ahead");
    return {from, to};
  }
  std::vector<float> scores() const {
    return logit_lens(model.weights, trace, index("layers_done", trace.config.n_layers + 1), position("at"), pool);
  }
  // A token by its id, or by its text where that is one token.
  int token() const {
    const json& told_token = told.at("token");
    if (told_token.is_number_integer()) return static_cast<int>(index("token", trace.config.d_vocab));
    if (!model.vocabulary) throw std::string("names a token by its text, but there is no vocabulary");
    const std::vector<int> ids = encode(*model.vocabulary, told_token.get<std::string>(), SpecialTokens::as_text);
    if (ids.size() != 1) throw "has a token “" + told_token.get<std::string>() + "” that is not one token";
    return ids[0];
  }
};

double percent_on(const std::vector<float>& row, std::size_t to) { return 100.0 * double(row[to]); }

double share(const Claim& c) {
  const auto [from, to] = c.look();
  return percent_on(pattern_row(c.trace, c.head(), from), to);
}
double mean_share(const Claim& c) {
  const auto [from, to] = c.look();
  return percent_on(mean_pattern_row(c.trace, from), to);
}
double hardest_share(const Claim& c) {
  const auto [from, to] = c.look();
  return 100.0 * double(hardest_looking_head(c.trace, c.index("layer", c.trace.config.n_layers), from, to).share);
}
double score(const Claim& c) {
  const auto [from, to] = c.look();
  return double(cell_arithmetic(c.trace, c.head(), from, to).scaled);
}
double chance(const Claim& c) { return 100.0 * double(standing_of(c.scores(), c.token()).probability); }
double rank(const Claim& c) { return double(standing_of(c.scores(), c.token()).rank); }
double logit(const Claim& c) { return double(c.scores()[static_cast<std::size_t>(c.token())]); }
// Of all looks from the fourth token on, heads together: the part that gives the first token more than half.
double resting(const Claim& c) {
  std::size_t looks = 0, rests = 0;
  for (std::size_t layer = 0; layer < c.trace.config.n_layers; ++layer)
    for (std::size_t head = 0; head < c.trace.config.n_heads; ++head)
      for (std::size_t row = 3; row < c.trace.n_tokens(); ++row, ++looks)
        rests += pattern_row(c.trace, {layer, head}, row)[0] > 0.5f;
  if (looks == 0) throw std::string("needs four tokens");
  return 100.0 * double(rests) / double(looks);
}
// Mean of -ln p of each token from its predecessors.
double loss(const Claim& c) {
  const std::size_t n = c.trace.n_tokens();
  if (n < 2) throw std::string("needs two tokens");
  double sum = 0;
  for (std::size_t at = 0; at + 1 < n; ++at)
    sum -= std::log(double(standing_of(logit_lens(c.model.weights, c.trace, c.trace.config.n_layers, at, c.pool), c.trace.ids[at + 1]).probability));
  return sum / double(n - 1);
}
double weight(const Claim& c) {
  const std::size_t row = c.index("row", c.trace.config.d_vocab), column = c.index("column", c.trace.config.d_model);
  return double(c.model.weights.wte.at(column, row));
}

struct Measure {
  const char* name;
  double (*of)(const Claim&);
};
constexpr Measure measures[] = {{"share", share}, {"mean_share", mean_share}, {"hardest_share", hardest_share},
                                {"score", score}, {"chance", chance}, {"rank", rank}, {"logit", logit},
                                {"resting", resting}, {"loss", loss}, {"weight", weight}};

struct Outcome {
  std::string recorded, computed;
  bool same = false;
};

// Two numbers are the same when they are at the recorded one's decimals. `within` widens that: figures of another
// program's f32 arithmetic differ in their last digits.
Outcome compare(const json& told, double computed) {
  const double recorded = told.at("recorded").get<double>();
  const int decimals = told.value("decimals", 0);
  const double within = told.value("within", 0.0);
  const Outcome outcome{fixed(recorded, decimals), fixed(computed, decimals), false};
  return {outcome.recorded, outcome.computed,
          within > 0 ? std::fabs(computed - recorded) <= within : outcome.recorded == outcome.computed};
}

Result<std::vector<int>> ids_of(const json& told, const ModelFiles& model) {
  if (told.contains("ids")) return told["ids"].get<std::vector<int>>();
  if (!model.vocabulary) return fail(ErrorCode::bad_argument, "has a text, but the model has no vocab.json and merges.txt.");
  return encode(*model.vocabulary, told.at("text").get<std::string>(), SpecialTokens::as_text);
}

Error about(const json& told, const std::string& sentence) {
  return fail(ErrorCode::bad_argument, "The claim " + in_quotes(told.value("id", "without an id")) + " " + sentence);
}

Result<Outcome> check(const json& told, const ModelFiles& model, Trace& trace, Pool& pool) {
  const std::string name = told.at("measure").get<std::string>();
  for (const Measure& measure : measures) {
    if (measure.name != name) continue;
    const Result<std::vector<int>> ids = ids_of(told, model);
    if (!ids) return about(told, ids.error().sentence);
    if (const Result<> done = run(model.weights, *ids, trace, pool); !done) return about(told, "has a text that cannot be read: " + done.error().sentence);
    try {
      return compare(told, measure.of({told, model, trace, pool}));
    } catch (const std::string& what) {
      return about(told, what + ".");
    }
  }
  return about(told, "has the measure " + in_quotes(name) + ", which is not known.");
}

Result<std::string> check_all(const json& file, const ModelFiles& model, Pool& pool, bool as_json) {
  Trace trace;
  json rows = json::array();
  std::string lines;
  std::size_t same = 0;
  for (const json& told : file.at("claims")) {
    const Result<Outcome> outcome = check(told, model, trace, pool);
    if (!outcome) return outcome.error();
    same += outcome->same;
    const std::string says = told.at("says").get<std::string>();
    rows.push_back({{"id", told.at("id")}, {"says", says}, {"recorded", outcome->recorded}, {"computed", outcome->computed}, {"same", outcome->same}});
    lines += padded(says, 84) + padded_left(outcome->recorded, 14) + padded_left(outcome->computed, 14) + "  " + (outcome->same ? "same" : "different") + "\n";
  }
  if (as_json) return json{{"model", model.name}, {"claims", rows}}.dump(2) + "\n";
  return padded("claim", 84) + padded_left("recorded", 14) + padded_left("computed", 14) + "\n" + lines + "\n" + model.name + ": " +
         std::to_string(same) + " same, " + std::to_string(rows.size() - same) + " different.\n";
}

}  // namespace

Command add_claims(CLI::App& app) {
  struct Options {
    std::string model, claims;
    std::size_t threads = std::thread::hardware_concurrency();
    bool as_json = false;
  };
  const auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("claims", "Computes anew what is recorded about a model");
  command->add_option("--model", o->model, "Folder with config.json, model.safetensors and, for texts, vocab.json and merges.txt")->required();
  command->add_option("--claims", o->claims, "JSON file of claims, such as chapters/recorded.json")->required();
  add_threads(*command, o->threads);
  command->add_flag("--json", o->as_json, "Print JSON");

  return [o]() -> Result<std::string> {
    std::ifstream in(o->claims, std::ios::binary);
    if (!in) return fail(ErrorCode::bad_file, in_quotes(o->claims) + " could not be read.");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const Result<ModelFiles> model = read_model(o->model);
    if (!model) return model.error();
    Pool pool(o->threads);
    try {
      return check_all(json::parse(text), *model, pool, o->as_json);
    } catch (const json::exception&) {
      return fail(ErrorCode::bad_file, in_quotes(o->claims) + " is not a file of claims: expected JSON with “claims”, each with id, says, measure, recorded and what the measure needs.");
    }
  };
}

}  // namespace lookback
