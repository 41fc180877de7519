#include "core/checkpoint/write_header.hpp"

#include <nlohmann/json.hpp>

namespace lookback {
namespace {

std::uint64_t bytes_in(Dtype dtype, const ListedTensor& tensor) {
  std::uint64_t bytes = bytes_of(dtype);
  for (const std::uint64_t side : tensor.shape) bytes *= side;
  return bytes;
}

// As JSON; what is no UTF-8 is replaced.
std::string json_string(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string write_header(Dtype dtype, const std::vector<ListedTensor>& tensors,
                         const std::vector<std::pair<std::string, std::string>>& metadata) {
  // Put together by hand: the library's objects that keep their order would weigh 20 kB in the page's module.
  std::string json = "{\"__metadata__\":{";
  for (std::size_t i = 0; i < metadata.size(); ++i)
    json += (i ? "," : "") + json_string(metadata[i].first) + ":" + json_string(metadata[i].second);
  json += "}";
  std::uint64_t offset = 0;
  for (const ListedTensor& tensor : tensors) {
    const std::uint64_t end = offset + bytes_in(dtype, tensor);
    json += "," + json_string(tensor.name) + ":{\"dtype\":" + json_string(name_of(dtype)) + ",\"shape\":[";
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) json += (i ? "," : "") + std::to_string(tensor.shape[i]);
    json += "],\"data_offsets\":[" + std::to_string(offset) + "," + std::to_string(end) + "]}";
    offset = end;
  }
  json += "}";
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
