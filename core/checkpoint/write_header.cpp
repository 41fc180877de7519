#include "core/checkpoint/write_header.hpp"

#include <nlohmann/json.hpp>

namespace lookback {
namespace {

std::uint64_t bytes_in(Dtype dtype, const ListedTensor& tensor) {
  std::uint64_t bytes = bytes_of(dtype);
  for (const std::uint64_t side : tensor.shape) bytes *= side;
  return bytes;
}

}  // namespace

std::string write_header(Dtype dtype, const std::vector<ListedTensor>& tensors,
                         const std::vector<std::pair<std::string, std::string>>& metadata) {
  using Json = nlohmann::ordered_json;
  Json header = Json::object(), said = Json::object();
  for (const auto& [key, value] : metadata) said[key] = value;
  header["__metadata__"] = said;
  std::uint64_t offset = 0;
  for (const ListedTensor& tensor : tensors) {
    const std::uint64_t end = offset + bytes_in(dtype, tensor);
    header[tensor.name] = {{"dtype", name_of(dtype)}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string json = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  json.resize((json.size() + 7) / 8 * 8, ' ');
  std::string out;
  for (std::size_t i = 0; i < 8; ++i) out += static_cast<char>(static_cast<std::uint64_t>(json.size()) >> (8 * i) & 0xff);
  return out + json;
}

std::uint64_t data_bytes(Dtype dtype, const std::vector<ListedTensor>& tensors) {
  std::uint64_t all = 0;
  for (const ListedTensor& tensor : tensors) all += bytes_in(dtype, tensor);
  return all;
}

}  // namespace lookback
