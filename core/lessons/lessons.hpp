// The toy worlds behind the book's figures, by name: JSON text in, JSON text out, the same natively and in the page.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"

namespace lookback {

// The names are those of the table in lessons.cpp. Inputs and outputs are described in web/engine/lessons.ts and the files
// beside it. Fails with one sentence on an unknown name, or on input that is not as described;
// throws only where memory is refused.
Result<std::string> lesson(std::string_view name, std::string_view input_json);

}  // namespace lookback
