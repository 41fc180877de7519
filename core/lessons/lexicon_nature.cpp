// Places, sky, water, creatures, food.
#include "core/lessons/lexicon_tables.hpp"

namespace lookback::lessons {

namespace {

using enum Feature;

constexpr Meaning table[] = {
    // Places.
    {"place spot somewhere location area region land landscape surroundings", {{{place, 10}}}},
    {"where here", {{{place, 7}}}},
    {"ground floor corner side edge middle bottom top", {{{place, 7}, {thing, 2}}}},
    {"country nation state kingdom realm empire", {{{place, 7}, {power, 7}}}},
    {"city town village", {{{place, 9}, {person, 4}}}},
    {"capital", {{{place, 7}, {power, 5}, {name, 2}}}},
    {"street road path lane bridge track", {{{place, 8}, {action, 3}}}},
    {"house home flat apartment cottage hut building tower lighthouse", {{{place, 8}, {person, 3}, {thing, 3}}}},
    {"room hall corridor stairs attic cellar roof wall", {{{place, 8}, {thing, 3}}}},
    {"kitchen restaurant cafe bakery canteen", {{{place, 7}, {food, 7}}}},
    {"bedroom", {{{place, 7}, {feeling, 6}}}},
    {"bathroom", {{{place, 7}, {water, 6}}}},
    {"garden yard lawn grass field meadow pasture park farm", {{{place, 8}, {creature, 3}}}},
    {"forest wood woods jungle", {{{place, 8}, {creature, 5}}}},
    {"zoo stable nest kennel", {{{place, 6}, {creature, 8}}}},
    {"mountain hill cliff valley peak", {{{place, 9}, {sky, 2}}}},
    {"desert sand dust stone rock mud", {{{place, 6}, {thing, 5}}}},
    {"school classroom university", {{{place, 6}, {person, 5}, {writing, 6}}}},
    {"library bookshop archive", {{{place, 6}, {writing, 8}}}},
    {"station airport", {{{place, 8}, {action, 5}}}},
    {"hospital", {{{place, 7}, {person, 5}, {feeling, 4}}}},
    {"church temple", {{{place, 7}, {person, 4}, {feeling, 3}}}},
    {"prison court parliament palace castle", {{{place, 7}, {power, 8}}}},
    {"shop market store supermarket", {{{place, 7}, {money, 6}, {food, 3}}}},
    {"live lived", {{{place, 6}, {creature, 4}}}},
    {"map atlas", {{{place, 7}, {writing, 6}, {thing, 2}}}},
    {"paris london rome berlin cairo tokyo delhi lagos lima", {{{place, 8}, {name, 6}, {power, 2}}}},
    {"france italy spain germany egypt japan india nigeria peru europe africa asia america",
     {{{place, 7}, {power, 5}, {name, 5}}}},

    // Sky.
    {"sky heaven heavens", {{{sky, 10}}}},
    {"air wind breeze atmosphere", {{{sky, 8}, {action, 2}}}},
    {"cloud star starlight sunshine rainbow comet overhead above", {{{sky, 9}}}},
    {"sun", {{{sky, 9}, {time, 3}}}},
    {"moon", {{{sky, 8}, {place, 5}}}},
    {"planet world globe", {{{place, 6}, {sky, 8}}}},
    {"earth", {{{place, 8}, {sky, 5}}}},
    {"mars venus jupiter saturn mercury neptune", {{{place, 6}, {sky, 6}, {name, 4}}}},
    {"space orbit galaxy universe", {{{sky, 9}, {place, 5}}}},
    {"rocket spaceship spacecraft satellite", {{{sky, 5}, {thing, 7}, {action, 4}}}},
    {"plane aeroplane airplane helicopter balloon kite wing", {{{sky, 6}, {thing, 6}, {action, 3}}}},
    {"fly flew flying flown soar soared", {{{sky, 6}, {action, 7}}}},
    {"telescope", {{{sky, 7}, {thing, 7}}}},
    {"weather storm thunder lightning", {{{sky, 8}, {water, 3}, {action, 2}}}},
    {"astronaut pilot", {{{person, 8}, {sky, 7}}}},

    // Water.
    {"water", {{{water, 10}}}},
    {"river stream brook lake pond sea ocean waterfall canal", {{{water, 9}, {place, 4}}}},
    {"riverbank riverside beach shore coast harbour harbor port bay swamp", {{{place, 7}, {water, 7}}}},
    {"island", {{{place, 8}, {water, 5}}}},
    {"bank", {{{place, 5}, {water, 5}, {money, 5}}}},
    {"wave tide flood drop puddle current", {{{water, 9}, {action, 3}}}},
    {"rain rainy drizzle", {{{water, 7}, {sky, 6}}}},
    {"snow ice frost", {{{water, 6}, {sky, 4}, {feeling, 3}}}},
    {"boat ship ferry canoe raft sail", {{{water, 6}, {thing, 6}, {action, 2}}}},
    {"flow flowed flowing pour poured pouring", {{{water, 7}, {action, 7}}}},
    {"swim swam swimming dive dived diving bathe wet wash washed washing", {{{water, 7}, {action, 6}}}},
    {"swimmer sailor diver fisherman", {{{person, 8}, {water, 6}}}},
    {"drink drank drinking thirsty thirst", {{{water, 7}, {food, 5}, {feeling, 3}}}},

    // Creatures.
    {"animal creature beast mammal", {{{creature, 10}}}},
    {"alive living life", {{{creature, 9}}}},
    {"dog puppy cat kitten rabbit hamster", {{{creature, 9}, {feeling, 4}}}},
    {"pet", {{{creature, 8}, {feeling, 4}, {person, 3}}}},
    {"horse donkey cow goat sheep pig lamb", {{{creature, 9}, {feeling, 2}, {food, 2}}}},
    {"lion tiger bear wolf fox elephant monkey giraffe mouse hedgehog deer", {{{creature, 10}, {action, 2}}}},
    {"bird owl eagle crow pigeon sparrow bat bee butterfly", {{{creature, 9}, {sky, 5}}}},
    {"fish shark whale dolphin frog otter duck seal beaver crab", {{{creature, 9}, {water, 5}}}},
    {"insect ant spider worm snake lizard tortoise", {{{creature, 9}}}},
    {"tree plant flower bush rose leaf root seed", {{{creature, 6}, {place, 3}, {thing, 2}}}},
    {"fur furry tail paw feather whiskers beak legs", {{{creature, 8}}}},
    {"bite bit bark barked growl growled", {{{creature, 6}, {action, 6}}}},
    {"grow grew grown growing", {{{creature, 5}, {action, 4}, {time, 4}}}},

    // Food.
    {"food meal dish", {{{food, 10}}}},
    {"bread cake pie biscuit soup stew rice pasta pizza cheese egg chocolate honey sandwich noodles", {{{food, 10}}}},
    {"apple plum pear berry fruit vegetable potato carrot onion lentil bean", {{{food, 8}, {creature, 3}}}},
    {"milk tea coffee juice wine beer lemonade", {{{food, 7}, {water, 6}}}},
    {"breakfast lunch dinner supper picnic", {{{food, 7}, {time, 5}}}},
    {"eat ate eaten eating cook cooked cooking bake baked baking taste tasty", {{{food, 8}, {action, 5}}}},
    {"flour sugar salt butter", {{{food, 9}, {thing, 2}}}},
    {"bowl cup plate pot", {{{food, 6}, {thing, 7}}}},
    {"sweet sour bitter", {{{food, 6}, {feeling, 4}}}},
    {"hungry hunger", {{{food, 7}, {feeling, 7}}}},
    {"recipe menu", {{{food, 7}, {writing, 6}}}},
    {"baker chef waiter", {{{person, 9}, {food, 6}}}},
};

}  // namespace

std::span<const Meaning> words_of_nature() { return table; }

}  // namespace lookback::lessons
