// model.safetensors.index.json: which file of a sharded checkpoint holds which tensor, as the hub lays it out.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/checkpoint/safetensors.hpp"
#include "core/result.hpp"

namespace lookback {

inline constexpr std::size_t longest_index = 16 << 20;  // bytes
inline constexpr std::size_t most_shards = 1000;

struct ShardIndex {
  std::vector<std::string> files;           // names without a folder, each once, sorted
  std::map<std::string, std::size_t> file_of;  // by the tensor's name: number of its file
};

// Reads {"metadata": …, "weight_map": {tensor: file, …}}; other keys are passed over. Refused (bad_file): text that is
// not one JSON object in UTF-8; a key given twice in weight_map or beside it; no weight_map, an empty one, or one that
// maps to anything but names ending in ".safetensors"; names with a slash, a backslash, a colon, a control character, a
// dot first or two dots in a row; more files, tensors or letters than the limits here and in safetensors.hpp.
Result<ShardIndex> parse_shard_index(std::string_view json);

// Whether the files hold just the tensors that the index says. `headers`: in the order of index.files. Error bad_file
// names the tensor and the file.
Result<> check_shards(const ShardIndex& index, std::span<const Header> headers);

}  // namespace lookback
