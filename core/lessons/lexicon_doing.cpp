// Time, actions, things, grammar; and the words that no feature stands for.
#include "core/lessons/lexicon_tables.hpp"

namespace lookback::lessons {

namespace {

using enum Feature;

constexpr Meaning table[] = {
    // Time.
    {"time when moment hour minute second while", {{{time, 10}}}},
    {"day week month year century season today tomorrow yesterday date", {{{time, 10}}}},
    {"morning noon midday afternoon evening night midnight dawn dusk", {{{time, 9}, {sky, 4}}}},
    {"spring summer autumn winter", {{{time, 8}, {sky, 4}, {feeling, 2}}}},
    {"monday tuesday wednesday thursday friday saturday sunday january december june july august",
     {{{time, 8}, {name, 5}}}},
    {"now then once ago later earlier soon often always early late already still ever", {{{time, 8}}}},
    {"before after until during since", {{{time, 6}, {grammar, 4}}}},
    {"old new young ancient modern past future last first", {{{time, 6}}}},
    {"clock calendar", {{{time, 8}, {thing, 6}}}},
    {"wait waited waiting stay stayed staying paused", {{{time, 7}, {action, 4}}}},
    {"birthday holiday festival party", {{{time, 7}, {feeling, 5}, {person, 3}}}},
    {"begin began begun beginning start started end ended finish finished stop stopped stopping",
     {{{time, 6}, {action, 5}}}},

    // Actions.
    {"act action motion acted acting doing done deed", {{{action, 10}}}},
    {"move moved moving movement go went gone going come came coming leave left leaving arrive arrived arriving",
     {{{action, 8}, {place, 3}}}},
    {"run ran running walk walked walking jump jumped climb climbed dance danced hurry hurried",
     {{{action, 8}, {creature, 2}, {place, 2}}}},
    {"travel travelled traveled travelling journey trip visit visited", {{{action, 7}, {place, 6}}}},
    {"open opened opening unlock unlocked unlocking close closed closing shut lock locked locking",
     {{{action, 8}, {thing, 5}}}},
    {"take took taken taking give gave given giving bring brought carry carried carrying hold held",
     {{{action, 8}, {thing, 3}}}},
    {"pull pulled pulling push pushed throw threw thrown drag dragged lift lifted catch caught grab grabbed",
     {{{action, 9}, {thing, 2}}}},
    {"make made making build built repair repaired fix fixed cut break broke broken change changed",
     {{{action, 8}, {thing, 4}}}},
    {"work worked working job help helped helping try tried use used using", {{{action, 8}, {person, 3}}}},
    {"play played playing game sport win won lose lost", {{{action, 7}, {feeling, 4}, {person, 2}}}},
    {"find found search searched searching seek hide hid hidden hiding cover covered", {{{action, 7}, {place, 4}}}},
    {"sit sat stand stood lie lay lying", {{{action, 5}, {place, 5}, {feeling, 2}}}},
    {"happen happened event accident", {{{action, 6}, {time, 6}}}},
    {"keep kept keeping", {{{action, 3}, {place, 3}, {time, 2}}}},
    {"pass passed passing", {{{time, 6}, {action, 5}}}},
    {"share shared sharing", {{{action, 6}, {person, 3}, {money, 2}}}},
    {"show showed shown showing", {{{action, 5}, {feeling, 3}}}},
    {"hang hung hanging", {{{action, 4}, {thing, 4}}}},
    {"steal stole stolen", {{{action, 8}, {money, 4}}}},
    {"fast quick quickly slow slowly sudden suddenly busy daring", {{{action, 6}, {time, 3}}}},
    {"able", {{{action, 3}}}},

    // Things.
    {"thing object something anything stuff item piece", {{{thing, 10}}}},
    {"tool hammer nail rope needle knife spoon fork bucket broom", {{{thing, 9}, {action, 4}}}},
    {"machine engine robot computer phone camera wheel", {{{thing, 9}, {action, 5}}}},
    {"key door lid handle hinge hook", {{{thing, 9}, {action, 4}}}},
    {"jar bottle box chest drawer cupboard bag basket suitcase", {{{thing, 9}, {place, 3}}}},
    {"table chair desk sofa bench lamp window mirror curtain carpet furniture cushion pillow blanket",
     {{{thing, 9}, {place, 4}}}},
    {"car bus train bicycle bike truck cart tractor", {{{thing, 7}, {action, 6}, {place, 2}}}},
    {"shoe slipper boot hat coat shirt dress sock glove scarf clothes wear wore wearing", {{{thing, 9}, {person, 4}}}},
    {"ball toy doll puzzle", {{{thing, 8}, {feeling, 3}, {action, 3}}}},
    {"glass pane metal iron brass plastic cloth wool leather material", {{{thing, 8}}}},
    {"statue figure picture painting photo", {{{thing, 7}, {person, 3}, {feeling, 3}}}},
    {"piano guitar drum flute violin bell instrument", {{{thing, 7}, {feeling, 5}, {action, 3}}}},
    {"fire candle smoke", {{{thing, 6}, {feeling, 5}, {action, 3}}}},
    {"mill factory workshop", {{{place, 6}, {thing, 6}, {action, 5}}}},

    // Grammar.
    {"grammar noun verb pronoun adjective preposition article conjunction comma punctuation joining",
     {{{grammar, 10}}}},
    {"pause", {{{grammar, 8}, {time, 2}}}},
};

// Sorted by kind, not by letter.
constexpr std::string_view without_features =
    "a an the this that these those of to in on at by for from with without into onto under over up down out off "
    "through across along between behind beside beneath inside outside around against toward towards away back "
    "and or but nor so if as than because although though whether which what how why whose "
    "i me my mine myself you your yours he him his himself she her hers herself it its itself we us our ours they "
    "them their theirs one ones oneself each other another "
    "am is are was were be been being has have had having do does did will would shall should can could may might must "
    "cannot can't don't doesn't didn't isn't wasn't aren't won't it's that's "
    "not no never neither none yes please only just also too very quite rather almost even again together apart "
    "much many more most less least few several some any all both every enough "
    "two three four five six seven eight nine ten hundred thousand half double "
    "there like liked kind general high big small large little tiny huge tall short long wide narrow thick thin deep "
    "round square straight "
    "heavy soft hard rough smooth full empty whole clean dirty wild common rare unknown such same different "
    "far distant great good bad better best worse worst nice true false certain possible "
    "red green blue yellow violet purple orange black white grey gray brown pink "
    "get got gets put set let lets seem seems become became about nothing nobody nearby near belong aside letting mean "
    "meant fine bent stuck there's";

}  // namespace

std::span<const Meaning> words_of_doing() { return table; }
std::string_view words_without_features() { return without_features; }

}  // namespace lookback::lessons
