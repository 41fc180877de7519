#include "core/lessons/rotary.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "core/lessons/elementary.hpp"
#include "core/lessons/limits.hpp"
#include "core/numerics/functions.hpp"

namespace lookback::lessons {

namespace {

constexpr double turn = 6.28318530717958647693;

std::vector<double> thetas(double base, std::size_t d) {
  std::vector<double> angles;
  for (std::size_t j = 0; j < d / 2; ++j) angles.push_back(power(base, -2.0 * static_cast<double>(j) / static_cast<double>(d)));
  return angles;
}

// Counterclockwise.
Eigen::Array2f turned(const float* pair, double angle) {
  const auto c = static_cast<float>(cosine(angle)), s = static_cast<float>(sine(angle));
  return {pair[0] * c - pair[1] * s, pair[0] * s + pair[1] * c};
}

// The two lists turned by their places, as pairs; place 0 leaves a list as it is.
std::vector<RotaryPair> turn_pairs(const RotaryInput& input, std::int64_t m, std::int64_t n, std::span<const double> angles) {
  std::vector<RotaryPair> pairs;
  for (std::size_t j = 0; j < angles.size(); ++j) {
    const double q_angle = static_cast<double>(m) * angles[j], k_angle = static_cast<double>(n) * angles[j];
    RotaryPair pair;
    pair.theta = static_cast<float>(angles[j]);
    pair.wavelength = static_cast<float>(turn / angles[j]);
    pair.q_turns = static_cast<float>(q_angle / turn);
    pair.k_turns = static_cast<float>(k_angle / turn);
    pair.q_turned = turned(&input.q[2 * j], q_angle);
    pair.k_turned = turned(&input.k[2 * j], k_angle);
    pair.product = pair.q_turned[0] * pair.k_turned[0] + pair.q_turned[1] * pair.k_turned[1];
    pairs.push_back(pair);
  }
  return pairs;
}

float sum_of(std::span<const RotaryPair> pairs) {
  float sum = 0;
  for (const RotaryPair& pair : pairs) sum += pair.product;
  return sum;
}

bool within(std::span<const float> numbers, float low, float high) {
  return std::all_of(numbers.begin(), numbers.end(), [&](float x) { return x >= low && x <= high; });
}

Result<> check(const RotaryInput& input) {
  const auto wrong = [](std::string sentence) { return fail(ErrorCode::bad_argument, std::move(sentence)); };
  const auto is_place = [](std::int64_t place) { return place >= 0 && place <= limits::place; };
  const std::size_t d = input.q.size();
  if (d != input.k.size()) return wrong("The query and the key must hold equally many numbers.");
  if (d < 2 || d > limits::rotary_d || d % 2 != 0)
    return wrong("The query and the key turn pair by pair, so each must hold an even count of numbers, 2 to " +
                 std::to_string(limits::rotary_d) + ".");
  if (!within(input.q, -limits::coordinate, limits::coordinate) || !within(input.k, -limits::coordinate, limits::coordinate))
    return wrong("The numbers of a query or key must lie from -1000 to 1000.");
  if (!is_place(input.m) || !is_place(input.n) || !std::all_of(input.shifts.begin(), input.shifts.end(), is_place))
    return wrong("A place must be a whole number from 0 to " + std::to_string(limits::place) + ".");
  if (!within({&input.base, 1}, 1, limits::rotary_base) || !within(input.bases, 1, limits::rotary_base))
    return wrong("A base must be a number from 1 to 1000000000.");
  return Nothing{};
}

}  // namespace

Result<RotaryOutput> rotary(const RotaryInput& input) {
  if (const Result<> checked = check(input); !checked) return checked.error();
  const std::size_t d = input.q.size();
  const std::vector<double> angles = thetas(input.base, d);
  const auto score_at = [&](std::int64_t m, std::int64_t n) { return sum_of(turn_pairs(input, m, n, angles)); };

  RotaryOutput output;
  output.pairs = turn_pairs(input, input.m, input.n, angles);
  output.score = sum_of(output.pairs);
  output.unturned = score_at(0, 0);
  output.at_distance = score_at(input.m - input.n, 0);
  float low = std::min(output.score, output.at_distance), high = std::max(output.score, output.at_distance);
  for (const std::int64_t shift : input.shifts) {
    const RotaryScore there{input.m + shift, input.n + shift, score_at(input.m + shift, input.n + shift)};
    low = std::min(low, there.score);
    high = std::max(high, there.score);
    output.elsewhere.push_back(there);
  }
  output.most_apart = high - low;
  for (const float base : input.bases) {
    std::vector<float> wavelengths;
    for (const double theta : thetas(base, d)) wavelengths.push_back(static_cast<float>(turn / theta));
    output.compared.push_back(std::move(wavelengths));
  }
  return output;
}

}  // namespace lookback::lessons
