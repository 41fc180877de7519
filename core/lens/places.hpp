// What the position table says of places: how alike their rows are.
#pragma once

#include <cstddef>
#include <vector>

#include "core/model/weights.hpp"

namespace lookback {

// The cosine of the angle between the row of `place` and every row of the table, [n_positions]; 0 where a row has no
// length. Sums in double, in increasing column. `place` must be one of the table's.
std::vector<float> place_cosines(const Weights& weights, std::size_t place);

}  // namespace lookback
