#include "core/checkpoint/foreign_files.hpp"

#include <algorithm>
#include <string_view>

#include "core/checkpoint/wording.hpp"

namespace lookback {
namespace {

using namespace std::string_view_literals;

struct Kind {
  std::string_view magic;
  std::string_view name;
};

constexpr Kind binary_kinds[] = {
    {"GGUF"sv, "a GGUF file (llama.cpp's format)"},
    {"lmgg"sv, "a GGML file (llama.cpp's old format)"},
    {"tjgg"sv, "a GGML file (llama.cpp's old format)"},
    {"PK\x03\x04"sv, "a zip archive, such as PyTorch's pytorch_model.bin"},
    {"\x80\x02"sv, "a Python pickle, such as PyTorch's old pytorch_model.bin"},
    {"\x80\x03"sv, "a Python pickle"},
    {"\x80\x04"sv, "a Python pickle"},
    {"\x80\x05"sv, "a Python pickle"},
    {"\x89HDF"sv, "an HDF5 file, such as TensorFlow's tf_model.h5"},
    {"\x93NUMPY"sv, "a NumPy array"},
    {"\x1f\x8b"sv, "a gzip archive"},
};

constexpr Kind text_kinds[] = {
    {"version "sv, "a Git LFS pointer, a short text that stands for the real file"},
    {"<"sv, "an HTML (or XML) page, such as an error page of a web server"},
    {"{"sv, "JSON, such as the error message of a web server or the index of a sharded checkpoint"},
    {"["sv, "JSON"},
};

}  // namespace

std::string name_foreign_file(std::span<const std::byte> beginning) {
  std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  for (const Kind& kind : binary_kinds) {
    if (text.starts_with(kind.magic)) return std::string(kind.name);
  }
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark
  const std::string_view trimmed = text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  for (const Kind& kind : text_kinds) {
    if (trimmed.starts_with(kind.magic)) return std::string(kind.name);
  }
  const bool printable = std::all_of(
      text.begin(), text.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t'; });
  if (printable && !trimmed.empty()) return "text that begins with " + in_quotes(text);
  return "";
}

}  // namespace lookback
