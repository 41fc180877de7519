// cost, price: JSON to JSON.
#include "core/lessons/calls.hpp"
#include "core/lessons/limits.hpp"
#include "core/lessons/price.hpp"

namespace lookback::lessons {

namespace {

Out to_json(const CostRow& row) {
  return object("tokens", row.tokens, "looks", row.looks, "looks_in_all", row.looks_in_all, "times", row.times);
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
  put(out, "layers", given.layers);
  put(out, "heads", given.heads);
  put(out, "heads_in_all", found->heads_in_all);
  put(out, "added", given.added);
  put(out, "before", to_json(found->before));
  put(out, "after", to_json(found->after));
  put(out, "across", found->across);
  put(out, "among", found->among);
  put(out, "anew", found->anew);
  put(out, "doublings", Out::array());
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
  put(out, "speed", found->speed);
  put(out, "rows", Out::array());
  for (const PriceRow& row : found->rows) {
    Out item = to_json(row.looks);
    item.erase("times");
    put(item, "for_looks", row.for_looks);
    put(item, "for_tables", row.for_tables);
    put(item, "looks_part", row.looks_part);
    put(item, "for_last_token", row.for_last_token);
    put(item, "cache_bytes", row.cache_bytes);
    put(item, "grid_bytes", row.grid_bytes);
    put(item, "expected_milliseconds", row.expected_milliseconds);
    out["rows"].push_back(std::move(item));
  }
  return out;
}

}  // namespace lookback::lessons
