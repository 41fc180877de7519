// Safetensors files and their headers. A first byte '{' makes the input a header alone, whose file is as long as it says;
// any other input is a whole file.
#include <algorithm>
#include <set>

#include "core/checkpoint/header_json.hpp"
#include "core/checkpoint/loader.hpp"
#include "core/checkpoint/safetensors.hpp"
#include "tests/fuzz/property.hpp"

using namespace lookback;
using namespace lookback::fuzz;

namespace {

constexpr std::uint64_t most_data = 1 << 16;

// The tensors lie end to end and fill the data, and each one's bytes are its shape times the size of its dtype.
void hold_layout(const Header& header, std::uint64_t file_size) {
  hold(header.data_start >= 8 && header.data_start <= file_size, "the data begins inside the file");
  std::uint64_t reached = 0;
  std::set<std::string> names;
  for (const TensorEntry& tensor : header.tensors) {
    hold(tensor.begin == reached && tensor.end >= tensor.begin, "tensors lie end to end", tensor.name);
    hold(tensor.end <= file_size - header.data_start, "tensors lie inside the file", tensor.name);
    hold(names.insert(tensor.name).second, "a name stands once", tensor.name);
    hold(tensor.name.size() <= longest_name && tensor.name.find('\0') == std::string::npos, "a name is plain");
    hold(tensor.shape.size() <= highest_rank, "a rank is bounded", tensor.name);
    unsigned __int128 bytes = bytes_of(tensor.dtype);
    const bool empty = std::count(tensor.shape.begin(), tensor.shape.end(), 0) > 0;
    for (const std::uint64_t size : tensor.shape) {
      if (!empty) bytes *= size;
      hold(bytes <= address_space, "the byte count does not overflow", tensor.name);
    }
    hold(tensor.end - tensor.begin == (empty ? 0 : bytes), "bytes are shape times dtype", tensor.name);
    reached = tensor.end;
  }
  hold(reached == file_size - header.data_start, "tensors fill the file");
}

// Loads `data` in chunks from the last to the first. Seeds hold a model of this shape.
void load_backwards(const Header& header, std::string_view data, Precision precision) {
  Config config;
  config.n_layers = config.n_heads = 1;
  config.d_model = config.d_mlp = config.n_positions = 2;
  config.d_vocab = 3;
  Result<Loader> loader = Loader::plan(header, config, {.precision = precision});
  if (!loader) return hold_refusal(loader.error());
  hold(bool(loader->allocate()), "a small model fits");
  constexpr std::size_t chunk = 7;
  for (std::size_t left = data.size(); left > 0;) {
    if (left == data.size() && !data.empty()) hold(!loader->finish(), "an incomplete model is not handed over");
    const std::size_t begin = left > chunk ? left - chunk : 0;
    const auto bytes = std::as_bytes(std::span(data.substr(begin, left - begin)));
    hold(bool(loader->write(0, header.data_start + begin, bytes)), "bytes of the file are taken");
    left = begin;
  }
  for (const std::string& note : loader->notes()) hold_visible(note);
  hold(bool(loader->finish()), "a complete model is handed over");
}

void check(std::string_view json, std::uint64_t file_size, std::string_view data) {
  const Result<Header> header = parse_header(json, file_size);
  if (!header) return hold_refusal(header.error());
  hold_layout(*header, file_size);
  if (data.size() == file_size - header->data_start) {
    for (const Precision precision : {Precision::f32, Precision::f16, Precision::int8})
      load_backwards(*header, data, precision);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = as_text(data, size);
  if (input.starts_with('{')) {
    const Result<RawHeader> raw = read_header_json(input);
    std::uint64_t reached = 0;
    if (!raw) hold_refusal(raw.error());
    if (raw) {
      for (const RawEntry& entry : raw->entries)
        for (const std::uint64_t offset : entry.offsets.value_or(std::vector<std::uint64_t>{})) reached = std::max(reached, offset);
    }
    if (reached > ~std::uint64_t{0} - 8 - size) return 0;  // no file is so long
    std::string made(reached <= most_data ? reached : 0, '\0');
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<char>(i * 37);
    check(input, 8 + size + reached, made);
    return 0;
  }
  const Result<std::uint64_t> length = header_length(std::as_bytes(std::span(input)), size);
  if (refused(length)) return 0;
  hold(size >= 8 && *length <= size - 8, "the header lies inside the file");
  check(input.substr(8, *length), size, input.substr(8 + *length));
  return 0;
}
