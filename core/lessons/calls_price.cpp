// cost, price: JSON to JSON.
#include "core/lessons/calls.hpp"
#include "core/lessons/limits.hpp"
#include "core/lessons/price.hpp"

namespace lookback::lessons {

namespace {

Out to_json(const CostRow& row) {
  return {
      {"tokens", row.tokens}, {"looks", row.looks}, {"looks_in_all", row.looks_in_all}, {"times", number(row.times)}};
}

}  // namespace

Result<Out> call_cost(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"tokens", "added", "layers", "heads"}, problem);
  const CostInput given{fields.whole("tokens", 1, limits::counted_tokens),
                        fields.whole("added", 0, limits::counted_tokens, 0),
                        fields.whole("layers", 1, limits::layers, 1), fields.whole("heads", 1, limits::heads, 1)};
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  const Result<CostOutput> found = cost(given);
  if (!found) return found.error();

  Out out;
  out["layers"] = given.layers;
  out["heads"] = given.heads;
  out["heads_in_all"] = found->heads_in_all;
  out["added"] = given.added;
  out["before"] = to_json(found->before);
  out["after"] = to_json(found->after);
  out["across"] = found->across;
  out["among"] = found->among;
  out["anew"] = found->anew;
  out["doublings"] = Out::array();
  for (const CostRow& row : found->doublings) out["doublings"].push_back(to_json(row));
  return out;
}

Result<Out> call_price(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"layers", "heads", "d_model", "d_mlp", "tokens", "milliseconds"}, problem);
  PriceInput given{fields.whole("layers", 1, limits::layers),
                   fields.whole("heads", 1, limits::heads),
                   fields.whole("d_model", 1, limits::width),
                   fields.whole("d_mlp", 1, limits::width),
                   fields.wholes("tokens", 1, limits::lengths, 1, limits::counted_tokens),
                   {}};
  if (fields.has("milliseconds")) {
    given.milliseconds = fields.numbers("milliseconds", given.tokens.size(), given.tokens.size(), {1e-6f, 1e9f});
  }
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  const Result<PriceOutput> found = price(given);
  if (!found) return found.error();

  Out out;
  out["speed"] = number(found->speed);
  out["rows"] = Out::array();
  for (const PriceRow& row : found->rows) {
    Out item = to_json(row.looks);
    item.erase("times");
    item["for_looks"] = row.for_looks;
    item["for_tables"] = row.for_tables;
    item["looks_part"] = number(row.looks_part);
    item["for_last_token"] = row.for_last_token;
    item["cache_bytes"] = row.cache_bytes;
    item["grid_bytes"] = row.grid_bytes;
    item["expected_milliseconds"] = number(row.expected_milliseconds);
    out["rows"].push_back(std::move(item));
  }
  return out;
}

}  // namespace lookback::lessons
