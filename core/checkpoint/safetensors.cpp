#include "core/checkpoint/safetensors.hpp"

#include <algorithm>
#include <exception>
#include <optional>

#include "core/checkpoint/foreign_files.hpp"
#include "core/checkpoint/header_json.hpp"
#include "core/checkpoint/wording.hpp"

namespace lookback {
namespace {

struct DtypeRow {
  Dtype dtype;
  std::string_view name;
  std::size_t bytes;
};

// In the order of the enumeration.
constexpr DtypeRow dtypes[] = {
    {Dtype::boolean, "BOOL", 1},    {Dtype::u8, "U8", 1},   {Dtype::i8, "I8", 1},   {Dtype::f8_e4m3, "F8_E4M3", 1},
    {Dtype::f8_e5m2, "F8_E5M2", 1}, {Dtype::u16, "U16", 2}, {Dtype::i16, "I16", 2}, {Dtype::f16, "F16", 2},
    {Dtype::bf16, "BF16", 2},       {Dtype::u32, "U32", 4}, {Dtype::i32, "I32", 4}, {Dtype::f32, "F32", 4},
    {Dtype::u64, "U64", 8},         {Dtype::i64, "I64", 8}, {Dtype::f64, "F64", 8},
};

Error refuse(std::string sentence) { return fail(ErrorCode::bad_file, std::move(sentence)); }

// a * b, or nothing when that does not fit 64 bits.
std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a) return std::nullopt;
  return a * b;
}

// Bytes of a tensor, or nothing on overflow. Sizes of 0 do not hide an overflow of the others.
std::optional<std::uint64_t> byte_count(std::span<const std::uint64_t> shape, std::size_t element_bytes) {
  std::optional<std::uint64_t> count = element_bytes;
  bool empty = false;
  for (const std::uint64_t size : shape) {
    if (size == 0) {
      empty = true;
    } else if (count = product(*count, size); !count) {
      return std::nullopt;
    }
  }
  return empty ? 0 : count;
}

Result<TensorEntry> check_entry(RawEntry&& raw, std::uint64_t address_limit) {
  const std::string tensor = "The tensor " + in_quotes(raw.name);
  if (!raw.dtype) return refuse(tensor + " has no dtype in the safetensors header.");
  if (!raw.shape) return refuse(tensor + " has no shape in the safetensors header.");
  if (!raw.offsets) return refuse(tensor + " has no data_offsets in the safetensors header.");
  const auto row =
      std::find_if(std::begin(dtypes), std::end(dtypes), [&](const DtypeRow& d) { return d.name == *raw.dtype; });
  if (row == std::end(dtypes)) return refuse(tensor + " has the unknown dtype " + in_quotes(*raw.dtype) + ".");
  if (raw.offsets->size() != 2) {
    return refuse(tensor + " has data_offsets of length " + std::to_string(raw.offsets->size()) +
                  "; expected [begin, end].");
  }
  const std::uint64_t begin = (*raw.offsets)[0], end = (*raw.offsets)[1];
  const std::optional<std::uint64_t> bytes = byte_count(*raw.shape, row->bytes);
  if (!bytes || *bytes > address_limit) {
    return refuse(tensor + " of shape " + shape_text(*raw.shape) + " has more bytes than this program can address.");
  }
  if (end < begin) {
    return refuse(tensor + " ends at byte " + std::to_string(end) + ", before it begins at " + std::to_string(begin) +
                  ".");
  }
  if (end - begin != *bytes) {
    return refuse(tensor + " takes " + std::to_string(end - begin) + " bytes of the file; expected " +
                  std::to_string(*bytes) + " for " + std::string(row->name) + " of shape " + shape_text(*raw.shape) +
                  ".");
  }
  return TensorEntry{std::move(raw.name), row->dtype, std::move(*raw.shape), begin, end};
}

// Sorted by offset, each tensor begins where the one before ended, the first at 0, and the last ends with the data.
Result<> check_layout(std::span<const TensorEntry> sorted, std::uint64_t data_size) {
  std::uint64_t reached = 0;
  for (const TensorEntry& entry : sorted) {
    if (entry.begin != reached) {
      return refuse("The tensor " + in_quotes(entry.name) + " begins at byte " + std::to_string(entry.begin) +
                    " of the data; expected " + std::to_string(reached) + ", without " +
                    (entry.begin < reached ? "overlaps." : "holes."));
    }
    reached = entry.end;
  }
  if (reached > data_size) {
    return refuse("The file is cut short: its header lists " + std::to_string(reached) + " bytes of data, " +
                  std::to_string(data_size) + " are there.");
  }
  if (reached < data_size) {
    return refuse("The file is too long: its header lists " + std::to_string(reached) + " bytes of data, " +
                  std::to_string(data_size) + " are there.");
  }
  return Nothing{};
}

}  // namespace

std::string_view name_of(Dtype dtype) { return dtypes[static_cast<std::size_t>(dtype)].name; }

std::size_t bytes_of(Dtype dtype) { return dtypes[static_cast<std::size_t>(dtype)].bytes; }

Result<std::uint64_t> header_length(std::span<const std::byte> beginning, std::uint64_t file_size) {
  const auto not_safetensors = [&](const std::string& otherwise) {
    const std::string kind = name_foreign_file(beginning);
    return refuse(kind.empty() ? otherwise : "This is " + kind + "; expected a safetensors file.");
  };
  if (file_size < 8 || beginning.size() < 8) {
    return not_safetensors("The file has " + std::to_string(file_size) +
                           " bytes; a safetensors file begins with 8 bytes that say how long its header is.");
  }
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < 8; ++i) length |= std::to_integer<std::uint64_t>(beginning[i]) << (8 * i);
  if (length > longest_header) {
    return not_safetensors("This is not a safetensors file: its first 8 bytes would mean a header of " +
                           std::to_string(length) + " bytes; expected at most " + std::to_string(longest_header) + ".");
  }
  if (length > file_size - 8) {
    return not_safetensors("The file has " + std::to_string(file_size) +
                           " bytes, fewer than its safetensors header, which should have " + std::to_string(length) +
                           "; it was cut short.");
  }
  return length;
}

Result<Header> parse_header(std::string_view header_json, std::uint64_t file_size, std::uint64_t address_limit) try {
  if (file_size < 8 || header_json.size() > file_size - 8) {
    return refuse("The safetensors header has " + std::to_string(header_json.size()) + " bytes, more than the file.");
  }
  Result<RawHeader> raw = read_header_json(header_json);
  if (!raw) return raw.error();

  Header header;
  header.data_start = 8 + header_json.size();
  header.metadata = std::move(raw->metadata);
  header.tensors.reserve(raw->entries.size());
  for (RawEntry& entry : raw->entries) {
    Result<TensorEntry> checked = check_entry(std::move(entry), address_limit);
    if (!checked) return checked.error();
    header.tensors.push_back(std::move(*checked));
  }
  // By end as well: an empty tensor comes before the one that begins at the same place.
  std::stable_sort(header.tensors.begin(), header.tensors.end(), [](const TensorEntry& a, const TensorEntry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  const Result<> layout = check_layout(header.tensors, file_size - header.data_start);
  if (!layout) return layout.error();
  return header;
} catch (...) {
  return fail(ErrorCode::out_of_memory, "There is not enough memory to read the safetensors header.");
}

}  // namespace lookback
