// The report as programs read it. Heads are counted from 0.
#include <nlohmann/json.hpp>

#include "core/language/report.hpp"

namespace lookback::language {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const Answer& answer) {
  return {{"prompt", answer.prompt}, {"said", answer.said}, {"chance", answer.chance}, {"right", answer.right}};
}

ordered_json list_of(const std::vector<Answer>& answers) {
  ordered_json list = ordered_json::array();
  for (const Answer& answer : answers) list.push_back(json_of(answer));
  return list;
}

ordered_json json_of(const Aim& aim) {
  ordered_json out = {{"name", aim.name}, {"measured", aim.measured}, {"at_least", aim.at_least}, {"n", aim.n},
                      {"reached", aim.reached()}};
  if (!aim.head.empty()) out["head"] = aim.head;
  return out;
}

ordered_json json_of(const Answers& answers) {
  return {{"name", answers.name},
          {"right", answers.right},
          {"n", answers.n},
          {"chance_right", answers.chance_right.value()},
          {"chance_wrong", answers.chance_wrong.value()},
          {"mistakes", list_of(answers.mistakes)}};
}

ordered_json head_json(const Report& report, std::size_t i) {
  const HeadCensus& head = report.census.heads[i];
  ordered_json shares = ordered_json::object();
  for (const Role role : roles) shares[std::string(name_of(role))] = head.of(role).value();
  return {{"layer", i / report.census.n_heads},
          {"head", i % report.census.n_heads},
          {"shares", shares},
          {"first_token_prompts", report.prompts.heads[i].of(Role::first_token).value()},
          {"entropy", head.entropy.value()},
          {"name_share", report.names.heads[i].share.value()},
          {"noun_share", report.nouns.heads[i].share.value()},
          {"noun_hardest", report.nouns.heads[i].hardest_part()}};
}

ordered_json json_of(const CountryLens& lens) {
  ordered_json chance = ordered_json::array();
  for (const Mean& mean : lens.chance) chance.push_back(mean.value());
  return {{"n", lens.n}, {"rising", lens.rising}, {"mean_chance", chance}, {"jumps", lens.jumps}};
}

}  // namespace

std::string report_json(const Report& report, std::string_view file) {
  const Config& c = report.config;
  ordered_json aims = ordered_json::array(), answers = aims, heads = aims, continuations = aims;
  for (const Aim& aim : report.aims) aims.push_back(json_of(aim));
  for (const Answers& one : report.answers) answers.push_back(json_of(one));
  for (std::size_t i = 0; i < report.census.heads.size(); ++i) heads.push_back(head_json(report, i));
  for (const Continuation& made : report.continuations)
    continuations.push_back({{"beginning", made.beginning}, {"greedy", made.greedy}, {"sampled", made.sampled}});
  const ordered_json out = {{"file", file},
                            {"n_parameters", n_parameters(c)},
                            {"n_layers", c.n_layers},
                            {"n_heads", c.n_heads},
                            {"d_model", c.d_model},
                            {"n_positions", c.n_positions},
                            {"d_vocab", c.d_vocab},
                            {"cases_each", report.cases_each},
                            {"seed", report.seed},
                            {"aims", aims},
                            {"answers", answers},
                            {"heads", heads},
                            {"country_lens", json_of(report.country)},
                            {"book", list_of(report.book)},
                            {"continuations", continuations}};
  // Single tokens may be parts of characters, so what a model says need not be UTF-8.
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace lookback::language
