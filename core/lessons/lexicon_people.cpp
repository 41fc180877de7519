// People, power, money, feelings, writing, names.
#include "core/lessons/lexicon_tables.hpp"

namespace lookback::lessons {

namespace {

using enum Feature;

constexpr Meaning table[] = {
    // People.
    {"person people human somebody someone anybody anyone everybody everyone who", {{{person, 10}}}},
    {"man woman boy girl adult lady gentleman stranger guest neighbour neighbor", {{{person, 10}}}},
    {"child children baby teenager", {{{person, 9}, {creature, 2}, {time, 2}}}},
    {"mother father parent sister brother aunt uncle cousin family son daughter", {{{person, 9}, {feeling, 4}}}},
    {"grandmother grandfather ancestor", {{{person, 9}, {feeling, 3}, {time, 4}}}},
    {"friend lover wife husband", {{{person, 9}, {feeling, 6}}}},
    {"crowd crew team group audience", {{{person, 9}, {place, 2}, {action, 2}}}},
    {"worker builder farmer shepherd driver carpenter smith hunter keeper", {{{person, 9}, {action, 5}}}},
    {"teacher pupil student", {{{person, 9}, {writing, 5}}}},
    {"writer author poet journalist", {{{person, 8}, {writing, 7}}}},
    {"doctor nurse", {{{person, 9}, {feeling, 4}, {action, 2}}}},
    {"thief pirate robber", {{{person, 8}, {action, 5}, {money, 4}}}},
    {"traveller traveler explorer wanderer passenger", {{{person, 8}, {action, 5}, {place, 3}}}},
    {"player singer dancer musician artist", {{{person, 8}, {action, 5}, {feeling, 4}}}},
    {"hand foot finger arm leg eye ear nose mouth hair face head", {{{person, 6}, {creature, 5}, {thing, 3}}}},
    {"mary john maya anna tom ines mira omar lena yusuf", {{{person, 8}, {name, 6}}}},

    // Power.
    {"power rule rules ruled ruling reign authority", {{{power, 10}}}},
    {"ruler king queen prince princess emperor leader sovereign", {{{power, 8}, {person, 8}}}},
    {"govern governs governed governing command commanded order ordered", {{{power, 8}, {action, 5}}}},
    {"president minister mayor governor judge chief boss captain", {{{power, 7}, {person, 8}}}},
    {"police soldier guard knight army", {{{power, 7}, {person, 7}, {action, 4}}}},
    {"government council senate crown throne", {{{power, 9}, {place, 3}}}},
    {"law right rights justice vote election politics political official", {{{power, 8}, {writing, 4}}}},
    {"war battle fight fought fighting attack attacked", {{{power, 6}, {action, 8}}}},
    {"peace truce", {{{power, 6}, {feeling, 5}}}},
    {"treaty pact agreement contract alliance deal", {{{power, 6}, {writing, 7}}}},
    {"promise promised oath vow", {{{power, 3}, {feeling, 5}, {writing, 4}}}},
    {"agree agreed agreeing", {{{power, 4}, {action, 5}, {writing, 3}}}},
    {"flag border", {{{power, 7}, {place, 4}, {thing, 3}}}},

    // Money.
    {"money cash wealth fortune savings fund funds", {{{money, 10}}}},
    {"coin banknote dollar euro pound penny", {{{money, 9}, {thing, 3}}}},
    {"gold silver treasure jewel diamond", {{{money, 8}, {thing, 5}}}},
    {"price cost debt loan interest salary wage tax income", {{{money, 9}, {writing, 2}}}},
    {"account deposit receipt bill ticket", {{{money, 8}, {writing, 5}}}},
    {"rich poor expensive cheap valuable", {{{money, 8}, {feeling, 2}}}},
    {"pay paid paying buy bought buying sell sold selling spend spent spending earn earned earning",
     {{{money, 7}, {action, 6}}}},
    {"save saved saving", {{{money, 7}, {action, 5}, {time, 2}}}},
    {"vault purse wallet safe till", {{{money, 8}, {thing, 5}, {place, 3}}}},
    {"merchant cashier banker trader seller buyer customer", {{{person, 8}, {money, 7}}}},

    // Feelings.
    {"feeling feelings feel felt mood emotion sense", {{{feeling, 10}}}},
    {"tired weary exhausted worn", {{{feeling, 9}, {action, 2}}}},
    {"sleepy drowsy", {{{feeling, 9}, {time, 2}}}},
    {"sleep slept sleeping asleep nap napped rest rested resting snore snored snoring doze dozed yawn yawned bed",
     {{{feeling, 9}, {action, 2}, {time, 2}}}},
    {"dream dreamed dreaming", {{{feeling, 8}, {time, 3}}}},
    {"awake wake woke waking", {{{feeling, 6}, {action, 4}, {time, 3}}}},
    {"happy glad cheerful joy merry laugh laughed smile smiled", {{{feeling, 9}, {person, 3}}}},
    {"sad unhappy lonely cry cried crying tears grief", {{{feeling, 9}, {person, 3}}}},
    {"angry anger rage afraid fear scared frightened worried brave proud ashamed", {{{feeling, 9}, {person, 2}}}},
    {"love loved hate hated care cared gentle cruel", {{{feeling, 9}, {person, 4}}}},
    {"cold chill chilly warm warmth hot heat mild", {{{feeling, 7}, {sky, 2}}}},
    {"pain hurt ill sick healthy strong weak", {{{feeling, 8}, {creature, 4}}}},
    {"see saw seen look looked looking watch watched watching stare stared hear heard hearing listen smell touch",
     {{{feeling, 6}, {action, 5}}}},
    {"sound noise loud quiet silence music song melody", {{{feeling, 6}, {action, 3}}}},
    {"light bright dark darkness shadow colour color", {{{feeling, 4}, {sky, 4}}}},
    {"beautiful ugly pretty lovely funny boring strange lazy gloomy", {{{feeling, 8}}}},
    {"hope wish want wanted need needed", {{{feeling, 7}, {time, 2}}}},
    {"know knew known think thought thinking idea remember remembered forget forgot mind",
     {{{feeling, 4}, {person, 4}, {writing, 3}}}},

    // Writing.
    {"writing text document paper page book letter note scroll", {{{writing, 10}, {thing, 2}}}},
    {"write wrote written read reading print printed", {{{writing, 8}, {action, 5}}}},
    {"sign signed signature stamp", {{{writing, 7}, {action, 4}, {power, 3}}}},
    {"sentence story tale novel poem chapter essay newspaper magazine message email", {{{writing, 9}, {person, 1}}}},
    {"language speech", {{{writing, 7}, {person, 5}}}},
    {"say said saying tell told telling speak spoke speaking talk talked ask asked answer answered",
     {{{writing, 5}, {action, 5}, {person, 4}}}},
    {"number list title diary", {{{writing, 8}, {name, 3}}}},
    {"pen pencil ink", {{{writing, 7}, {thing, 7}}}},
    {"news history report", {{{writing, 7}, {time, 5}}}},
    {"word", {{{writing, 7}, {name, 4}}}},

    // Names.
    {"name named naming call called", {{{name, 10}}}},
    {"nickname surname label", {{{name, 9}, {writing, 3}}}},
};

}  // namespace

std::span<const Meaning> words_of_people() { return table; }

}  // namespace lookback::lessons
