// Reads the header of a safetensors file: 8 bytes little-endian length, that many bytes of JSON, then the data.
//
// Format: https://github.com/huggingface/safetensors. The reader is stricter than the reference reader: whatever could
// make two readers see different tensors in one file is refused. What it accepts holds these promises: the tensors lie
// end to end and fill the file's data, and each one's bytes are its shape times the size of its dtype.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace lookback {

enum class Dtype { boolean, u8, i8, f8_e4m3, f8_e5m2, u16, i16, f16, bf16, u32, i32, f32, u64, i64, f64 };

std::string_view name_of(Dtype dtype);  // as the file spells it: F32
std::size_t bytes_of(Dtype dtype);      // of one element

struct TensorEntry {
  std::string name;
  Dtype dtype = Dtype::f32;
  std::vector<std::uint64_t> shape;  // [] is a scalar
  std::uint64_t begin = 0;           // bytes from the start of the file's data
  std::uint64_t end = 0;
};

struct Header {
  std::uint64_t data_start = 0;      // where the data begins in the file, in bytes; any number, not only multiples of 8
  std::vector<TensorEntry> tensors;  // in the order in which they lie in the file
  std::vector<std::pair<std::string, std::string>> metadata;
};

inline constexpr std::uint64_t longest_header = 100'000'000;  // bytes, as in the reference reader
inline constexpr std::size_t most_tensors = 100'000;
inline constexpr std::size_t highest_rank = 16;
inline constexpr std::size_t longest_name = 1024;  // bytes
inline constexpr std::uint64_t address_space = std::numeric_limits<std::size_t>::max();

// The length of the header in bytes. `beginning` holds the file's first bytes, 8 or more (fewer only when the file is
// shorter). Error bad_file, which names what came instead where that can be told.
Result<std::uint64_t> header_length(std::span<const std::byte> beginning, std::uint64_t file_size);

// `header_json`: the bytes that follow the first 8, as many as header_length said. `file_size` is the whole file's.
// A tensor with more bytes than `address_limit` is refused. Error bad_file.
Result<Header> parse_header(std::string_view header_json, std::uint64_t file_size,
                            std::uint64_t address_limit = address_space);

}  // namespace lookback
