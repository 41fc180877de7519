// Reads vocab.json: one JSON object that gives each token, written in GPT-2's alphabet of bytes, its id.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace lookback {

struct VocabularyEntry {
  std::uint32_t begin, length;  // the token's bytes in VocabularyEntries::bytes
  std::int64_t id;              // as the file says, not yet held against the count of tokens
};

// The tokens in the order of the file.
struct VocabularyEntries {
  std::string bytes;  // all tokens' bytes, one after the other
  std::vector<VocabularyEntry> tokens;

  std::string_view bytes_of(const VocabularyEntry& token) const {
    return std::string_view(bytes).substr(token.begin, token.length);
  }
};

// Errors (bad_file): not a JSON object, a value that is no whole number from 0, an empty token, a token with a
// character outside the alphabet. The file's size must be below 4 GiB.
Result<VocabularyEntries> read_vocabulary_json(std::string_view json);

// Turns a token in GPT-2's alphabet into bytes and appends them. The first character that is not of the alphabet
// stops it: then it returns that character and leaves `bytes` with a part of the token.
std::optional<char32_t> append_bytes_of_letters(std::string& bytes, std::string_view letters);

}  // namespace lookback
