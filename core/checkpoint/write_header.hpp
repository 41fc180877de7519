// The beginning of a safetensors file that is written: what safetensors.hpp reads.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/checkpoint/safetensors.hpp"

namespace lookback {

// A tensor to come. Its bytes are laid down in the order of the list, without gaps.
struct ListedTensor {
  std::string name;
  std::vector<std::uint64_t> shape;
};

// 8 bytes of length and the JSON, filled up so that the data begins at a multiple of 8. Text that is no UTF-8 is replaced.
std::string write_header(Dtype dtype, const std::vector<ListedTensor>& tensors,
                         const std::vector<std::pair<std::string, std::string>>& metadata);

// Bytes of the data that the header speaks of.
std::uint64_t data_bytes(Dtype dtype, const std::vector<ListedTensor>& tensors);

}  // namespace lookback
