// Who chased whom: only the order of the words tells.
#include "core/language/held_out.hpp"
#include "core/language/lexicon.hpp"
#include "core/language/pieces.hpp"

namespace lookback::language {

namespace {

// {hunter} is the one behind, {prey} the one in front. Beasts have an article, people have none.
constexpr std::string_view where =
    "[||||| through the [garden|field|yard|barn]| around the [barn|house|tree|pond]| along the [road|river|street]| "
    "up the hill| over the bridge]";

struct Kind {
  std::string_view active, passive;
  std::span<const std::string_view> of_the_prey, of_the_hunter;
};

constexpr std::string_view prey_beasts[] = {
    "The one that ran away was the^ {prey}",      "The one that ran away was the^ {prey}",
    "The one in front was the^ {prey}",           "Who ran away? The^ {prey}",
    "The one that came by first was the^ {prey}",
};
constexpr std::string_view hunter_beasts[] = {
    "The one that ran after it was the^ {hunter}",
    "The one that ran after it was the^ {hunter}",
    "The one behind was the^ {hunter}",
    "Who ran after it? The^ {hunter}",
    "The one that came by last was the^ {hunter}",
};
constexpr std::string_view prey_people[] = {
    "The one that ran away was^ {prey}",
    "The one in front was^ {prey}",
    "The one that came by first was^ {prey}",
};
constexpr std::string_view hunter_people[] = {
    "The one that ran behind was^ {hunter}",
    "The one behind was^ {hunter}",
    "The one that came by last was^ {hunter}",
};
constexpr Kind beasts = {
    "[The|The|The|[Yesterday|Last night|In the morning|One day|At noon] the] [|||<size> |<fur> ]{hunter} "
    "[chased|chased|chased|followed|hunted] "
    "the [|||<size> |<fur> ]{prey}",
    "[The|The|The|[Yesterday|Last night|In the morning|One day|At noon] the] [|||<size> |<fur> ]{prey} was "
    "[chased|chased|followed|hunted] "
    "by the [|||<size> |<fur> ]{hunter}",
    prey_beasts, hunter_beasts};
constexpr Kind people = {
    "[||[Yesterday|Last night|In the morning|One day|At noon] ]{hunter} [chased|chased|followed] {prey}",
    "[||[Yesterday|Last night|In the morning|One day|At noon] ]{prey} was [chased|followed] by {hunter}", prey_people,
    hunter_people};

constexpr std::string_view after[] = {
    " Nobody was hurt.", " Then both were tired.", " In the end they rested.",
    " {c} saw it all.",  " It was a long run.",
};

const Kind& kind_of(std::string_view one) { return one.front() >= 'A' && one.front() <= 'Z' ? people : beasts; }

// Two of the same list, a held-out pair or none, as asked.
void keep_two(Scribe& scribe, bool held_out) {
  Dice& dice = scribe.dice();
  const std::span<const std::string_view> all = dice.chance(25) ? std::span(names) : list("animal");
  for (;;) {
    const std::string_view hunter = dice.pick(all), prey = dice.pick(all);
    if (hunter == prey || held_out_pair(hunter, prey) != held_out) continue;
    scribe.keep("hunter", hunter);
    scribe.keep("prey", prey);
    return;
  }
}

void write_chase_itself(Scribe& scribe, const Kind& kind) {
  scribe.write(scribe.dice().chance(60) ? kind.active : kind.passive);
  scribe.write(where);
  scribe.write(". ");
}

}  // namespace

void write_chase(Scribe& scribe) {
  scribe.begin_story();
  Dice& dice = scribe.dice();
  keep_two(scribe, false);
  const Kind& kind = kind_of(scribe.kept("hunter"));
  write_chase_itself(scribe, kind);
  const bool prey_first = dice.chance(50);
  scribe.write(dice.pick(prey_first ? kind.of_the_prey : kind.of_the_hunter));
  scribe.write(".");
  if (dice.chance(25)) {
    scribe.write(" ");
    scribe.write(dice.pick(prey_first ? kind.of_the_hunter : kind.of_the_prey));
    scribe.write(".");
  }
  if (dice.chance(25)) scribe.write(dice.pick(after));
}

Case chase_case(Dice& dice) {
  Scribe scribe(dice);
  keep_two(scribe, true);
  const Kind& kind = kind_of(scribe.kept("hunter"));
  write_chase_itself(scribe, kind);
  const bool ask_prey = dice.chance(50);
  scribe.write(dice.pick(ask_prey ? kind.of_the_prey : kind.of_the_hunter));
  const std::string_view right = scribe.kept(ask_prey ? "prey" : "hunter");
  const std::string prompt = scribe.text().substr(0, scribe.cut());
  Case made = question(prompt, right, prompt.substr(prompt.rfind(' ') + 1));
  made.right = {spaced(right)};
  made.wrong = {spaced(scribe.kept(ask_prey ? "hunter" : "prey"))};
  return made;
}

}  // namespace lookback::language
