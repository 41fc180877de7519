// Bytes of a checkpoint into their place in memory: widened to float, then laid where the model reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/checkpoint/safetensors.hpp"
#include "core/checkpoint/tensor_table.hpp"

namespace lookback {

// Values that no trained weight should have. They are kept as they are, and counted.
struct NotFinite {
  std::uint64_t nans = 0;
  std::uint64_t infinities = 0;
  std::uint64_t too_large = 0;  // finite in the file, beyond what f16 holds, so infinite in memory
};

// Numbers of an int8 matrix that wait for the rest of their column, whose scale needs it whole. A table's column is one
// row of the file and waits alone; a Conv1D matrix waits as a whole.
struct Waiting {
  struct Numbers {
    std::vector<float> values;
    std::size_t came = 0;
  };
  std::map<std::size_t, Numbers> columns;  // of a table, by token
  std::optional<PackedMatrix> matrix;      // of a Conv1D matrix, f32
  std::uint64_t came = 0;                  // numbers of it
};

// Writes whole elements, number `first` and the following of the tensor in row-major order, to the slot's memory, which
// must have its full size. `bytes`: a multiple of bytes_of(dtype) long, at any alignment; dtype is f32, f16 or bf16.
// Each element may be written once only. Returns how many of the elements are NaN or infinite, or become so. Throws std::bad_alloc.
NotFinite pack_elements(const Slot& slot, Dtype dtype, std::uint64_t first, std::span<const std::byte> bytes,
                        Waiting& waiting);

// Bytes that `waiting` takes at most for this slot, when its bytes come in order.
std::uint64_t waiting_bytes(const Slot& slot, Precision precision);

}  // namespace lookback
