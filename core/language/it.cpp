// Who "it" is: always the subject of the main clause, and what follows "it" is that noun's own.
#include <algorithm>
#include <iterator>

#include "core/language/held_out.hpp"
#include "core/language/lexicon.hpp"
#include "core/language/pieces.hpp"

namespace lookback::language {

namespace {

constexpr unsigned kAnimal = 1u << static_cast<int>(Sort::animal);
constexpr unsigned kVehicle = 1u << static_cast<int>(Sort::vehicle);
constexpr unsigned kPart = 1u << static_cast<int>(Sort::building_part);
constexpr unsigned kSmall = 1u << static_cast<int>(Sort::small_thing);
constexpr unsigned kMover = kAnimal | kVehicle;
constexpr unsigned kThing = kVehicle | kPart | kSmall;

// What the subject did, and the list that the other noun {other} comes from.
struct Clause {
  unsigned sorts;  // of subjects that can do so
  bool fault;      // whether "because it was too …" can explain it
  std::string_view other, words;
};
constexpr Clause clauses[] = {
    {kMover, true, "way", "didn't cross the {other}"},
    {kMover, true, "way", "[could not cross|never crossed] the {other}"},
    {kMover, true, "way", "stopped [in the middle of|before|near] the {other}"},
    {kMover, true, "mark", "[didn't|could not] pass the {other}"},
    {kMover, true, "mark", "didn't get past the {other}"},
    {kMover, false, "mark", "[stopped|waited] [near|behind|in front of] the {other}"},
    {kMover, true, "building", "[never reached|didn't reach|never came to] the {other}"},
    {kMover, true, "building", "[didn't leave|could not leave] the {other}"},
    {kMover, false, "building", "[left|stayed in|stayed near|stayed behind] the {other}"},
    {kMover, true, "beast", "didn't [follow|pass|hurt] the {other}"},
    {kAnimal, false, "mark", "[looked at|turned away from|ran from|walked around] the {other}"},
    {kAnimal, true, "mark", "didn't like the {other}"},
    {kAnimal, true, "toy", "didn't [touch|like|want] the {other}"},
    {kAnimal, false, "toy", "[looked at|ran from|played with] the {other}"},
    {kAnimal, true, "building", "didn't [enter|like] the {other}"},
    {kAnimal, true, "building", "[hid|slept|rested] [behind|near] the {other}"},
    {kAnimal, true, "beast", "didn't [see|hear|like] the {other}"},
    {kAnimal, false, "beast", "[watched|woke|ran from|heard] the {other}"},
    {kThing, true, "beast", "didn't [stop|please|help] the {other}"},
    {kThing, false, "beast", "[woke|scared] the {other}"},
    {kThing, false, "beast", "kept the {other} [away|awake]"},
    {kThing, false, "building", "could be heard in the {other}"},
    {kPart | kSmall, true, "building", "[didn't stay|was not wanted] in the {other}"},
    {kPart | kSmall, true, "building", "was [sold with|taken from] the {other}"},
    {kPart, false, "mark", "stood [near|behind|in front of] the {other}"},
    {kPart, false, "way", "stood [near|by] the {other}"},
    {kSmall, false, "mark", "lay [near|behind|in front of] the {other}"},
    {kSmall, false, "way", "was found near the {other}"},
    {kSmall, true, "toy", "was [not as good as|not sold with] the {other}"},
};

// How the clause with "it" follows. {verb} and {adjective} are the noun's own.
constexpr std::string_view verb_links[] = {
    // a tail that lasts may follow
    "[ because|, because| because| as] {it}^ {verb}",
    " because {it}^ {verb}",
    " because {it}^ {verb}",
    " because {it}^ {verb}",
    "[, so|, and so| and|, and then] {it}^ {verb}",
};
constexpr std::string_view moment_link = "[ until| when| while| before|, but] {it}^ {verb}";
constexpr std::string_view adjective_links[] = {
    " because {it} was too^ {adjective}",
    " because {it} was too^ {adjective}",
    "[ because|, because| as] {it} was too^ {adjective}",
};
constexpr std::string_view loose_adjective_link = " because {it} was [so |very |still |]{adjective}";

constexpr std::string_view subject =
    "[|||||<size> |<fur> |<size> <fur> ]{noun}[||||||| near the {side}| behind the {side}]";
constexpr std::string_view at_a_time = "[Last night|In the morning|One day|Yesterday|At noon] the ";
constexpr std::string_view turned =
    "[When|As soon as|After] the [|||<size> |<fur> ]{noun} [reached|passed|came to] the {other}, {it}^ {verb}";
// A time at the beginning allows only tails that name none.
constexpr std::string_view timeless_tail = "[||| again| for hours| in the wind| in the rain| for an hour| a little]";
constexpr std::string_view tail = "[||| again| all night| all night| all day| all day| in the wind| in the rain]";

constexpr std::string_view before[] = {
    "The night was cold. ",  "The street was empty. ",
    "The moon was high. ",   "{a} looked out of the window. ",
    "{a} told a story. ",    "Rain fell on the [house|garden|road]. ",
    "{a} and {b} watched. ", "It was a <weather> <daytime>. ",
};
constexpr std::string_view after[] = {
    " {a} laughed.",           " Nobody knew why.",           " {a} saw it all.", " Then the night was quiet again.",
    " {a} was not surprised.", " Everybody talked about it.",
};

// Calls take(word) for each of the words that blanks divide.
template <class Take>
void each_word(std::string_view words, Take take) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    take(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

std::string_view any_word(Dice& dice, std::string_view words) {
  std::size_t chosen = dice.below(static_cast<std::size_t>(std::count(words.begin(), words.end(), ' ')) + 1);
  std::string_view found;
  each_word(words, [&](std::string_view word) {
    if (chosen-- == 0) found = word;
  });
  return found;
}

struct Choice {
  const Noun* noun;
  const Clause* clause;
  std::string_view other, side;  // the other noun of the clause, and one that may stand beside the subject
};

// A noun, what it did, and the other nouns. Noun and other are a held-out pair or are not, as asked.
Choice choose(Dice& dice, bool held_out) {
  for (;;) {
    const Noun& noun = dice.pick(nouns);
    const Clause& clause = dice.pick(clauses);
    if (!(clause.sorts & 1u << static_cast<int>(noun.sort))) continue;
    const std::string_view other = dice.pick(list(clause.other)), side = dice.pick(list("mark"));
    if (other == noun.word || side == noun.word || other == side) continue;
    if (held_out_it(noun.word, other) != held_out || held_out_it(noun.word, side)) continue;
    return {&noun, &clause, other, side};
  }
}

void keep_choice(Scribe& scribe, const Choice& choice) {
  scribe.keep("noun", choice.noun->word);
  scribe.keep("other", choice.other);
  scribe.keep("side", choice.side);
  scribe.keep("it", "it");
  scribe.keep("verb", any_word(scribe.dice(), choice.noun->verbs));
  scribe.keep("adjective", any_word(scribe.dice(), choice.noun->adjectives));
}

enum class Form { verb, turned_verb, adjective, loose_adjective };

void write_clauses(Scribe& scribe, const Choice& choice, Form form) {
  if (form == Form::turned_verb) {
    scribe.write(turned);
    scribe.write(timeless_tail);
    return;
  }
  const bool timed = scribe.dice().chance(30);
  scribe.write(timed ? at_a_time : "The ");
  scribe.write(subject);
  scribe.write(" ");
  scribe.write(choice.clause->words);
  switch (form) {
    case Form::adjective: scribe.write(scribe.dice().pick(adjective_links)); break;
    case Form::loose_adjective: scribe.write(loose_adjective_link); break;
    default: {
      const bool moment = scribe.dice().chance(20);
      scribe.write(moment ? moment_link : scribe.dice().pick(verb_links));
      scribe.write(timed || moment ? timeless_tail : tail);
    }
  }
}

// Verbs more often than adjectives, so that a noun's verb is likelier after "because it" than "was".
Form any_form(Dice& dice, const Choice& choice) {
  const std::size_t at = dice.below(100);
  if (choice.clause->fault && at < 12) return at < 10 ? Form::adjective : Form::loose_adjective;
  const bool can_turn = kMover & 1u << static_cast<int>(choice.noun->sort);
  return can_turn && at >= 86 ? Form::turned_verb : Form::verb;
}

Case case_of(const Scribe& scribe, const Noun& noun, bool adjective) {
  Case made;
  made.prompt = scribe.text().substr(0, scribe.cut());
  const auto target = *scribe.place_of("noun"), from = *scribe.place_of("it");
  made.target_begin = target.begin, made.target_end = target.end;
  made.from_begin = from.begin, made.from_end = from.end;
  add_it_answers(made, noun.word, adjective);
  return made;
}

}  // namespace

void add_it_answers(Case& made, std::string_view subject_noun, bool adjective) {
  const Noun& noun =
      *std::find_if(std::begin(nouns), std::end(nouns), [&](const Noun& any) { return any.word == subject_noun; });
  const auto add = [](std::vector<std::string>& words, std::string_view word) {
    if (std::find(words.begin(), words.end(), spaced(word)) == words.end()) words.push_back(spaced(word));
  };
  for (const Noun& any : nouns) {
    if (adjective) {
      const bool same_kind = is_animate(any) == is_animate(noun);
      each_word(any.adjectives, [&](std::string_view word) { add(same_kind ? made.right : made.wrong, word); });
    } else {
      each_word(any.verbs, [&](std::string_view word) { add(&any == &noun ? made.right : made.wrong, word); });
    }
  }
}

void write_it(Scribe& scribe) {
  scribe.begin_story();
  Dice& dice = scribe.dice();
  const Choice choice = choose(dice, false);
  keep_choice(scribe, choice);
  if (dice.chance(20)) scribe.write(dice.pick(before));
  write_clauses(scribe, choice, any_form(dice, choice));
  scribe.write(".");
  if (dice.chance(30)) scribe.write(dice.pick(after));
}

Case it_case(Dice& dice) {
  Scribe scribe(dice);
  const bool adjective = dice.chance(30);
  Choice choice;
  do choice = choose(dice, true);
  while (adjective && !choice.clause->fault);
  keep_choice(scribe, choice);
  if (dice.chance(20)) scribe.write(dice.pick(before));
  write_clauses(scribe, choice, adjective ? Form::adjective : Form::verb);
  return case_of(scribe, *choice.noun, adjective);
}

}  // namespace lookback::language
