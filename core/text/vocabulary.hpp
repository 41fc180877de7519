// A byte-level BPE vocabulary as GPT-2 has it: tokens with their bytes, and merges in the order of their ranks.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/result.hpp"

namespace lookback {

// Where `left` stands before `right`, `merged` may take their place.
struct Merge {
  int left, right, merged;  // token ids
};

class Vocabulary {
 public:
  // Reads vocab.json (encoder.json) and merges.txt (vocab.bpe). In merges.txt a first line "#version…" is skipped, and
  // lines may end with CR LF.
  //
  // Refused (bad_file), with the first thing that is wrong: files over 64 MiB; vocab.json that is no JSON object of
  // tokens and ids, ids that are not 0, 1, 2, … each once, a token named twice, one of the 256 bytes missing; a merge
  // that is not two tokens and one space, that names or makes a token which vocab.json lacks, or that comes twice; a
  // token that no merge makes, unless its name stands in <…> or […], which marks it as special.
  static Result<Vocabulary> parse(std::string_view vocab_json, std::string_view merges_txt);

  int size() const { return static_cast<int>(begins_.size()) - 1; }  // ids run from 0 to size() - 1
  bool contains(int id) const { return id >= 0 && id < size(); }

  // The bytes of a token; empty where there is no such token. Valid as long as the vocabulary.
  std::string_view token_bytes(int id) const;

  int token_of_byte(unsigned char byte) const { return byte_tokens_[byte]; }

  // The rank of the merge of two neighbours, or -1. The lowest rank merges first.
  int rank_of(int left, int right) const;
  const Merge& merge(int rank) const { return merges_[rank]; }

  // Ids of the tokens that no text is encoded into unless asked, such as <|endoftext|>; the longest first.
  const std::vector<int>& special_tokens() const { return special_; }

 private:
  Vocabulary() = default;

  std::string bytes_;                  // all tokens' bytes in the order of their ids
  std::vector<std::uint32_t> begins_;  // [size() + 1] where each token's bytes begin
  std::array<int, 256> byte_tokens_{};
  std::vector<Merge> merges_;                     // by rank
  std::unordered_map<std::uint64_t, int> ranks_;  // left << 32 | right -> rank
  std::vector<int> special_;

  using TokenIds = std::unordered_map<std::string_view, int>;
  Result<Nothing> take_tokens(std::string_view vocab_json, TokenIds& ids);
  Result<Nothing> take_merges(std::string_view merges_txt, const TokenIds& ids);
  Result<Nothing> take_special_tokens();
};

}  // namespace lookback
