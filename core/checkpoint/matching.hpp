// Fits the tensors of a checkpoint's files to the places that a model has for them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/checkpoint/safetensors.hpp"
#include "core/checkpoint/tensor_table.hpp"
#include "core/model/config.hpp"
#include "core/result.hpp"

namespace lookback {

// One tensor of a file.
struct TensorPlan {
  std::size_t file = 0;     // number of its file, from 0
  std::string name;         // as the file spells it
  std::uint64_t begin = 0;  // bytes from the start of the file
  std::uint64_t end = 0;
  bool skipped = false;  // a mask buffer: its bytes need not be fetched, and are dropped when they come
  // What follows is of no meaning for a skipped tensor.
  Dtype dtype = Dtype::f32;
  std::size_t slot = 0;  // number of its place
  Part part = Part::wte;
  int layer = -1;
  std::uint64_t row_bytes = 0;  // of wte, wpe and lm_head: bytes of one row; of the others 0

  std::uint64_t size() const { return end - begin; }
};

// Whether a file holds lm_head.weight.
bool has_head(std::span<const Header> headers);

// All tensors of all files, file by file, as they lie in them. Names may have the prefix "transformer.", all (but
// lm_head.weight) or none. Errors: missing_tensor for a tensor that is missing, unknown, in two files or of another
// shape; bad_file for a dtype other than F32, F16 and BF16. Each names the tensor.
Result<std::vector<TensorPlan>> match(std::span<const Header> headers, std::span<const Slot> slots, const Config& config);

}  // namespace lookback
