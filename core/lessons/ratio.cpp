#include "core/lessons/ratio.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/lessons/limits.hpp"
#include "core/lessons/shares.hpp"
#include "core/numerics/functions.hpp"
#include "core/numerics/softmax.hpp"

namespace lookback::lessons {

Result<RatioOutput> ratio(const RatioInput& input) {
  std::vector<float> row = {input.first, input.second};
  row.insert(row.end(), input.others.begin(), input.others.end());
  if (row.size() > limits::scores) return fail(ErrorCode::bad_argument, "A row takes at most 256 scores.");
  if (!std::all_of(row.begin(), row.end(), [](float s) { return std::fabs(s) <= limits::score; })) {
    return fail(ErrorCode::bad_argument, "A score must be a number from -1000 to 1000.");
  }
  RatioOutput output;
  output.lead = input.first - input.second;
  const float e_lead = lookback::exp(output.lead);
  if (std::isfinite(e_lead)) output.e_lead = e_lead;

  softmax(row);
  output.per_mille = apportion(row, 1000);
  for (const float share : std::span(row).subspan(2)) output.rest += share;
  const float measured = row[0] / row[1];
  if (row[0] > 0 && row[1] > 0 && std::isfinite(measured)) output.measured = measured;
  output.shares = std::move(row);

  std::vector<float> pair = {input.first, input.second};
  softmax(pair);
  output.of_two = std::move(pair);
  return output;
}

}  // namespace lookback::lessons
