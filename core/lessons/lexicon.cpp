#include "core/lessons/lexicon.hpp"

#include <algorithm>
#include <map>

#include "core/lessons/lexicon_tables.hpp"

namespace lookback::lessons {

namespace {

FeatureVector weights_of(const Meaning& meaning) {
  FeatureVector weights = FeatureVector::Zero();
  for (const Weight& w : meaning.weights) {
    if (w.tenths != 0) at(weights, w.feature) = static_cast<float>(w.tenths) / 10.0f;
  }
  return weights;
}

// Calls use(word) for each word of a list separated by single spaces, until it returns true.
template <class Use>
bool any_word(std::string_view list, Use use) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (use(list.substr(0, end))) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

bool contains(std::string_view list, std::string_view word) {
  return any_word(list, [&](std::string_view w) { return w == word; });
}

void apply(std::span<const WordEdit> edits, std::string_view word, WordMeaning& meaning) {
  for (const WordEdit& edit : edits) {
    if (edit.word != word) continue;
    meaning.status = WordStatus::known;
    at(meaning.weights, edit.feature) = edit.weight;
  }
}

WordMeaning entry(std::string_view word, std::span<const WordEdit> edits) {
  WordMeaning found;
  found.entry = word;
  for (const auto table : {words_of_nature(), words_of_people(), words_of_doing()}) {
    const auto line =
        std::find_if(table.begin(), table.end(), [&](const Meaning& m) { return contains(m.words, word); });
    if (line == table.end()) continue;
    found.status = WordStatus::known;
    found.weights = weights_of(*line);
    break;
  }
  if (found.status == WordStatus::unknown && contains(words_without_features(), word)) {
    found.status = WordStatus::ignored;
  }
  apply(edits, word, found);
  return found;
}

}  // namespace

WordMeaning look_up(std::string_view word, std::span<const WordEdit> edits) {
  WordMeaning meaning = entry(word, edits);
  if (meaning.status != WordStatus::unknown) return meaning;

  struct Ending {
    std::string_view cut, put;
  };
  for (const auto& [cut, put] :
       {Ending{"'s", ""}, Ending{"s'", ""}, Ending{"s", ""}, Ending{"es", ""}, Ending{"ies", "y"}}) {
    if (!word.ends_with(cut) || word.size() < cut.size() + 3) continue;
    WordMeaning shorter = entry(std::string(word.substr(0, word.size() - cut.size())).append(put), edits);
    if (shorter.status != WordStatus::unknown) return shorter;
  }
  return meaning;
}

Lexicon lexicon(std::span<const WordEdit> edits) {
  Lexicon all;
  std::map<std::string, WordMeaning, std::less<>> words;
  for (const auto table : {words_of_nature(), words_of_people(), words_of_doing()}) {
    for (const Meaning& line : table) {
      any_word(line.words, [&](std::string_view word) {
        words[std::string(word)].weights = weights_of(line);
        return false;
      });
    }
  }
  for (const WordEdit& edit : edits) words[edit.word];
  for (auto& [word, meaning] : words) {
    apply(edits, word, meaning);
    all.words.push_back({word, meaning.weights});
  }
  any_word(words_without_features(), [&](std::string_view word) {
    if (!words.contains(word)) all.ignored.emplace_back(word);
    return false;
  });
  return all;
}

}  // namespace lookback::lessons
