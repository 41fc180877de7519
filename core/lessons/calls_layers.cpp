// gelu, parameters: JSON to JSON.
#include <algorithm>

#include "core/lessons/calls.hpp"
#include "core/lessons/limits.hpp"
#include "core/lessons/parameters.hpp"
#include "core/numerics/functions.hpp"

namespace lookback::lessons {

namespace {

constexpr std::string_view size_keys[] = {"layers", "width", "tokens", "places"};

std::uint64_t whole(const Fields& fields, std::string_view key, std::size_t most) {
  const std::size_t value = fields.index(key, most + 1);
  if (value == 0)
    fields.problem().add("“" + fields.name(key) + "” must be a whole number from 1 to " + std::to_string(most) + ".");
  return value;
}

// Sizes by a known name, or one by one.
Sizes sizes_of(const Fields& fields) {
  if (!fields.has("model")) {
    return {whole(fields, "layers", limits::layers), whole(fields, "width", limits::width),
            whole(fields, "tokens", limits::table_rows), whole(fields, "places", limits::table_rows)};
  }
  for (const std::string_view key : size_keys)
    if (fields.has(key)) fields.problem().add("“model” must stand without " + in_quotes(key) + ".");
  const std::string name = fields.text("model", limits::phrase_bytes);
  std::string names;
  for (const NamedSizes& known : known_models()) {
    if (known.name == name) return known.sizes;
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  }
  fields.problem().add("“model” must be one of " + names + ", not " + in_quotes(shortened(name)) + ".");
  return known_models()[0].sizes;
}

Out to_json(const Budget& budget) {
  Out parts = Out::array();
  for (const Part& part : budget.parts) {
    Out tables = Out::array();
    for (const Table& t : part.tables) {
      tables.push_back(
          object("what", t.what, "rows", t.rows, "columns", t.columns, "copies", t.copies, "weights", t.weights()));
    }
    parts.push_back(
        object("name", part.name, "weights", part.weights, "share", part.share, "tables", std::move(tables)));
  }
  const auto& [layers, width, tokens, places] = budget.sizes;
  Out out;
  put(out, "sizes", object("layers", layers, "width", width, "tokens", tokens, "places", places));
  put(out, "parts", std::move(parts));
  put(out, "weights", budget.weights);
  return out;
}

}  // namespace

Result<Out> call_gelu(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"x"}, problem);
  const std::vector<float> x = fields.numbers("x", 1, limits::scores, {-limits::score, limits::score});
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  std::vector<float> y = x;
  gelu(std::span<float>(y));
  Out out;
  put(out, "x", x);
  put(out, "y", y);
  return out;
}

Result<Out> call_parameters(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"model", "layers", "width", "tokens", "places"}, problem);
  const Sizes sizes = sizes_of(fields);
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  Out known;
  for (const NamedSizes& model : known_models()) known[std::string(model.name)] = to_json(budget_of(model.sizes));
  Out out;
  put(out, "asked", to_json(budget_of(sizes)));
  put(out, "known", std::move(known));
  return out;
}

}  // namespace lookback::lessons
