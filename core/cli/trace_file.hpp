// A trace into a file (core/lens/saved_trace.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/model/trace.hpp"
#include "core/model/weights.hpp"
#include "core/numerics/pool.hpp"
#include "core/result.hpp"

namespace lookback {

// Written beside the file and renamed, so that a kill leaves no half. The file's size in bytes; error bad_argument where it
// cannot be written.
Result<std::uint64_t> write_trace(const std::string& path, const Weights& weights, const Trace& trace, std::string_view text,
                                  bool grids, Pool& pool);

}  // namespace lookback
