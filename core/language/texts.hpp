// The little language: short English texts that a small model can learn, made by chance from a seed.
#pragma once

#include <cstdint>
#include <string>

namespace lookback::language {

// One text, a few sentences, without a final newline. The same number gives the same text on every machine.
std::string text(std::uint64_t number);

}  // namespace lookback::language
