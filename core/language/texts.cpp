#include "core/language/texts.hpp"

#include "core/language/pieces.hpp"

namespace lookback::language {

namespace {

using Write = void (*)(Scribe&);

// What a text is about, in parts of a hundred; the rest are stories.
struct Share {
  int percent;
  Write write;
};
constexpr Share shares[] = {
    {16, write_it}, {16, write_who_gets}, {12, write_country}, {16, write_chase}, {14, write_repeat}};
constexpr Write asking[] = {write_it, write_who_gets, write_country, write_chase};

Write any_kind(Dice& dice) {
  int at = static_cast<int>(dice.below(100));
  for (const Share& share : shares) {
    if ((at -= share.percent) < 0) return share.write;
  }
  return write_story;
}

constexpr std::size_t kFewestWords = 25, kMoreWords = 60;

}  // namespace

// Pieces of one kind, at times of another, until the text is long enough. About half of the texts begin with the
// phenomenon's own sentence, so that it stands at every position.
std::string text(std::uint64_t number) {
  Dice dice(number);
  Scribe scribe(dice);
  const Write kind = any_kind(dice);
  const bool story = kind == write_story, mixed_kinds = !story && dice.chance(30);
  const Write aside = kind == write_repeat ? write_song_title : write_plain_sentence;
  if (!story && dice.chance(40)) {
    aside(scribe);
    scribe.write_plain(" ");
  }
  kind(scribe);
  const std::size_t enough = story ? kFewestWords : kFewestWords + dice.below(kMoreWords);
  while (scribe.words() < enough) {
    scribe.write_plain(" ");
    const Write next = mixed_kinds && dice.chance(50) ? dice.pick(asking) : kind;
    (dice.chance(12) ? aside : next)(scribe);
  }
  return scribe.text();
}

}  // namespace lookback::language
