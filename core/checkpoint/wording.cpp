#include "core/checkpoint/wording.hpp"

#include <cstdio>
#include <iterator>

namespace lookback {

std::string shape_text(std::span<const std::uint64_t> shape) {
  std::string out = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return out + "]";
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 100'000) return std::to_string(bytes) + " bytes";
  const bool giga = bytes >= 999'950'000;
  char digits[40];
  std::snprintf(digits, sizeof digits, giga ? "%.2f GB" : "%.1f MB", static_cast<double>(bytes) / (giga ? 1e9 : 1e6));
  return digits;
}

namespace {

constexpr std::string_view precision_names[] = {"f32", "f16", "int8"};  // in the order of the enumeration

}  // namespace

std::string_view name_of(Precision precision) { return precision_names[static_cast<std::size_t>(precision)]; }

Result<Precision> parse_precision(std::string_view name) {
  for (std::size_t i = 0; i < std::size(precision_names); ++i)
    if (precision_names[i] == name) return static_cast<Precision>(i);
  return fail(ErrorCode::bad_argument, "There is no precision " + in_quotes(name) + "; expected f32, f16 or int8.");
}

}  // namespace lookback
