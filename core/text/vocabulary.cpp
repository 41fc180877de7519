#include "core/text/vocabulary.hpp"

#include <algorithm>
#include <new>

#include "core/text/byte_alphabet.hpp"
#include "core/text/display.hpp"
#include "core/text/utf8.hpp"
#include "core/text/vocabulary_json.hpp"

namespace lookback {

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

Error refuse(std::string sentence) { return fail(ErrorCode::bad_file, std::move(sentence)); }

std::uint64_t pair_key(int left, int right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
}

// A token as vocab.json writes it, so that a reader can look for it there.
std::string named(std::string_view bytes) {
  std::string letters;
  for (const char byte : bytes) append_utf8(letters, kByteLetters[static_cast<unsigned char>(byte)]);
  return in_quotes(letters);
}

bool looks_special(std::string_view bytes) {
  return bytes.size() > 2 &&
         ((bytes.front() == '<' && bytes.back() == '>') || (bytes.front() == '[' && bytes.back() == ']'));
}

// Takes the first line off `text`, without its end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

Result<Vocabulary> Vocabulary::parse(std::string_view vocab_json, std::string_view merges_txt) {
  for (const auto& [name, file] : {std::pair{"vocab.json", vocab_json}, std::pair{"merges.txt", merges_txt}}) {
    if (file.size() > kMostBytes) {
      return refuse(std::string(name) + " has " + std::to_string(file.size()) + " bytes; at most " +
                    std::to_string(kMostBytes) + " are read.");
    }
  }
  try {
    Vocabulary vocabulary;
    TokenIds ids;
    if (auto taken = vocabulary.take_tokens(vocab_json, ids); !taken) return taken.error();
    if (auto taken = vocabulary.take_merges(merges_txt, ids); !taken) return taken.error();
    if (auto taken = vocabulary.take_special_tokens(); !taken) return taken.error();
    return vocabulary;
  } catch (...) {
    return fail(ErrorCode::out_of_memory, "There is not enough memory for the vocabulary.");
  }
}

std::string_view Vocabulary::token_bytes(int id) const {
  if (!contains(id)) return {};
  return std::string_view(bytes_).substr(begins_[id], begins_[id + 1] - begins_[id]);
}

int Vocabulary::rank_of(int left, int right) const {
  const auto found = ranks_.find(pair_key(left, right));
  return found == ranks_.end() ? -1 : found->second;
}

// Puts the tokens in the order of their ids; `ids` maps their bytes back, viewing bytes_.
Result<Nothing> Vocabulary::take_tokens(std::string_view vocab_json, TokenIds& ids) {
  const auto read = read_vocabulary_json(vocab_json);
  if (!read) return read.error();
  const VocabularyEntries& entries = *read;
  const auto count = static_cast<std::int64_t>(entries.tokens.size());

  std::vector<const VocabularyEntry*> by_id(count, nullptr);
  for (const VocabularyEntry& token : entries.tokens) {
    const auto name = [&] { return named(entries.bytes_of(token)); };
    if (token.id >= count) {
      return refuse("vocab.json has " + std::to_string(count) + " tokens, so ids run from 0 to " +
                    std::to_string(count - 1) + ", but " + name() + " has the id " + std::to_string(token.id) + ".");
    }
    if (const VocabularyEntry* other = by_id[token.id]) {
      return refuse("vocab.json gives the id " + std::to_string(token.id) + " to both " +
                    named(entries.bytes_of(*other)) + " and " + name() + ".");
    }
    by_id[token.id] = &token;
  }

  bytes_.reserve(entries.bytes.size());
  begins_.reserve(count + 1);
  for (const VocabularyEntry* token : by_id) {
    begins_.push_back(static_cast<std::uint32_t>(bytes_.size()));
    bytes_ += entries.bytes_of(*token);
  }
  begins_.push_back(static_cast<std::uint32_t>(bytes_.size()));

  ids.reserve(count);
  for (int id = 0; id < size(); ++id) {
    if (!ids.emplace(token_bytes(id), id).second) {
      return refuse("vocab.json has the token " + named(token_bytes(id)) + " twice.");
    }
  }
  for (int byte = 0; byte < 256; ++byte) {
    const char character = static_cast<char>(byte);
    const auto found = ids.find(std::string_view(&character, 1));
    if (found == ids.end()) {
      return refuse("vocab.json lacks " + named(std::string_view(&character, 1)) + ", the token of byte " +
                    std::to_string(byte) + "; each of the 256 bytes must be a token.");
    }
    byte_tokens_[byte] = found->second;
  }
  return Nothing{};
}

Result<Nothing> Vocabulary::take_merges(std::string_view merges_txt, const TokenIds& ids) {
  std::string_view rest = merges_txt;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  while (rest.ends_with('\n') || rest.ends_with('\r')) rest.remove_suffix(1);
  const auto lines = static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '\n')) + 1;
  merges_.reserve(lines);
  ranks_.reserve(lines);

  int number = 0;
  const auto refuse_line = [&number](std::string what) {
    return refuse("merges.txt line " + std::to_string(number) + std::move(what));
  };
  const auto refuse_token = [&](std::string_view letters) {
    return refuse_line(" needs the token " + in_quotes(letters) + ", which vocab.json lacks.");
  };
  // The id of the token that `letters` write, or -1.
  std::string bytes;
  const auto id_of = [&](std::string_view letters) {
    bytes.clear();
    if (append_bytes_of_letters(bytes, letters)) return -1;
    const auto found = ids.find(bytes);
    return found == ids.end() ? -1 : found->second;
  };

  if (rest.starts_with("#version")) take_line(rest), ++number;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    ++number;
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || space == 0 || space + 1 == line.size() || line.rfind(' ') != space) {
      return refuse_line(" must be two tokens and one space between them, but is " + in_quotes(line) + ".");
    }
    const std::string_view left = line.substr(0, space), right = line.substr(space + 1);
    const int left_id = id_of(left), right_id = id_of(right);
    if (left_id < 0) return refuse_token(left);
    if (right_id < 0) return refuse_token(right);
    bytes.assign(token_bytes(left_id)).append(token_bytes(right_id));
    const auto merged = ids.find(bytes);
    if (merged == ids.end()) return refuse_token(std::string(left).append(right));
    if (!ranks_.emplace(pair_key(left_id, right_id), static_cast<int>(merges_.size())).second) {
      return refuse_line(" repeats the merge " + in_quotes(line) + ".");
    }
    merges_.push_back({left_id, right_id, merged->second});
  }
  return Nothing{};
}

Result<Nothing> Vocabulary::take_special_tokens() {
  std::vector<bool> made(size(), false);
  for (const int id : byte_tokens_) made[id] = true;
  for (const Merge& merge : merges_) made[merge.merged] = true;
  for (int id = 0; id < size(); ++id) {
    if (made[id]) continue;
    if (!looks_special(token_bytes(id))) {
      return refuse("No line of merges.txt makes the token " + named(token_bytes(id)) + " (id " + std::to_string(id) +
                    ") of vocab.json; merges.txt may be cut short.");
    }
    special_.push_back(id);
  }
  std::stable_sort(special_.begin(), special_.end(),
                   [this](int a, int b) { return token_bytes(a).size() > token_bytes(b).size(); });
  return Nothing{};
}

}  // namespace lookback
