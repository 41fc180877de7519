// The JSON of a safetensors header, read token by token: its grammar is checked here, its numbers in safetensors.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace lookback {

// One tensor as the header spells it; a field is empty when the entry lacks it.
struct RawEntry {
  std::string name;
  std::optional<std::string> dtype;
  std::optional<std::vector<std::uint64_t>> shape;
  std::optional<std::vector<std::uint64_t>> offsets;  // data_offsets
};

struct RawHeader {
  std::vector<RawEntry> entries;  // in the order of the JSON text
  std::vector<std::pair<std::string, std::string>> metadata;
};

// Refuses (bad_file): text that is not one JSON object in UTF-8; a key given twice, at any level; values of any other
// type than the format's; numbers that are not whole, not from 0 or not within 64 bits; unknown fields of an entry; NUL
// in a name; more tensors, dimensions or letters in a name than the limits in safetensors.hpp. Memory stays within a
// constant times the text, and nothing recurses. Throws only std::bad_alloc.
Result<RawHeader> read_header_json(std::string_view text);

}  // namespace lookback
