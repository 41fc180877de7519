// Patterns said once and begun again. Their words come by chance, so that nothing but copying helps.
#include <algorithm>

#include "core/language/lexicon.hpp"
#include "core/language/pieces.hpp"

namespace lookback::language {

namespace {

constexpr std::string_view syllables[] = {"ba",  "bin", "do",  "dar", "fi",  "gal", "ko",  "la",
                                          "lim", "mo",  "mer", "na",  "nil", "po",  "ra",  "ros",
                                          "su",  "ta",  "tul", "vek", "vi",  "wo",  "zan", "zor"};

std::string made_up_word(Dice& dice) {
  std::string word;
  for (std::size_t n = 2 + dice.below(3); n > 0; --n) word += dice.pick(syllables);
  return word;
}

bool holds(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

enum class Source { common, nouns, names, numbers, made_up };

Source any_source(Dice& dice) {
  const std::size_t at = dice.below(100);
  return at < 72 ? Source::common : at < 84 ? Source::names : at < 90 ? Source::numbers : Source::made_up;
}

std::string any_word(Dice& dice, Source source) {
  constexpr std::string_view noun_lists[] = {"thing", "animal", "place", "toy", "mark"};
  switch (source) {
    case Source::common: return std::string(dice.pick(common_words()));
    case Source::nouns: return std::string(dice.pick(list(dice.pick(noun_lists))));
    case Source::names: return std::string(dice.pick(names));
    case Source::numbers: return std::string(dice.pick(list("number")));
    case Source::made_up: return made_up_word(dice);
  }
  return {};
}

// n words, no two the same.
std::vector<std::string> any_words(Dice& dice, Source source, std::size_t n) {
  std::vector<std::string> words;
  while (words.size() < n) {
    std::string word = any_word(dice, source);
    if (!holds(words, word)) words.push_back(std::move(word));
  }
  return words;
}

std::string joined(std::span<const std::string> words, std::string_view between) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += between;
    line += word;
  }
  return line;
}

// One line said two to four times.
std::string run(Dice& dice) {
  const Source source = any_source(dice);
  const std::size_t most = source == Source::numbers ? 9 : source == Source::made_up ? 8 : 16;
  const std::size_t n = 3 + dice.below(most - 2);
  const std::vector<std::string> words = any_words(dice, source, n);
  const bool commas = dice.chance(25);
  const std::string line = joined(words, commas ? ", " : " ");
  constexpr std::string_view ends[] = {", ", ". ", ". ", "\n"};
  const std::string_view end = commas ? dice.pick(std::span(ends).subspan(1)) : dice.pick(ends);
  const std::size_t times = n <= 6 ? 2 + dice.below(3) : n <= 10 ? 2 + dice.below(2) : 2;
  std::string whole;
  for (std::size_t i = 0; i < times; ++i) whole += (i > 0 ? std::string(end) : std::string()) + line;
  return whole + ".";
}

// {w} {w2} … are nouns by chance.
constexpr std::string_view rhymes[] = {
    "The {w} and the {w2}, the {w} and the {w2}, they all went down to the {w3}. "
    "The {w} and the {w2}, the {w} and the {w2}, they all came back from the {w3}.",
    "Round and round the {w}, the {w2} and the {w3}. Round and round the {w}, the {w2} and the {w3}. "
    "[Up to the sky, down to the ground|Here we come, there we go], round and round the {w}, the {w2} and the {w3}.",
    "One for the {w}, two for the {w2}, three for the {w3}, four for the {w4}.\n"
    "One for the {w}, two for the {w2}, three for the {w3}, four for the {w4}.",
    "A {w} for you and a {w2} for me,\na {w3} in the house and a {w4} in the tree.\n"
    "A {w} for you and a {w2} for me,\na {w3} in the house and a {w4} in the tree.",
    "{a} said \"{w} {w2} {w3} {w4}\". {b} said \"{w} {w2} {w3} {w4}\" too. "
    "Then they both said \"{w} {w2} {w3} {w4}\".",
    "{a} says {w}, {b} says {w2}, {c} says {w3}. Again! {a} says {w}, {b} says {w2}, {c} says {w3}.",
    "Sing {w}, sing {w2}, sing {w3} all day,\nsing {w}, sing {w2}, sing {w3} and play.\n"
    "Sing {w}, sing {w2}, sing {w3} all day.",
    "In the {place} was a {w}, in the {w} was a {w2}, in the {w2} was a {w3}. "
    "The {w3} was in the {w2}, the {w2} was in the {w}, the {w} was in the {place}.",
};

// A sentence said again, as a song does.
constexpr std::string_view refrains[] = {
    "The <size> <animal> and the <color> <thing> came to the <place>",
    "{a} has a <color> <thing>, a <size> <thing> and a <pet>",
    "Bring the <thing>, bring the <food>, bring the <color> <thing>",
    "One <color> <thing> for {a} and one <size> <thing> for {b}",
};

}  // namespace

void write_repeat(Scribe& scribe) {
  scribe.begin_story();
  Dice& dice = scribe.dice();
  const std::size_t at = dice.below(100);
  if (at < 75) {
    scribe.write_plain(run(dice));
  } else if (at < 92) {
    const std::vector<std::string> words = any_words(dice, dice.chance(90) ? Source::nouns : Source::made_up, 4);
    constexpr std::string_view keys[] = {"w", "w2", "w3", "w4"};
    for (std::size_t i = 0; i < words.size(); ++i) scribe.keep(keys[i], words[i]);
    scribe.write(dice.pick(rhymes));
    scribe.begin_story();  // the words end here
  } else {
    Scribe line(dice);
    line.write(dice.pick(refrains));
    for (std::size_t i = 0, times = 2 + dice.below(2); i < times; ++i) {
      if (i > 0) scribe.write_plain(" ");
      scribe.write_plain(line.text() + ".");
    }
  }
}

Case repeat_case(Dice& dice) {
  const std::size_t n = 4 + dice.below(7);
  const std::vector<std::string> words = any_words(dice, Source::common, n);
  const std::size_t said = 2 + dice.below(n - 2);  // words of the second run before the cut
  constexpr std::string_view ends[] = {", ", ". ", "\n"};
  const std::string first = joined(words, " ") + std::string(dice.pick(ends));
  Case made;
  made.prompt = first + joined(std::span(words).first(said), " ");
  const std::string& answer = words[said];
  made.right = {spaced(answer)};
  for (const std::string& word : words) {
    if (word != answer) made.wrong.push_back(spaced(word));
  }
  made.target_begin = joined(std::span(words).first(said), " ").size() + 1;
  made.target_end = made.target_begin + answer.size();
  made.from_end = made.prompt.size();
  made.from_begin = made.from_end - words[said - 1].size();
  return made;
}

}  // namespace lookback::language
