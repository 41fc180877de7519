#include "core/language/stories.hpp"

#include "core/language/pieces.hpp"

namespace lookback::language {

namespace {

constexpr std::string_view plain_sentences[] = {
    "It was a [<weather> <daytime>|sunny day].",
    "It was a <weather> <daytime> in the [village|town|city].",
    "The sun was [high|warm|low].",
    "The [street|village|garden|house] was quiet.",
    "{a} sat by the window.",
    "{a} [opened|closed] the window.",
    "The children played in the <room>.",
    "{a} was [happy|tired|hungry|late|at home].",
    "On <weekday> {a} [stayed at home|worked in the garden|went to the {place}].",
    "{a} [read a book|drank tea|sang a song|wrote a letter|made soup] in the kitchen.",
    "{a} and {b} are friends.",
    "{a} lives near the {place}.",
    "The [rain|snow] fell all [day|night].",
    "The wind was [cold|strong|warm].",
    "{a} likes <food>[ and <fruit>|].",
    "{a} has a <fur> <pet>.",
    "Then {a} told a story.",
    "This is a story about <some> friends.",
    "In the evening the lights were on in every house.",
    "There was a <size> <building> near the <place>.",
};

constexpr std::string_view song_titles[] = {
    "This is an old song.",      "{a} sings in the <room>.",   "{a} and {b} play with words.",
    "The children sing a song.", "{a} says the words to {b}.", "Say it again and again.",
};

}  // namespace

void write_song_title(Scribe& scribe) {
  scribe.begin_story();
  scribe.write(scribe.dice().pick(song_titles));
}

void write_plain_sentence(Scribe& scribe) {
  scribe.begin_story();
  scribe.write(scribe.dice().pick(plain_sentences));
}

void write_story(Scribe& scribe) {
  scribe.begin_story();
  const std::span<const std::string_view> home = stories_at_home(), outside = stories_outside();
  const std::size_t chosen = scribe.dice().below(home.size() + outside.size());
  scribe.write(chosen < home.size() ? home[chosen] : outside[chosen - home.size()]);
}

}  // namespace lookback::language
