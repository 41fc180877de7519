// rotary: JSON to JSON.
#include "core/lessons/calls.hpp"
#include "core/lessons/limits.hpp"
#include "core/lessons/rotary.hpp"

namespace lookback::lessons {

namespace {

constexpr Range coordinates{-limits::coordinate, limits::coordinate};
constexpr Range bases{1, limits::rotary_base};

Out to_json(const RotaryPair& pair) {
  return {{"theta", number(pair.theta)},         {"wavelength", number(pair.wavelength)},
          {"q_turns", number(pair.q_turns)},     {"k_turns", number(pair.k_turns)},
          {"q_turned", numbers(pair.q_turned)},  {"k_turned", numbers(pair.k_turned)},
          {"product", number(pair.product)}};
}

std::int64_t place(const Fields& fields, std::string_view key) {
  return static_cast<std::int64_t>(fields.whole(key, 0, limits::place));
}

}  // namespace

Result<Out> call_rotary(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"q", "k", "m", "n", "base", "bases", "shifts"}, problem);
  RotaryInput given{fields.numbers("q", 2, limits::rotary_d, coordinates), fields.numbers("k", 2, limits::rotary_d, coordinates),
                    place(fields, "m"), place(fields, "n"), fields.number("base", bases, 10000.0f)};
  if (fields.has("bases")) given.bases = fields.numbers("bases", 1, limits::rotary_bases, bases);
  if (fields.has("shifts"))
    for (const std::uint64_t shift : fields.wholes("shifts", 1, limits::rotary_shifts, 0, limits::place))
      given.shifts.push_back(static_cast<std::int64_t>(shift));
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  const Result<RotaryOutput> found = rotary(given);
  if (!found) return found.error();

  Out out;
  out["d"] = given.q.size();
  out["q"] = numbers(given.q);
  out["k"] = numbers(given.k);
  out["m"] = given.m;
  out["n"] = given.n;
  out["distance"] = given.m - given.n;
  out["base"] = number(given.base);
  out["pairs"] = Out::array();
  for (const RotaryPair& pair : found->pairs) out["pairs"].push_back(to_json(pair));
  out["score"] = number(found->score);
  out["unturned"] = number(found->unturned);
  out["at_distance"] = number(found->at_distance);
  out["elsewhere"] = Out::array();
  for (const RotaryScore& there : found->elsewhere)
    out["elsewhere"].push_back({{"m", there.m}, {"n", there.n}, {"score", number(there.score)}});
  out["most_apart"] = number(found->most_apart);
  out["compared"] = Out::array();
  for (std::size_t i = 0; i < given.bases.size(); ++i)
    out["compared"].push_back({{"base", number(given.bases[i])}, {"wavelengths", numbers(found->compared[i])}});
  return out;
}

}  // namespace lookback::lessons
