// One number that stands for all bits of a trace: equal on every machine, browser and thread count (invariant 1).
#pragma once

#include <string>

#include "core/model/trace.hpp"

namespace lookback {

// FNV-1a, 64 bits, over the ids and the bits of every float in the trace, as 16 hexadecimal digits.
std::string fingerprint(const Trace& trace);

}  // namespace lookback
