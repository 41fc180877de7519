#include "core/cli/model_files.hpp"

#include <fstream>
#include <span>
#include <sstream>
#include <utility>

#include "core/checkpoint/config_json.hpp"
#include "core/checkpoint/loader.hpp"
#include "core/checkpoint/safetensors.hpp"
#include "core/checkpoint/shard_index.hpp"
#include "core/text/display.hpp"

namespace lookback {
namespace {

namespace fs = std::filesystem;

// A path whole, with what cannot be seen made visible.
std::string quoted(const fs::path& path) { return "“" + display(path.string()) + "”"; }

// The size of an ordinary file. A folder, a device or a pipe in its place is refused before anything is read from it.
Result<std::uint64_t> size_of(const fs::path& path) {
  std::error_code problem;
  if (!fs::is_regular_file(path, problem))
    return fail(ErrorCode::bad_file, "There is no file " + quoted(path) + ".");
  const std::uint64_t size = fs::file_size(path, problem);
  if (problem) return fail(ErrorCode::bad_file, "The file " + quoted(path) + " cannot be read.");
  return size;
}

bool is_file(const fs::path& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem);
}

Result<std::string> read_text(const fs::path& path) {
  constexpr std::uint64_t longest = 64 << 20;
  const Result<std::uint64_t> size = size_of(path);
  if (!size) return size.error();
  if (*size > longest)
    return fail(ErrorCode::bad_file, "The file " + quoted(path) + " is larger than 64 MiB; it cannot be what its name says.");
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::bad_file, "The file " + quoted(path) + " cannot be opened.");
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

Error in_file(const fs::path& path, const Error& error) { return {error.code, quoted(path) + ": " + error.sentence}; }

// A file of weights, its header read.
struct WeightsFile {
  fs::path path;
  std::uint64_t size = 0;
  std::ifstream stream;
};

Result<Header> read_header(WeightsFile& file) {
  std::string beginning(static_cast<std::size_t>(std::min<std::uint64_t>(file.size, 512)), '\0');
  file.stream.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  const Result<std::uint64_t> length = header_length(std::as_bytes(std::span(beginning)), file.size);
  if (!length) return in_file(file.path, length.error());
  std::string json(*length, '\0');
  file.stream.clear();
  file.stream.seekg(8);
  file.stream.read(json.data(), static_cast<std::streamsize>(json.size()));
  Result<Header> header = parse_header(json, file.size);
  if (!header) return in_file(file.path, header.error());
  return header;
}

// From the disk straight to the packed place, 4 MiB at a time. The stream stands behind the header.
Result<> read_data(WeightsFile& file, std::size_t number, std::uint64_t data_start, Loader& loader) {
  std::vector<std::byte> chunk(std::size_t{4} << 20);
  for (std::uint64_t offset = data_start; offset < file.size;) {
    const std::uint64_t wanted = std::min<std::uint64_t>(chunk.size(), file.size - offset);
    file.stream.read(reinterpret_cast<char*>(chunk.data()), static_cast<std::streamsize>(wanted));
    const std::span<const std::byte> bytes(chunk.data(), static_cast<std::size_t>(file.stream.gcount()));
    if (bytes.empty()) return fail(ErrorCode::bad_file, quoted(file.path) + " ended while it was read.");
    if (const Result<> taken = loader.write(number, offset, bytes); !taken) return in_file(file.path, taken.error());
    offset += bytes.size();
  }
  return Nothing{};
}

// One file, or the shards that an index lists.
Result<> read_weights(const fs::path& folder, const Config& config, Precision precision, ModelFiles& model) {
  const fs::path whole = folder / "model.safetensors", index_path = folder / "model.safetensors.index.json";
  std::vector<fs::path> paths = {whole};
  std::optional<ShardIndex> index;
  if (!is_file(whole) && is_file(index_path)) {
    const Result<std::string> json = read_text(index_path);
    if (!json) return json.error();
    Result<ShardIndex> parsed = parse_shard_index(*json);
    if (!parsed) return in_file(index_path, parsed.error());
    index = std::move(*parsed);
    paths.clear();
    for (const std::string& name : index->files) paths.push_back(folder / name);
  }

  std::vector<WeightsFile> files;
  std::vector<Header> headers;
  for (const fs::path& path : paths) {
    const Result<std::uint64_t> size = size_of(path);
    if (!size) return size.error();
    files.push_back({path, *size, std::ifstream(path, std::ios::binary)});
    if (!files.back().stream) return fail(ErrorCode::bad_file, "The file " + quoted(path) + " cannot be opened.");
    Result<Header> header = read_header(files.back());
    if (!header) return header.error();
    headers.push_back(std::move(*header));
  }
  const fs::path& named = index ? index_path : whole;  // by sentences about the checkpoint as a whole
  if (index)
    if (const Result<> fits = check_shards(*index, headers); !fits) return in_file(named, fits.error());

  Result<Loader> loader = Loader::plan(headers, config, {precision, address_space});
  if (!loader) return in_file(named, loader.error());
  if (const Result<> room = loader->allocate(); !room) return room;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (const Result<> read = read_data(files[i], i, headers[i].data_start, *loader); !read) return read;
  Result<std::unique_ptr<Weights>> weights = loader->finish();
  if (!weights) return in_file(named, weights.error());
  model.weights = std::move(**weights);
  for (std::string& note : loader->notes()) model.notes.push_back(std::move(note));
  return Nothing{};
}

}  // namespace

Result<Vocabulary> read_vocabulary(const fs::path& folder) {
  // OpenAI's own names stand beside the hub's.
  const auto holds = [&](const char* name) { return is_file(folder / name); };
  const bool own_names = !holds("vocab.json") && (holds("encoder.json") || (holds("vocab.bpe") && !holds("merges.txt")));
  const fs::path tokens_path = folder / (own_names ? "encoder.json" : "vocab.json");
  const fs::path merges_path = folder / (own_names ? "vocab.bpe" : "merges.txt");
  const Result<std::string> tokens = read_text(tokens_path), merges = read_text(merges_path);
  if (!tokens) return tokens.error();
  if (!merges) return merges.error();
  Result<Vocabulary> vocabulary = Vocabulary::parse(*tokens, *merges);
  if (!vocabulary) return in_file(folder, vocabulary.error());
  return vocabulary;
}

Result<ModelFiles> read_model(const fs::path& folder, Precision precision) {
  std::error_code problem;
  if (!fs::is_directory(folder, problem))
    return fail(ErrorCode::bad_file, quoted(folder) + " is not a folder; one with config.json and "
                                     "model.safetensors was expected.");
  ModelFiles model;
  model.name = display(fs::absolute(folder / "x", problem).parent_path().lexically_normal().filename().string());
  const Result<std::string> json = read_text(folder / "config.json");
  if (!json) return json.error();
  const Result<Config> config = parse_config(*json);
  if (!config) return in_file(folder / "config.json", config.error());
  if (const Result<> read = read_weights(folder, *config, precision, model); !read) return read.error();

  // Where only one of the two files is there, the sentence names the other.
  const auto holds = [&](const char* name) { return is_file(folder / name); };
  if (holds("vocab.json") || holds("encoder.json") || holds("merges.txt") || holds("vocab.bpe")) {
    Result<Vocabulary> vocabulary = read_vocabulary(folder);
    if (!vocabulary) return vocabulary.error();
    const std::size_t n_tokens = static_cast<std::size_t>(vocabulary->size());
    if (n_tokens != config->d_vocab)
      model.notes.push_back("The vocabulary has " + std::to_string(n_tokens) + " tokens, but the model " +
                            std::to_string(config->d_vocab) + "; ids that only one of them knows have no text or fail.");
    model.vocabulary = std::move(*vocabulary);
  }
  return model;
}

}  // namespace lookback
