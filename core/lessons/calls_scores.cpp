// spread, ratio: JSON to JSON.
#include "core/lessons/calls.hpp"
#include "core/lessons/limits.hpp"
#include "core/lessons/ratio.hpp"
#include "core/lessons/spread.hpp"

namespace lookback::lessons {

namespace {

constexpr Range scores{-limits::score, limits::score};

Out to_json(const SpreadScores& s, const std::vector<float>& shares) {
  const auto first = std::span(s.scores).first(shares.size());
  return {{"mean", number(s.mean)}, {"spread", number(s.spread)}, {"top_share", number(s.top_share)},
          {"counts", s.counts},     {"row", numbers(first)},      {"shares", numbers(shares)}};
}

}  // namespace

Result<Out> call_spread(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"d", "seed"}, problem);
  const SpreadInput given{static_cast<std::size_t>(fields.whole("d", 1, limits::spread_d)),
                          fields.whole("seed", 0, limits::seed, 1)};
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  const Result<SpreadOutput> found = spread(given);
  if (!found) return found.error();

  Out out;
  out["d"] = given.d;
  out["seed"] = given.seed;
  out["rows"] = spread_rows;
  out["keys"] = spread_keys;
  out["root"] = number(found->root);
  out["low"] = number(spread_low);
  out["width"] = number(spread_width);
  out["raw"] = to_json(found->raw, found->shares);
  out["divided"] = to_json(found->divided, found->divided_shares);
  out["lengths"] = Out::array();
  for (const SpreadRow& row : found->lengths) {
    out["lengths"].push_back({{"d", row.d},
                              {"root", number(row.root)},
                              {"spread", number(row.spread)},
                              {"top_share", number(row.top_share)},
                              {"divided_spread", number(row.divided_spread)},
                              {"divided_top_share", number(row.divided_top_share)}});
  }
  return out;
}

Result<Out> call_ratio(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"first", "second", "others"}, problem);
  RatioInput given{fields.number("first", scores), fields.number("second", scores), {}};
  if (fields.has("others")) given.others = fields.numbers("others", 0, limits::scores - 2, scores);
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  const Result<RatioOutput> found = ratio(given);
  if (!found) return found.error();

  Out out;
  out["lead"] = number(found->lead);
  out["e_lead"] = number(found->e_lead);
  out["shares"] = numbers(found->shares);
  out["percents1"] = Out::array();
  for (const int tenths : found->per_mille) out["percents1"].push_back(number(static_cast<float>(tenths) / 10.0f));
  out["rest"] = number(found->rest);
  out["measured"] = number(found->measured);
  out["of_two"] = numbers(found->of_two);
  return out;
}

}  // namespace lookback::lessons
