#include "core/language/scribe.hpp"

#include <algorithm>

#include "core/language/held_out.hpp"
#include "core/language/lexicon.hpp"

namespace lookback::language {

namespace {

bool is_person(std::string_view key) { return key == "a" || key == "b" || key == "c"; }

bool is_vowel(char letter) { return std::string_view("aeiou").find(letter) != std::string_view::npos; }

char to_lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }
char to_upper(char letter) { return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter; }

// "thing2" draws from the list "thing".
std::string_view list_name(std::string_view key) {
  while (!key.empty() && key.back() >= '0' && key.back() <= '9') key.remove_suffix(1);
  return key;
}

// The index of the bracket that closes the one at `open`.
std::size_t closing(std::string_view pattern, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < pattern.size(); ++i) {
    if (pattern[i] == '[') ++depth;
    if (pattern[i] == ']' && --depth == 0) return i;
  }
  return pattern.size();
}

// Calls take(choice) for each choice between bars that stand in no inner bracket.
template <class Take>
void each_choice(std::string_view choices, Take take) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] == '[') ++depth;
    if (choices[i] == ']') --depth;
    if (choices[i] != '|' || depth > 0) continue;
    take(choices.substr(begin, i - begin));
    begin = i + 1;
  }
  take(choices.substr(begin));
}

}  // namespace

std::size_t Scribe::words() const {
  std::size_t count = 0;
  bool inside = false;
  for (const char c : text_) {
    const bool white = c == ' ' || c == '\n';
    if (!white && !inside) ++count;
    inside = !white;
  }
  return count;
}

void Scribe::begin_story() {
  for (const Word& kept : kept_) {
    if (is_person(kept.key)) earlier_people_.push_back(kept.word);
  }
  kept_.clear();
}

void Scribe::keep(std::string_view key, std::string_view word) {
  for (Word& kept : kept_) {
    if (kept.key == key) {
      kept.word = word;
      return;
    }
  }
  kept_.push_back({std::string(key), word, {}});
}

std::string_view Scribe::kept(std::string_view key) { return find_or_draw(key).word; }

std::optional<Scribe::Place> Scribe::place_of(std::string_view key) const {
  for (const Word& kept : kept_) {
    if (kept.key == key) return kept.place;
  }
  return {};
}

void Scribe::write(std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    switch (pattern[i]) {
      case '{': {
        const std::size_t end = pattern.find('}', i);
        write_slot(pattern.substr(i + 1, end - i - 1));
        i = end;
        break;
      }
      case '<': {
        const std::size_t end = pattern.find('>', i);
        const std::string_view word = dice_.pick(list(pattern.substr(i + 1, end - i - 1)));
        mind_the_article(word.front());
        text_ += word;
        i = end;
        break;
      }
      case '[': {
        const std::size_t end = closing(pattern, i);
        write_choice(pattern.substr(i + 1, end - i - 1));
        i = end;
        break;
      }
      case '^': cut_ = text_.size(); break;
      default: mind_the_article(pattern[i]); text_ += pattern[i];
    }
  }
}

void Scribe::write_choice(std::string_view choices) {
  std::size_t count = 0;
  each_choice(choices, [&](std::string_view) { ++count; });
  std::size_t chosen = dice_.below(count);
  each_choice(choices, [&](std::string_view choice) {
    if (chosen-- == 0) write(choice);
  });
}

void Scribe::write_slot(std::string_view key) {
  const bool capital = key.front() >= 'A' && key.front() <= 'Z';
  char small[16];
  if (capital) {
    const std::size_t length = key.copy(small, sizeof small);
    small[0] = to_lower(small[0]);
    key = std::string_view(small, length);
  }
  std::string_view word = pronoun(key);
  Word* slot = nullptr;
  if (word.empty()) {
    slot = &find_or_draw(key);
    word = slot->word;
  }
  mind_the_article(word.front());
  const std::size_t begin = text_.size();
  text_ += word;
  if (capital) text_[begin] = to_upper(text_[begin]);
  if (slot && !slot->place) slot->place = Place{begin, text_.size()};
}

Scribe::Word& Scribe::find_or_draw(std::string_view key) {
  for (Word& kept : kept_) {
    if (kept.key == key) return kept;
  }
  const std::string_view word = is_person(key) ? draw_person() : draw(key);
  kept_.push_back({std::string(key), word, {}});
  return kept_.back();
}

// A word of the key's list that this story does not use yet.
std::string_view Scribe::draw(std::string_view key) {
  const std::span<const std::string_view> choices = list(list_name(key));
  for (;;) {
    const std::string_view word = dice_.pick(choices);
    if (std::none_of(kept_.begin(), kept_.end(), [&](const Word& kept) { return kept.word == word; })) return word;
  }
}

std::string_view Scribe::draw_person() {
  for (;;) {
    const std::string_view name = dice_.pick(names);
    const auto clashes = [&](const Word& kept) {
      return is_person(kept.key) && (kept.word == name || held_out_pair(kept.word, name));
    };
    if (std::find(earlier_people_.begin(), earlier_people_.end(), name) != earlier_people_.end()) continue;
    if (std::none_of(kept_.begin(), kept_.end(), clashes)) return name;
  }
}

// The word for "he", "him.b" and their kin; empty when the key is none of them.
std::string_view Scribe::pronoun(std::string_view key) {
  const std::size_t dot = std::min(key.find('.'), key.size());
  const std::string_view word = key.substr(0, dot);
  if (word != "he" && word != "him" && word != "his") return {};
  const std::string_view person = kept(dot == key.size() ? std::string_view("a") : key.substr(dot + 1));
  if (!is_female(person)) return word == "he" ? "he" : word == "him" ? "him" : "his";
  return word == "he" ? "she" : "her";
}

void Scribe::mind_the_article(char next) {
  if (!is_vowel(next) || text_.size() < 2 || text_.back() != ' ') return;
  const std::string_view before = std::string_view(text_).substr(0, text_.size() - 1);
  if (before.back() != 'a' && before.back() != 'A') return;
  const bool alone = before.size() == 1 || before[before.size() - 2] == ' ' || before[before.size() - 2] == '\n' ||
                     before[before.size() - 2] == '"';
  if (alone) text_.insert(text_.size() - 1, 1, 'n');
}

}  // namespace lookback::language
