// Two people, of whom one gives: the other gets it.
#include "core/language/held_out.hpp"
#include "core/language/lexicon.hpp"
#include "core/language/pieces.hpp"

namespace lookback::language {

namespace {

// {a} is named first, {b} second; {giver} is one of them, {getter} the other.
constexpr std::string_view errand =
    "When {a} and {b} [went to|went to|came to|were at] the {place}, {giver} [gave|gave|<gave>] a {thing} to^ {getter}";

constexpr std::string_view forms[] = {
    "[After|When|While|As] {a} and {b} [were at|walked to|waited at|stood near] the {place}, "
    "{giver} <gave> [a|a|the|a <color>|a <size>] {thing} to^ {getter}",
    "[After|When|Before] {a} and {b} [left|saw|came home from] the {place}, "
    "{giver} <gave> [a|a|the|a <color>] {thing} to^ {getter}",
    "{a} and {b} [were at|went to|met at|worked at|waited at|sat near] the {place}. "
    "[|Then |Then |Soon |After a while |Before noon ]{giver} <gave> [a|a|the|a <color>|a <size>] {thing} to^ {getter}",
    "[Yesterday|Today|Last week|One day|In the morning|In the evening] {a} and {b} [went to|were at|met at] the "
    "{place}, "
    "and [|then |soon |there ]{giver} <gave> a {thing} to^ {getter}",
    "{a} [met|saw|found|visited] {b} at the {place}[. |, and |. Then |. Soon ]{giver} <gave> [a|a|a <color>] {thing} "
    "to^ {getter}",
    "{a} and {b} [were friends|lived in one house|worked together|played together]. "
    "[One day|On Monday|In the evening|Last week] {giver} <gave> [a|a|a <size>] {thing} to^ {getter}",
    "{a} and {b} [sat|walked|talked|played|waited] [at|near] the {place}. {giver} [had|found|bought|made] a {thing} "
    "and "
    "<gave> it to^ {getter}",
    "{a} [sat|stood|was] [with|next to|near] {b} at the {place}. {giver} [smiled|laughed] and <gave> a {thing} to^ "
    "{getter}",
};
constexpr std::string_view turned_forms[] = {
    "[When|After|While] {a} and {b} were at the {place}, {giver} gave {getter} a [<color> |]{thing}",
    "{a} and {b} went to the {place}. There {giver} [gave|sent|showed|handed|offered] {getter} a [<size> |]{thing}",
    "{a} and {b} [met at|went to] the {place}, and {getter} got a {thing} from {giver}",
};

constexpr std::string_view tails[] = {
    "", "", "", "", " [before lunch|after dinner|in the evening|with a smile]",
};
constexpr std::string_view after[] = {
    " {getter} [was happy|smiled|laughed|was glad|said nothing].",
    " {getter} [thanked|hugged|looked at|smiled at] {giver}.",
    " \"Thank you,\" said {getter}.",
    " Then {getter} <gave> a {thing2} to {giver}.",
    " Then they [went|walked] home.",
};

// Either gives, each as often.
void keep_roles(Scribe& scribe, std::string_view one, std::string_view other) {
  const bool first_gives = scribe.dice().chance(50);
  scribe.keep("a", one);
  scribe.keep("b", other);
  scribe.keep("giver", first_gives ? one : other);
  scribe.keep("getter", first_gives ? other : one);
}

// Place and thing, a held-out pair or none, as asked.
void keep_errand(Scribe& scribe, bool held_out) {
  Dice& dice = scribe.dice();
  for (;;) {
    const std::string_view place = dice.pick(list("place")), thing = dice.pick(list("thing"));
    if (held_out_errand(place, thing) != held_out) continue;
    scribe.keep("place", place);
    scribe.keep("thing", thing);
    return;
  }
}

}  // namespace

void write_who_gets(Scribe& scribe) {
  scribe.begin_story();
  Dice& dice = scribe.dice();
  const std::string_view one = scribe.kept("a"), other = scribe.kept("b");
  keep_roles(scribe, one, other);
  const std::size_t at = dice.below(100);
  keep_errand(scribe, false);
  if (at < 22) {
    scribe.write(errand);
  } else if (at < 88) {
    scribe.write(dice.pick(forms));
  } else {
    scribe.write(dice.pick(turned_forms));
  }
  scribe.write(dice.pick(tails));
  scribe.write(".");
  if (dice.chance(40)) scribe.write(dice.pick(after));
}

Case who_gets_case(Dice& dice) {
  Scribe scribe(dice);
  std::string_view one, other;
  do {
    one = dice.pick(names), other = dice.pick(names);
  } while (one == other || !held_out_pair(one, other));
  keep_roles(scribe, one, other);
  if (dice.chance(30)) {
    keep_errand(scribe, dice.chance(50));
    scribe.write(errand);
  } else {
    scribe.write(dice.pick(forms));
  }
  Case made = question(scribe.text().substr(0, scribe.cut()), scribe.kept("getter"), "to");
  made.right = {spaced(scribe.kept("getter"))};
  made.wrong = {spaced(scribe.kept("giver"))};
  return made;
}

}  // namespace lookback::language
