// rotary: JSON to JSON.
#include "core/lessons/calls.hpp"
#include "core/lessons/limits.hpp"
#include "core/lessons/rotary.hpp"

namespace lookback::lessons {

namespace {

constexpr Range coordinates{-limits::coordinate, limits::coordinate};
constexpr Range bases{1, limits::rotary_base};

Out to_json(const RotaryPair& pair) {
  return object("theta", pair.theta, "wavelength", pair.wavelength, "q_turns", pair.q_turns, "k_turns", pair.k_turns,
                "q_turned", pair.q_turned, "k_turned", pair.k_turned, "product", pair.product);
}

std::int64_t place(const Fields& fields, std::string_view key) {
  return static_cast<std::int64_t>(fields.whole(key, 0, limits::place));
}

}  // namespace

Result<Out> call_rotary(const Json& input) {
  Problem problem;
  const Fields fields(input, "", {"q", "k", "m", "n", "base", "bases", "shifts"}, problem);
  RotaryInput given{fields.numbers("q", 2, limits::rotary_d, coordinates),
                    fields.numbers("k", 2, limits::rotary_d, coordinates), place(fields, "m"), place(fields, "n"),
                    fields.number("base", bases, 10000.0f)};
  if (fields.has("bases")) given.bases = fields.numbers("bases", 1, limits::rotary_bases, bases);
  if (fields.has("shifts"))
    for (const std::uint64_t shift : fields.wholes("shifts", 1, limits::rotary_shifts, 0, limits::place))
      given.shifts.push_back(static_cast<std::int64_t>(shift));
  if (problem.sentence) return fail(ErrorCode::bad_argument, *problem.sentence);
  const Result<RotaryOutput> found = rotary(given);
  if (!found) return found.error();

  Out out;
  put(out, "d", given.q.size());
  put(out, "q", given.q);
  put(out, "k", given.k);
  put(out, "m", given.m);
  put(out, "n", given.n);
  put(out, "distance", given.m - given.n);
  put(out, "base", given.base);
  put(out, "pairs", Out::array());
  for (const RotaryPair& pair : found->pairs) out["pairs"].push_back(to_json(pair));
  put(out, "score", found->score);
  put(out, "unturned", found->unturned);
  put(out, "at_distance", found->at_distance);
  put(out, "elsewhere", Out::array());
  for (const RotaryScore& there : found->elsewhere)
    out["elsewhere"].push_back(object("m", there.m, "n", there.n, "score", there.score));
  put(out, "most_apart", found->most_apart);
  put(out, "compared", Out::array());
  for (std::size_t i = 0; i < given.bases.size(); ++i)
    out["compared"].push_back(object("base", given.bases[i], "wavelengths", found->compared[i]));
  return out;
}

}  // namespace lookback::lessons
