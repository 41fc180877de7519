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
  return object("mean", s.mean, "spread", s.spread, "top_share", s.top_share, "counts", s.counts, "row", first,
                "shares", shares);
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
  put(out, "d", given.d);
  put(out, "seed", given.seed);
  put(out, "rows", spread_rows);
  put(out, "keys", spread_keys);
  put(out, "root", found->root);
  put(out, "low", spread_low);
  put(out, "width", spread_width);
  put(out, "raw", to_json(found->raw, found->shares));
  put(out, "divided", to_json(found->divided, found->divided_shares));
  put(out, "lengths", Out::array());
  for (const SpreadRow& row : found->lengths) {
    out["lengths"].push_back(object("d", row.d, "root", row.root, "spread", row.spread, "top_share", row.top_share,
                                    "divided_spread", row.divided_spread, "divided_top_share", row.divided_top_share));
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
  put(out, "lead", found->lead);
  put(out, "e_lead", found->e_lead);
  put(out, "shares", found->shares);
  put(out, "percents1", Out::array());
  for (const int tenths : found->per_mille) out["percents1"].push_back(number(static_cast<float>(tenths) / 10.0f));
  put(out, "rest", found->rest);
  put(out, "measured", found->measured);
  put(out, "of_two", found->of_two);
  return out;
}

}  // namespace lookback::lessons
