// Reads a model from a folder as the hub lays it out: config.json, model.safetensors (or shards with
// model.safetensors.index.json) and, where there are any, vocab.json and merges.txt.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/model/weights.hpp"
#include "core/result.hpp"
#include "core/text/vocabulary.hpp"

namespace lookback {

struct ModelFiles {
  std::string name;  // the folder's
  Weights weights;
  std::optional<Vocabulary> vocabulary;
  std::vector<std::string> notes;
};

// Errors name the file. precision: of the matrices in memory.
Result<ModelFiles> read_model(const std::filesystem::path& folder, Precision precision = Precision::f32);

// Only the vocabulary; both files must be there.
Result<Vocabulary> read_vocabulary(const std::filesystem::path& folder);

}  // namespace lookback
