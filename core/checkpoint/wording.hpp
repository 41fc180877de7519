// How sentences about checkpoints name shapes, sizes and storages. What a file says is quoted by in_quotes (core/text/display.hpp): file
// contents are hostile until proven otherwise.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/numerics/packed_matrix.hpp"
#include "core/result.hpp"
#include "core/text/display.hpp"

namespace lookback {

// [3, 48]
std::string shape_text(std::span<const std::uint64_t> shape);

// 999 bytes, 12.3 MB, 3.10 GB; a megabyte has 1,000,000 bytes.
std::string bytes_text(std::uint64_t bytes);

// f32, f16, int8; and back. Error bad_argument.
std::string_view name_of(Precision precision);
Result<Precision> parse_precision(std::string_view name);

}  // namespace lookback
