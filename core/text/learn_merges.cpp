#include "core/text/learn_merges.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/text/byte_alphabet.hpp"
#include "core/text/utf8.hpp"
#include "core/text/words.hpp"

namespace lookback {

namespace {

constexpr std::string_view kEndOfText = "<|endoftext|>";
constexpr std::size_t kFewestEntries = 257;

using PairKey = std::uint64_t;  // left id << 32 | right id
PairKey key_of(int left, int right) { return static_cast<PairKey>(left) << 32 | static_cast<std::uint32_t>(right); }
int left_of(PairKey pair) { return static_cast<int>(pair >> 32); }
int right_of(PairKey pair) { return static_cast<int>(pair & 0xFFFFFFFFu); }

// A distinct word of the texts.
struct Word {
  std::vector<int> tokens;
  std::int64_t count;
};

// The words in the order of their bytes, spelled in single bytes; id_of_byte gives each byte's id.
std::vector<Word> words_of(std::span<const std::string> texts, const std::array<int, 256>& id_of_byte) {
  std::map<std::string, std::int64_t, std::less<>> counts;
  for (const std::string& raw : texts) {
    const std::string text = well_formed(raw);
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = word_end(text, begin);
      const std::string_view word = std::string_view(text).substr(begin, end - begin);
      const auto found = counts.find(word);
      if (found != counts.end())
        ++found->second;
      else
        counts.emplace(word, 1);
      begin = end;
    }
  }
  std::vector<Word> words;
  words.reserve(counts.size());
  for (const auto& [bytes, count] : counts) {
    Word word{{}, count};
    for (const char byte : bytes) word.tokens.push_back(id_of_byte[static_cast<unsigned char>(byte)]);
    words.push_back(std::move(word));
  }
  return words;
}

class Learner {
 public:
  Learner(std::vector<Word> words, std::vector<std::string> tokens)
      : words_(std::move(words)), tokens_(std::move(tokens)) {
    for (std::size_t id = 0; id < tokens_.size(); ++id) ids_.emplace(tokens_[id], static_cast<int>(id));
    for (std::size_t i = 0; i < words_.size(); ++i) count_pairs(i, +1);
  }

  // Merges until there are n tokens, or no pair occurs twice.
  void learn(std::size_t n) {
    while (tokens_.size() < n) {
      const auto best = best_pair();
      if (!best) return;
      merge(*best);
    }
  }

  const std::vector<std::string>& tokens() const { return tokens_; }
  const std::vector<std::pair<int, int>>& merges() const { return merges_; }

 private:
  struct PairUse {
    std::int64_t count = 0;
    std::vector<std::uint32_t> words;  // where it stood once; it may have gone since
  };

  std::vector<Word> words_;
  std::vector<std::string> tokens_;  // bytes by id
  std::unordered_map<std::string, int> ids_;
  std::unordered_map<PairKey, PairUse> pairs_;
  std::vector<std::pair<int, int>> merges_;

  void count_pairs(std::size_t index, int sign) {
    const Word& word = words_[index];
    for (std::size_t i = 0; i + 1 < word.tokens.size(); ++i) {
      PairUse& use = pairs_[key_of(word.tokens[i], word.tokens[i + 1])];
      use.count += sign * word.count;
      if (sign > 0 && (use.words.empty() || use.words.back() != index)) {
        use.words.push_back(static_cast<std::uint32_t>(index));
      }
    }
  }

  // The order is total, so the order in which the map is walked does not show.
  bool comes_before(PairKey a, PairKey b) const {
    const int left = tokens_[left_of(a)].compare(tokens_[left_of(b)]);
    return left != 0 ? left < 0 : tokens_[right_of(a)] < tokens_[right_of(b)];
  }

  std::optional<PairKey> best_pair() const {
    std::optional<PairKey> best;
    std::int64_t most = 2;
    for (const auto& [pair, use] : pairs_) {
      if (use.count < most || (use.count == most && best && !comes_before(pair, *best))) continue;
      best = pair, most = use.count;
    }
    return best;
  }

  // Should a second pair make the same bytes, it makes the same token: Vocabulary refuses a token named twice.
  int token_of(const std::string& bytes) {
    const auto [found, is_new] = ids_.emplace(bytes, static_cast<int>(tokens_.size()));
    if (is_new) tokens_.push_back(bytes);
    return found->second;
  }

  void merge(PairKey pair) {
    const int left = left_of(pair), right = right_of(pair);
    const int merged = token_of(tokens_[left] + tokens_[right]);
    merges_.emplace_back(left, right);
    const std::vector<std::uint32_t> places = std::move(pairs_[pair].words);
    for (const std::uint32_t index : places) {
      count_pairs(index, -1);
      std::vector<int>& tokens = words_[index].tokens;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < tokens.size(); ++kept) {
        const bool here = i + 1 < tokens.size() && tokens[i] == left && tokens[i + 1] == right;
        tokens[kept] = here ? merged : tokens[i];
        i += here ? 2 : 1;
      }
      tokens.resize(kept);
      count_pairs(index, +1);
    }
    pairs_.erase(pair);
  }
};

std::string in_letters(std::string_view bytes) {
  std::string letters;
  for (const char byte : bytes) append_utf8(letters, kByteLetters[static_cast<unsigned char>(byte)]);
  return letters;
}

// As a JSON string. The alphabet of bytes has no control characters, so quotes and backslashes are all to escape.
std::string in_json(std::string_view letters) {
  std::string json = "\"";
  for (const char letter : letters) {
    if (letter == '"' || letter == '\\') json += '\\';
    json += letter;
  }
  return json + '"';
}

LearnedVocabulary files_of(const Learner& learner) {
  LearnedVocabulary files;
  files.vocab_json = "{";
  std::size_t id = 0;
  for (const std::string& token : learner.tokens()) {
    files.vocab_json += in_json(in_letters(token)) + ": " + std::to_string(id++) + ", ";
  }
  files.vocab_json += in_json(kEndOfText) + ": " + std::to_string(id) + "}";
  files.merges_txt = "#version: 0.2\n";
  for (const auto& [left, right] : learner.merges()) {
    files.merges_txt += in_letters(learner.tokens()[left]) + " " + in_letters(learner.tokens()[right]) + "\n";
  }
  return files;
}

}  // namespace

Result<LearnedVocabulary> learn_merges(std::span<const std::string> texts, std::size_t n_entries) {
  if (n_entries < kFewestEntries) {
    return fail(ErrorCode::bad_argument, "n_entries is " + std::to_string(n_entries) +
                                             ", but a vocabulary needs at least " + std::to_string(kFewestEntries) +
                                             ": the 256 bytes and <|endoftext|>.");
  }
  try {
    std::vector<std::string> tokens;
    std::array<int, 256> id_of_byte{};
    for (const bool prints : {true, false}) {
      for (int byte = 0; byte < 256; ++byte) {
        if (stands_for_itself(byte) != prints) continue;
        id_of_byte[byte] = static_cast<int>(tokens.size());
        tokens.emplace_back(1, static_cast<char>(byte));
      }
    }
    Learner learner(words_of(texts, id_of_byte), std::move(tokens));
    learner.learn(n_entries - 1);
    return files_of(learner);
  } catch (...) {
    return fail(ErrorCode::out_of_memory, "There is not enough memory to learn a vocabulary from the texts.");
  }
}

}  // namespace lookback
