#include "core/language/lexicon.hpp"

namespace lookback::language {

namespace {

constexpr std::string_view things[] = {"drink",  "book",  "letter",  "apple",  "flower", "ring", "key",
                                       "cup",    "hat",   "coat",    "cake",   "coin",   "map",  "pen",
                                       "basket", "box",   "shell",   "stone",  "pear",   "gift", "picture",
                                       "bag",    "spoon", "blanket", "ticket", "rope"};
constexpr std::string_view places[] = {"store", "market", "park", "beach",  "school", "station", "library", "lake",
                                       "farm",  "river",  "zoo",  "museum", "bakery", "harbor",  "hill",    "church"};
constexpr std::string_view animals[] = {"dog",  "cat",    "horse", "bird",   "cow",   "pig",    "sheep", "duck", "lion",
                                        "wolf", "bear",   "mouse", "frog",   "goat",  "donkey", "snake", "owl",  "fox",
                                        "hen",  "rabbit", "tiger", "monkey", "goose", "turtle", "deer"};
constexpr std::string_view pets[] = {"dog", "cat", "bird", "rabbit", "mouse", "turtle", "duck"};
constexpr std::string_view fragiles[] = {"cup", "lamp", "clock", "plate", "chair", "box"};
constexpr std::string_view guards[] = {"dog", "goose", "donkey"};
constexpr std::string_view foods[] = {"bread", "soup", "rice", "cheese", "fish", "pie", "cake", "honey"};
constexpr std::string_view fruits[] = {"apples", "pears", "plums", "nuts", "berries"};
constexpr std::string_view colors[] = {"red", "blue", "green", "yellow", "white", "black", "brown", "gray"};
constexpr std::string_view furs[] = {"white", "black", "brown", "gray"};
constexpr std::string_view sizes[] = {"old", "small", "big", "little"};
constexpr std::string_view weathers[] = {"cold", "warm", "windy", "rainy", "quiet"};
constexpr std::string_view daytimes[] = {"morning", "day", "evening", "night"};
constexpr std::string_view numbers[] = {"one",   "two",   "three", "four", "five",   "six",
                                        "seven", "eight", "nine",  "ten",  "eleven", "twelve"};
constexpr std::string_view some[] = {"two", "three", "four", "five", "six", "seven"};  // a plural may follow
constexpr std::string_view weekdays[] = {"Monday", "Tuesday", "Friday", "Sunday"};
constexpr std::string_view families[] = {"mother", "father", "sister", "brother", "uncle", "aunt"};
constexpr std::string_view women[] = {"mother", "sister", "aunt"};
constexpr std::string_view men[] = {"father", "brother", "uncle"};
constexpr std::string_view gave[] = {"gave",    "gave",    "gave",   "handed", "sent", "showed",
                                     "offered", "brought", "passed", "lent",   "sold"};
constexpr std::string_view spots[] = {"table", "tree", "bed", "bench", "bush", "chair"};
constexpr std::string_view rooms[] = {"kitchen", "garden", "barn", "yard"};

// The other nouns beside "it".
constexpr std::string_view ways[] = {"street", "road", "bridge", "river", "field", "yard", "path", "garden"};
constexpr std::string_view marks[] = {"gate", "door",  "wall",  "tower", "tree",  "fence",   "well", "car",
                                      "cart", "train", "truck", "boat",  "stove", "machine", "robot"};
constexpr std::string_view buildings[] = {"house", "barn", "store", "school", "church", "farm", "station", "mill"};
constexpr std::string_view beasts[] = {"animal", "dog",  "cat",  "horse", "bird", "cow",  "pig",    "sheep", "duck",
                                       "lion",   "wolf", "bear", "mouse", "frog", "goat", "donkey", "snake", "owl"};
constexpr std::string_view toys[] = {"clock", "bell", "kettle", "candle", "lamp", "ball",
                                     "kite",  "drum", "radio",  "wheel",  "bike", "box"};

// Nouns and other words that stand in no list above.
constexpr std::string_view loose_words[] = {
    "roof",   "moon",   "sun",    "star",   "cloud", "rain",   "snow",  "wind",  "sea",    "island",  "window",
    "garden", "milk",   "tea",    "bread",  "knife", "plate",  "shoe",  "song",  "story",  "paper",   "wood",
    "fire",   "water",  "hand",   "nose",   "foot",  "king",   "queen", "child", "friend", "teacher", "doctor",
    "baker",  "farmer", "sailor", "happy",  "tired", "soft",   "loud",  "quiet", "round",  "deep",    "tall",
    "sing",   "dance",  "sleep",  "swim",   "jump",  "walk",   "read",  "write", "cook",   "wash",    "open",
    "close",  "begin",  "under",  "behind", "again", "always", "never", "soon",  "here",   "there",   "today",
};

struct List {
  std::string_view name;
  std::span<const std::string_view> words;
};
constexpr List lists[] = {
    {"thing", things},   {"place", places}, {"animal", animals},   {"pet", pets},         {"food", foods},
    {"fruit", fruits},   {"color", colors}, {"size", sizes},       {"weather", weathers}, {"daytime", daytimes},
    {"number", numbers}, {"some", some},    {"weekday", weekdays}, {"family", families},  {"woman", women},
    {"man", men},        {"guard", guards}, {"fragile", fragiles}, {"fur", furs},         {"gave", gave},
    {"spot", spots},     {"room", rooms},   {"way", ways},         {"mark", marks},       {"building", buildings},
    {"beast", beasts},   {"toy", toys},
};

// The lists' lower-case words, each once.
constexpr std::size_t kMostCommon = 400;
struct Common {
  std::string_view words[kMostCommon];
  std::size_t count = 0;

  constexpr void add(std::span<const std::string_view> more) {
    for (const std::string_view word : more) {
      bool known = word.front() < 'a';
      for (std::size_t i = 0; i < count && !known; ++i) known = words[i] == word;
      if (!known) words[count++] = word;
    }
  }
};
constexpr Common common = [] {
  Common all;
  for (const List& one : lists) all.add(one.words);
  all.add(loose_words);
  return all;
}();

}  // namespace

bool is_female(std::string_view name) {
  for (std::size_t i = 0; i < 30; ++i) {
    if (names[i] == name) return true;
  }
  return false;
}

std::span<const std::string_view> list(std::string_view name) {
  for (const List& one : lists) {
    if (one.name == name) return one.words;
  }
  return {};
}

std::span<const std::string_view> common_words() { return std::span(common.words).first(common.count); }

}  // namespace lookback::language
