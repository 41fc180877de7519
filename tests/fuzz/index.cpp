// model.safetensors.index.json.
#include <algorithm>

#include "core/checkpoint/shard_index.hpp"
#include "tests/fuzz/property.hpp"

using namespace lookback;
using namespace lookback::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<ShardIndex> index = parse_shard_index(as_text(data, size));
  if (refused(index)) return 0;
  hold(!index->files.empty() && index->files.size() <= most_shards, "there are files, not too many");
  for (const std::string& file : index->files) {
    hold(file.size() > 12 && file.ends_with(".safetensors"), "a file is named *.safetensors", file);
    hold(file.find_first_of("/\\:") == std::string::npos && file[0] != '.' && file.find("..") == std::string::npos,
         "a file lies beside the index", file);
    hold(std::none_of(file.begin(), file.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }),
         "a file's name has no control character", file);
  }
  hold(std::adjacent_find(index->files.begin(), index->files.end(), std::greater_equal<>()) == index->files.end(),
       "files are sorted, each once");

  std::vector<Header> headers(index->files.size());
  for (const auto& [tensor, file] : index->file_of) {
    hold(file < headers.size(), "a tensor lies in one of the files", tensor);
    headers[file].tensors.push_back({.name = tensor, .dtype = Dtype::f32, .shape = {}, .begin = 0, .end = 0});
  }
  hold(std::none_of(headers.begin(), headers.end(), [](const Header& h) { return h.tensors.empty(); }),
       "every file holds a tensor");
  hold(bool(check_shards(*index, headers)), "files as the index says are taken");
  const auto hold_refused = [&] {
    const Result<> checked = check_shards(*index, headers);
    hold(!checked, "files other than the index says are refused");
    hold_refusal(checked.error());
  };
  const TensorEntry moved = headers.front().tensors.back();
  headers.front().tensors.pop_back();
  hold_refused();
  headers.back().tensors.push_back(moved);
  if (headers.size() > 1) hold_refused();
  headers.pop_back();
  hold_refused();
  return 0;
}
