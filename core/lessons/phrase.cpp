#include "core/lessons/phrase.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lookback::lessons {

namespace {

constexpr std::string_view curly_apostrophe = "\xE2\x80\x99";

// How many bytes at the start of the text belong to a word; 0 for a separator.
std::size_t word_bytes(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte < 0x80) {
    const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    return letter || (byte >= '0' && byte <= '9') || byte == '\'' ? 1 : 0;
  }
  if (text.starts_with(curly_apostrophe)) return curly_apostrophe.size();
  const bool punctuation = text.starts_with("\xE2\x80") || text.starts_with("\xE2\x81") ||
                           text.starts_with("\xC2\xA0") || text.starts_with("\xC2\xAB") || text.starts_with("\xC2\xBB");
  return punctuation ? 0 : 1;
}

std::size_t separator_bytes(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  return std::min<std::size_t>(byte < 0x80 ? 1 : byte < 0xE0 ? 2 : 3, text.size());
}

// Apostrophes at the ends are quotation marks.
std::string_view without_quotes(std::string_view word) {
  for (const std::string_view mark : {std::string_view("'"), curly_apostrophe}) {
    while (word.starts_with(mark)) word.remove_prefix(mark.size());
    while (word.ends_with(mark)) word.remove_suffix(mark.size());
  }
  return word;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool contains_entry(const std::vector<PhraseWord>& words, const std::string& entry) {
  return std::any_of(words.begin(), words.end(), [&](const PhraseWord& w) { return w.meaning.entry == entry; });
}

}  // namespace

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    std::size_t end = 0;
    while (end < text.size()) {
      const std::size_t bytes = word_bytes(text.substr(end));
      if (bytes == 0) break;
      end += bytes;
    }
    const std::string_view word = without_quotes(text.substr(0, end));
    if (!word.empty()) words.push_back(word);
    text.remove_prefix(end);
    if (!text.empty()) text.remove_prefix(separator_bytes(text));
  }
  return words;
}

std::string plain_word(std::string_view word) {
  std::string plain;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word.substr(i).starts_with(curly_apostrophe)) {
      plain += '\'';
      i += curly_apostrophe.size() - 1;
    } else {
      const char c = word[i];
      plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  return plain;
}

Phrase phrase(const PhraseInput& input, std::span<const WordEdit> edits) {
  Phrase result;
  result.phrase = input.phrase;
  for (const std::string_view word : words_in(input.phrase)) {
    result.words.push_back({std::string(word), look_up(plain_word(word), edits)});
    result.sum += result.words.back().meaning.weights;
  }
  if (input.weights) {
    result.sum = *input.weights;
    result.edited = true;
  }
  double squares = 0;  // double, so that small weights do not underflow when squared
  for (const float w : result.sum) squares += static_cast<double>(w) * w;
  result.length = static_cast<float>(std::sqrt(squares));
  if (result.length > 0) result.vector = result.sum / result.length;
  return result;
}

Match match(const Phrase& query, Phrase key) {
  Match result;
  result.products = query.vector * key.vector;
  result.score = std::min(sum(result.products), 1.0f);
  for (const PhraseWord& word : key.words) {
    const std::string& entry = word.meaning.entry;
    const bool shared = word.meaning.status == WordStatus::known && contains_entry(query.words, entry);
    if (shared && !contains(result.shared_words, entry)) {
      result.shared_words.push_back(entry);
    }
  }
  result.key = std::move(key);
  return result;
}

void collect_unknown(const Phrase& phrase, std::vector<std::string>& into) {
  for (const PhraseWord& word : phrase.words) {
    if (word.meaning.status != WordStatus::unknown) continue;
    std::string plain = plain_word(word.text);
    if (!contains(into, plain)) into.push_back(std::move(plain));
  }
}

}  // namespace lookback::lessons
