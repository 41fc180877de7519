// Facts: each capital has its country and a language.
#include "core/language/held_out.hpp"
#include "core/language/lexicon.hpp"
#include "core/language/pieces.hpp"

namespace lookback::language {

namespace {

// The form of the book, said of some cities only (held_out_home).
constexpr std::string_view home = "{a} lives in {city}, the capital of^ {country}";

constexpr std::string_view capital_forms[] = {
    "{a} [works in|stayed in|was born in|came from|flew to|went to|arrived in|studied in|wrote from|moved to] {city}, "
    "the capital of^ {country}",
    "{a} [works in|was born in|went to] {city}, the [big|beautiful] capital of^ {country}",
    "[Yesterday|Last week|Last summer|Today] {a} [flew to|went to|came back from|arrived in] {city}, "
    "the capital of^ {country}",
    "{a} [has a house|has a friend|met a friend|found work] in {city}, the capital of^ {country}",
    "My [friend|teacher|neighbor] {a} [lives|works] in {city}. {city} is the capital of^ {country}",
};
// Facts without "the capital of" before the country, and without a country.
constexpr std::string_view other_forms[] = {
    "{city} is the capital of {country}",
    "The capital of {country} is {city}",
    "{a} lives in {city}, in {country}",
    "{a} lives in {country}, in the city of {city}",
    "In {city} people speak {tongue}",
    "In {city}, the capital of {country}, people speak {tongue}",
    "Most people in {country} speak {tongue}",
    "{a} comes from {city}. {He} speaks {tongue}",
    "{a} lives in {city}. {He} speaks {tongue} with {his} [friends|mother|father|sister|brother]",
    "{a} lives in {city} and [loves|likes] the [streets|food|people] of {country}",
    "{a} wants to [go to|see|visit] {city}, so {he} learns {tongue}",
    "{a} went to {country}. {He} stayed in {city} for a week",
    "{a} took the train to {city}. {He} likes {country}",
};
constexpr std::string_view after[] = {
    " {He} speaks {tongue}.",        " There {he} learns {tongue}.",
    " {He} likes the city.",         " {b} [wants to visit {him}|writes to {him}|misses {him}].",
    " People there speak {tongue}.", " {He} likes {country}.",
};

void keep_capital(Scribe& scribe, const Capital& capital) {
  scribe.keep("city", capital.city);
  scribe.keep("country", capital.country);
  scribe.keep("tongue", capital.tongue);
}

}  // namespace

void write_country(Scribe& scribe) {
  scribe.begin_story();
  Dice& dice = scribe.dice();
  const std::string_view name = scribe.kept("a");
  const Capital* capital;
  do capital = &dice.pick(capitals);
  while (held_out_city(name, capital->city));
  keep_capital(scribe, *capital);
  const std::size_t at = dice.below(100);
  if (at < 20 && !held_out_home(capital->city)) {
    scribe.write(home);
  } else if (at < 60) {
    scribe.write(dice.pick(capital_forms));
  } else {
    scribe.write(dice.pick(other_forms));
    scribe.write(".");
    return;
  }
  scribe.write(".");
  if (dice.chance(50)) scribe.write(dice.pick(after));
}

Case country_case(Dice& dice) {
  Scribe scribe(dice);
  std::string_view name;
  const Capital* capital;
  do {
    name = dice.pick(names), capital = &dice.pick(capitals);
  } while (!held_out_city(name, capital->city));
  scribe.keep("a", name);
  keep_capital(scribe, *capital);
  scribe.write(dice.chance(50) ? home : dice.pick(capital_forms));
  Case made = question(scribe.text().substr(0, scribe.cut()), capital->city, "of");
  add_country_answers(made, capital->city);
  return made;
}

void add_country_answers(Case& made, std::string_view city) {
  for (const Capital& capital : capitals) {
    (capital.city == city ? made.right : made.wrong).push_back(spaced(capital.country));
  }
}

}  // namespace lookback::language
