#include "core/checkpoint/shard_index.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/checkpoint/wording.hpp"
#include "core/json_text.hpp"

namespace lookback {
namespace {

Error refuse(std::string sentence) { return fail(ErrorCode::bad_file, "The checkpoint's index " + std::move(sentence)); }

// A name that stands for a file beside the index, in any folder of any system and in an address.
bool is_plain_name(std::string_view name) {
  constexpr std::string_view ending = ".safetensors", forbidden = "/\\:?#%*\"<>|";
  const bool odd = std::any_of(name.begin(), name.end(), [&](unsigned char c) {
    return c < 0x20 || c == 0x7f || forbidden.find(static_cast<char>(c)) != std::string_view::npos;
  });
  return !odd && name.size() <= 255 && name.ends_with(ending) && name.size() > ending.size() && name.front() != '.' &&
         name.find("..") == std::string_view::npos;
}

// Receives the tokens of the JSON parser. Each function returns false to stop; `refusal` then says why.
class IndexReader {
 public:
  std::map<std::string, std::string> map;  // tensor to file
  bool has_map = false;
  std::string refusal;

  bool null() { return value(); }
  bool boolean(bool) { return value(); }
  bool number_integer(std::int64_t) { return value(); }
  bool number_unsigned(std::uint64_t) { return value(); }
  bool number_float(double, const std::string&) { return value(); }
  bool binary(std::vector<std::uint8_t>&) { return value(); }

  bool string(std::string& text) {
    if (!in_map()) return value();
    if (!is_plain_name(text)) {
      return stop("places the tensor " + in_quotes(key_) + " in " + in_quotes(text) +
                  "; expected the plain name of a .safetensors file.");
    }
    map[key_] = std::move(text);
    return true;
  }

  bool start_object(std::size_t) {
    if (in_map() || (depth_ == 1 && key_ == "weight_map" && has_map)) return value();
    has_map = has_map || (depth_ == 1 && key_ == "weight_map");
    in_map_ = depth_ == 1 && key_ == "weight_map";
    return deeper();
  }
  bool start_array(std::size_t) { return depth_ == 0 || map_expected() ? value() : deeper(); }
  bool end_object() { return shallower(); }
  bool end_array() { return shallower(); }

  bool key(std::string& text) {
    key_ = std::move(text);
    if (depth_ == 1 && !top_.insert(key_).second) return stop("holds the key " + in_quotes(key_) + " twice.");
    if (!in_map()) return true;
    if (key_.size() > longest_name || key_.find('\0') != std::string::npos)
      return stop("holds the name " + in_quotes(key_) + ", which is too long or has a NUL character in it.");
    if (map.size() == most_tensors) return stop("lists more than " + std::to_string(most_tensors) + " tensors.");
    return map.emplace(key_, "").second || stop("places the tensor " + in_quotes(key_) + " twice.");
  }

  template <class Exception>
  bool parse_error(std::size_t position, const std::string&, const Exception&) {
    return stop("is not a JSON object in valid UTF-8: reading stopped at its byte " + std::to_string(position) + ".");
  }

 private:
  bool in_map() const { return in_map_ && depth_ == 2; }
  bool map_expected() const { return in_map() || (depth_ == 1 && key_ == "weight_map"); }

  // A value that is no string of the map: fine where anything may stand.
  bool value() {
    if (depth_ == 0) return stop("is not a JSON object.");
    if (in_map()) return stop("places the tensor " + in_quotes(key_) + " in what is no string; expected a file's name.");
    if (map_expected()) return stop("has a weight_map that is no object of strings.");
    return true;
  }
  bool deeper() {
    constexpr int deepest = 100;
    return ++depth_ <= deepest || stop("is nested too deep.");
  }
  bool shallower() {
    if (--depth_ == 1) in_map_ = false;
    return true;
  }
  bool stop(std::string sentence) {
    refusal = std::move(sentence);
    return false;
  }

  int depth_ = 0;
  bool in_map_ = false;
  std::string key_;
  std::set<std::string> top_;
};

}  // namespace

Result<ShardIndex> parse_shard_index(std::string_view json) try {
  if (json.size() > longest_index)
    return refuse("has " + std::to_string(json.size()) + " bytes; expected at most " + std::to_string(longest_index) + ".");
  // The parser also skips a byte order mark; other readers do not.
  if (holds_nul(json) || json.starts_with("\xef\xbb\xbf"))
    return refuse("is not a JSON object in valid UTF-8: it holds a NUL byte or begins with a byte order mark.");
  IndexReader reader;
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &reader)) return refuse(std::move(reader.refusal));
  if (!reader.has_map) return refuse("has no weight_map.");
  if (reader.map.empty()) return refuse("lists no tensor.");

  std::set<std::string> names;
  for (const auto& [tensor, file] : reader.map) names.insert(file);
  if (names.size() > most_shards) return refuse("lists more than " + std::to_string(most_shards) + " files.");
  ShardIndex index;
  index.files.assign(names.begin(), names.end());
  for (const auto& [tensor, file] : reader.map) {
    const auto place = std::lower_bound(index.files.begin(), index.files.end(), file);
    index.file_of[tensor] = static_cast<std::size_t>(place - index.files.begin());
  }
  return index;
} catch (...) {
  return fail(ErrorCode::out_of_memory, "There is not enough memory to read the checkpoint's index.");
}

Result<> check_shards(const ShardIndex& index, std::span<const Header> headers) {
  if (headers.size() != index.files.size()) {
    return refuse("names " + std::to_string(index.files.size()) + " files; " + std::to_string(headers.size()) +
                  " are there.");
  }
  std::set<std::string_view> found;
  for (std::size_t file = 0; file < headers.size(); ++file) {
    for (const TensorEntry& entry : headers[file].tensors) {
      const auto place = index.file_of.find(entry.name);
      if (place == index.file_of.end())
        return refuse("does not list the tensor " + in_quotes(entry.name) + ", which " + in_quotes(index.files[file]) + " holds.");
      if (place->second != file) {
        return refuse("places the tensor " + in_quotes(entry.name) + " in " + in_quotes(index.files[place->second]) +
                      ", but " + in_quotes(index.files[file]) + " holds it.");
      }
      found.insert(entry.name);
    }
  }
  for (const auto& [tensor, file] : index.file_of) {
    if (found.contains(tensor)) continue;
    return refuse("places the tensor " + in_quotes(tensor) + " in " + in_quotes(index.files[file]) +
                  ", which does not hold it.");
  }
  return Nothing{};
}

}  // namespace lookback
