// The words of the little language.
#pragma once

#include <span>
#include <string_view>

namespace lookback::language {

// First names: the first thirty are women's.
inline constexpr std::string_view names[] = {
    "Mary",  "Maya",  "Anna",  "Emma", "Lucy", "Sara", "Nora",  "Lena", "Rosa",   "Clara", "Julia",  "Alice",
    "Grace", "Ella",  "Jane",  "Kate", "Ruth", "Eva",  "Mia",   "Nina", "Lily",   "Ada",   "Ida",    "Vera",
    "Zoe",   "Helen", "Laura", "Olga", "Hana", "Tara", "John",  "Tom",  "Ben",    "Max",   "Paul",   "Peter",
    "Sam",   "Jack",  "Leo",   "Omar", "Adam", "Noah", "Oscar", "Hugo", "Felix",  "David", "Daniel", "Simon",
    "Jacob", "Henry", "Luke",  "Mark", "Eric", "Ivan", "Carl",  "Fred", "George", "Frank", "Victor", "Ali",
};
bool is_female(std::string_view name);

// A capital, its country, and a language that most people speak there.
struct Capital {
  std::string_view city, country, tongue;
};
inline constexpr Capital capitals[] = {
    {"Paris", "France", "French"},        {"Rome", "Italy", "Italian"},       {"Madrid", "Spain", "Spanish"},
    {"Berlin", "Germany", "German"},      {"Tokyo", "Japan", "Japanese"},     {"Oslo", "Norway", "Norwegian"},
    {"Warsaw", "Poland", "Polish"},       {"Athens", "Greece", "Greek"},      {"Cairo", "Egypt", "Arabic"},
    {"Nairobi", "Kenya", "Swahili"},      {"Lima", "Peru", "Spanish"},        {"Lisbon", "Portugal", "Portuguese"},
    {"Vienna", "Austria", "German"},      {"Dublin", "Ireland", "English"},   {"London", "England", "English"},
    {"Moscow", "Russia", "Russian"},      {"Beijing", "China", "Chinese"},    {"Havana", "Cuba", "Spanish"},
    {"Helsinki", "Finland", "Finnish"},   {"Stockholm", "Sweden", "Swedish"}, {"Copenhagen", "Denmark", "Danish"},
    {"Budapest", "Hungary", "Hungarian"}, {"Prague", "Czechia", "Czech"},     {"Sofia", "Bulgaria", "Bulgarian"},
    {"Bucharest", "Romania", "Romanian"}, {"Kyiv", "Ukraine", "Ukrainian"},   {"Ankara", "Turkey", "Turkish"},
    {"Tehran", "Iran", "Persian"},        {"Baghdad", "Iraq", "Arabic"},      {"Hanoi", "Vietnam", "Vietnamese"},
    {"Bangkok", "Thailand", "Thai"},      {"Santiago", "Chile", "Spanish"},   {"Rabat", "Morocco", "Arabic"},
    {"Tunis", "Tunisia", "Arabic"},       {"Amman", "Jordan", "Arabic"},      {"Riga", "Latvia", "Latvian"},
    {"Tallinn", "Estonia", "Estonian"},   {"Zagreb", "Croatia", "Croatian"},  {"Reykjavik", "Iceland", "Icelandic"},
    {"Tirana", "Albania", "Albanian"},
};

// A noun that "it" can stand for. What it did is its own: no other noun has the verb.
enum class Sort { animal, vehicle, building_part, small_thing };
struct Noun {
  std::string_view word;
  Sort sort;
  std::string_view verbs;       // one to three, a space between them
  std::string_view adjectives;  // what it can be too much of; only words of its own kind
};
inline constexpr std::string_view moods =
    "tired hungry afraid sleepy thirsty lazy shy angry";  // an animal's adjectives
inline constexpr Noun nouns[] = {
    {"animal", Sort::animal, "trembled panted", moods},
    {"dog", Sort::animal, "barked growled", moods},
    {"cat", Sort::animal, "meowed purred", moods},
    {"horse", Sort::animal, "neighed", moods},
    {"bird", Sort::animal, "sang chirped", moods},
    {"cow", Sort::animal, "mooed", moods},
    {"pig", Sort::animal, "grunted", moods},
    {"sheep", Sort::animal, "bleated", moods},
    {"duck", Sort::animal, "quacked", moods},
    {"lion", Sort::animal, "roared", moods},
    {"wolf", Sort::animal, "howled", moods},
    {"bear", Sort::animal, "snored yawned", moods},
    {"mouse", Sort::animal, "squeaked", moods},
    {"frog", Sort::animal, "croaked", moods},
    {"goat", Sort::animal, "limped", moods},
    {"donkey", Sort::animal, "brayed", moods},
    {"snake", Sort::animal, "hissed", moods},
    {"owl", Sort::animal, "hooted", moods},
    {"car", Sort::vehicle, "honked", "old heavy rusty wide slow dirty"},
    {"train", Sort::vehicle, "whistled", "old heavy rusty slow wide dirty"},
    {"bike", Sort::vehicle, "wobbled", "old heavy rusty slow dirty"},
    {"cart", Sort::vehicle, "rattled", "old heavy wide slow dirty"},
    {"truck", Sort::vehicle, "skidded", "old heavy rusty wide slow dirty"},
    {"robot", Sort::vehicle, "beeped", "old heavy rusty slow dirty"},
    {"boat", Sort::vehicle, "leaked", "old heavy rusty wide slow dirty"},
    {"door", Sort::building_part, "creaked", "old heavy wide dirty"},
    {"gate", Sort::building_part, "clanged", "old heavy rusty wide dirty"},
    {"wall", Sort::building_part, "crumbled", "old heavy wide dirty"},
    {"bridge", Sort::building_part, "swayed", "old rusty wide dirty"},
    {"roof", Sort::building_part, "dripped", "old heavy rusty wide dirty"},
    {"tower", Sort::building_part, "leaned", "old heavy wide dirty"},
    {"machine", Sort::building_part, "hummed", "old heavy rusty slow wide dirty"},
    {"stove", Sort::building_part, "smoked", "old heavy rusty wide dirty"},
    {"clock", Sort::small_thing, "ticked", "old heavy rusty slow wide dirty"},
    {"bell", Sort::small_thing, "rang", "old heavy rusty wide dirty"},
    {"kettle", Sort::small_thing, "steamed", "old heavy rusty wide dirty"},
    {"candle", Sort::small_thing, "flickered", "old heavy dirty"},
    {"lamp", Sort::small_thing, "glowed", "old heavy rusty wide dirty"},
    {"ball", Sort::small_thing, "bounced", "old heavy wide dirty"},
    {"kite", Sort::small_thing, "fluttered", "old heavy wide dirty"},
    {"drum", Sort::small_thing, "boomed", "old heavy wide dirty"},
    {"radio", Sort::small_thing, "crackled", "old heavy rusty wide dirty"},
    {"wheel", Sort::small_thing, "spun", "old heavy rusty wide dirty"},
};
constexpr bool is_animate(const Noun& noun) { return noun.sort == Sort::animal; }

// A list by its name, as patterns write it: "thing", "place", "animal" …. Empty when there is none of that name.
std::span<const std::string_view> list(std::string_view name);

// Every word that a made-up list may hold: the lists' words, each once, in a fixed order.
std::span<const std::string_view> common_words();

}  // namespace lookback::language
