#include "core/train/practice_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "core/model/weights.hpp"
#include "core/text/display.hpp"
#include "core/train/practice_worlds.hpp"

namespace lookback {
namespace {

using Json = nlohmann::json;
// Numbers are floats, written in the fewest digits that read back to the same float; keys keep their order.
using Out =
    nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t, std::uint64_t, float>;

constexpr std::size_t longest_input = 4096;
constexpr std::uint64_t largest_seed = (std::uint64_t{1} << 53) - 1;  // what JavaScript counts to

Error wrong(const std::string& sentence) { return fail(ErrorCode::bad_argument, sentence); }

Result<Json> parse_object(std::string_view text) {
  if (text.size() > longest_input) return wrong("A practice's options must be at most " + std::to_string(longest_input) + " bytes.");
  Json value = holds_nul(text) ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
  if (!value.is_object()) return wrong("A practice's options must be a JSON object.");
  return value;
}

// The member as a whole number up to `most`; `otherwise` where it is absent.
Result<std::uint64_t> whole(const Json& object, const char* key, std::uint64_t most, std::uint64_t otherwise) {
  const auto found = object.find(key);
  if (found == object.end()) return otherwise;
  if (found->is_number_unsigned() && found->get<std::uint64_t>() <= most) return found->get<std::uint64_t>();
  return wrong("“" + std::string(key) + "” must be a whole number from 0 to " + std::to_string(most) + ".");
}

Result<PracticeOptions> options_of(std::string_view name, const Json& object, bool with_steps) {
  if (const Result<> known = check_practice_name(name); !known) return known.error();
  std::vector<std::string_view> keys = {"seed"};
  if (name == "repeats") keys.insert(keys.end(), {"words", "shortest", "longest", "repeated"});
  if (with_steps) keys.push_back("steps");
  for (const auto& [key, member] : object.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    std::string known;
    for (const std::string_view k : keys) known += (known.empty() ? "" : ", ") + std::string(k);
    return wrong(in_quotes(key) + " is no option of this practice; expected " + known + ".");
  }
  PracticeOptions o;
  const auto take = [&](const char* key, std::uint64_t most, auto& into) -> Result<> {
    const Result<std::uint64_t> value = whole(object, key, most, into);
    if (!value) return value.error();
    into = *value;
    return Nothing{};
  };
  if (const Result<> taken = take("seed", largest_seed, o.seed); !taken) return taken.error();
  constexpr std::uint64_t many = 1'000'000;  // practice_world knows the true limits
  if (const Result<> taken = take("words", many, o.words); !taken) return taken.error();
  if (const Result<> taken = take("shortest", many, o.shortest); !taken) return taken.error();
  if (const Result<> taken = take("longest", many, o.longest); !taken) return taken.error();
  if (const auto repeated = object.find("repeated"); repeated != object.end()) {
    if (!repeated->is_boolean()) return wrong("“repeated” must be true or false.");
    o.repeated = repeated->get<bool>();
  }
  return o;
}

template <class Numbers>
Out numbers(const Numbers& values) {
  Out list = Out::array();
  for (const float x : values) list.push_back(x + 0.0f);  // + 0 turns -0 into 0
  return list;
}

Out plan_of(const Practice& practice) {
  const PracticeWorld& world = practice.world();
  const Config& c = world.recipe.config;
  Out out;
  out["words"] = world.words;
  out["config"] = {{"n_layers", c.n_layers}, {"n_heads", c.n_heads}, {"d_model", c.d_model}, {"d_head", c.d_head()},
                   {"d_mlp", c.d_mlp},       {"n_positions", c.n_positions}, {"d_vocab", c.d_vocab}};
  out["n_parameters"] = n_parameters(c);
  out["n_steps"] = world.recipe.schedule.n_steps;
  out["sequence"] = world.recipe.sequence;
  out["sequences_a_step"] = world.recipe.sequences_a_step;
  out["roles"] = Out::array();
  for (const PracticeRole& role : world.roles) out["roles"].push_back({{"name", role.name}, {"threshold", role.threshold}});
  out["probes"] = Out::array();
  for (const PracticeText& text : world.probes) {
    Out known = Out::array();
    for (const char is_known : text.known) known.push_back(is_known != 0);
    out["probes"].push_back({{"ids", text.ids}, {"known", known}, {"from", text.from}, {"noun", text.noun}});
  }
  return out;
}

Out reading_of(const PracticeWorld& world, const Reading& reading) {
  Out out;
  out["step"] = reading.step;
  out["known_loss"] = reading.known_loss;  // JSON has no NaN: null where there is no such place
  out["other_loss"] = reading.other_loss;
  out["known_right"] = reading.known_right;
  out["roles"] = Out::array();
  const std::size_t n_heads = reading.roles.size() / world.roles.size();
  for (std::size_t role = 0; role < world.roles.size(); ++role)
    out["roles"].push_back(numbers(std::span(&reading.roles[role * n_heads], n_heads)));
  out["probes"] = Out::array();
  for (const ProbeReading& probe : reading.probes) {
    out["probes"].push_back({{"patterns", numbers(probe.patterns)},
                             {"losses", numbers(probe.losses)},
                             {"chances", numbers(probe.chances)},
                             {"guesses", probe.guesses},
                             {"guess_chances", numbers(probe.guess_chances)}});
  }
  return out;
}

Result<std::string> run_practice(std::string_view name, std::string_view input_json, Pool& pool) {
  const Result<Json> input = parse_object(input_json);
  if (!input) return input.error();
  const Result<PracticeOptions> options = options_of(name, *input, true);
  if (!options) return options.error();
  Result<Practice> practice = Practice::begin(name, *options);
  if (!practice) return practice.error();
  const Result<std::uint64_t> steps = whole(*input, "steps", practice->world().recipe.schedule.n_steps, 0);
  if (!steps) return steps.error();

  std::vector<float> losses;
  while (losses.size() < *steps) losses.push_back(practice->step(pool).loss);
  const Result<Reading> reading = practice->read(pool);
  if (!reading) return reading.error();
  Out out;
  out["plan"] = plan_of(*practice);
  out["losses"] = numbers(losses);
  out["ledge"] = nullptr;
  if (const std::optional<Ledge> ledge = find_ledge(losses))
    out["ledge"] = {{"step", ledge->step}, {"before", ledge->before}, {"after", ledge->after}};
  out["reading"] = reading_of(practice->world(), *reading);
  return out.dump();
}

}  // namespace

Result<PracticeOptions> parse_practice_options(std::string_view name, std::string_view json) {
  try {
    const Result<Json> object = parse_object(json);
    if (!object) return object.error();
    return options_of(name, *object, false);
  } catch (...) {
    return fail(ErrorCode::out_of_memory, "There is not enough memory for this practice.");
  }
}

std::string plan_json(const Practice& practice) { return plan_of(practice).dump(); }

std::string reading_json(const PracticeWorld& world, const Reading& reading) {
  return reading_of(world, reading).dump();
}

Result<std::string> practise(std::string_view name, std::string_view input_json, Pool& pool) {
  try {
    return run_practice(name, input_json, pool);
  } catch (...) {
    return fail(ErrorCode::out_of_memory, "There is not enough memory for this practice.");
  }
}

}  // namespace lookback
