// Writes sentences from patterns.
//
//   "{a} found a {thing} [under|near] the <spot>[, and {he} smiled|]."
//
//   {thing}     a word of the list "thing", drawn at its first use and kept; {thing2} another one of the same list
//   {a} {b} {c} people; no two of them are a held-out pair. {he} {him} {his} speak of a, {he.b} {him.b} {his.b} of b
//   {He}        the same with a capital letter
//   <spot>      a word of the list "spot", drawn each time
//   [x|y|]      one of the choices; choices may hold choices
//   ^           where a case cuts the sentence off
//
// "a" becomes "an" before a, e, i, o, u (so no word of the language may begin with a "u" as in "use").
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/language/dice.hpp"

namespace lookback::language {

class Scribe {
 public:
  explicit Scribe(Dice& dice) : dice_(dice) {}

  Dice& dice() { return dice_; }
  const std::string& text() const { return text_; }
  std::size_t words() const;  // of the text: runs of characters between white space

  // Forgets the words kept, and begins anew after what is written so far. Names of earlier stories are not drawn again,
  // so that no person lives in two cities.
  void begin_story();

  // Sets the word of {key}. `word` must outlive the story.
  void keep(std::string_view key, std::string_view word);
  std::string_view kept(std::string_view key);  // draws it if need be

  void write(std::string_view pattern);
  void write_plain(std::string_view words) { text_ += words; }

  // Where {key} first stood in this story, as bytes of text(); and where ^ last stood.
  struct Place {
    std::size_t begin, end;
  };
  std::optional<Place> place_of(std::string_view key) const;
  std::size_t cut() const { return cut_; }

 private:
  struct Word {
    std::string key;  // its own, since a key with a capital letter is made small in passing
    std::string_view word;
    std::optional<Place> place;
  };

  Dice& dice_;
  std::string text_;
  std::vector<Word> kept_;
  std::vector<std::string_view> earlier_people_;
  std::size_t cut_ = 0;

  Word& find_or_draw(std::string_view key);
  std::string_view draw(std::string_view key);
  std::string_view draw_person();
  std::string_view pronoun(std::string_view key);
  void write_slot(std::string_view key);
  void write_choice(std::string_view choices);
  void mind_the_article(char next);
};

}  // namespace lookback::language
