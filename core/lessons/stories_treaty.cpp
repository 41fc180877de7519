// The longest story: the answer stands far behind the word that asks.
#include "core/lessons/stories.hpp"

namespace lookback::lessons {

namespace {

constexpr char joins[] = "just grammar";
constexpr char nothing[] = "nothing to tell";
constexpr char who_acted[] = "the person who acted";
constexpr char complete[] = "the sentence is complete";
constexpr char closing[] = "an action to close with";

constexpr StoryToken tokens[] = {
    {"In", "", joins, nothing},
    {" the", "", joins, nothing},
    {" year", "", "a long time", "a year"},
    {" of", "", joins, nothing},
    {" the", "", joins, nothing},
    {" two", "", joins, "two of them"},
    {" floods", "what year was that", "too much water", "there were floods"},
    {",", "", "a pause", nothing},
    {" the", "", joins, nothing},
    {" queen", "what time was that", "the ruler of the land", "a queen"},
    {" met", "the person who acted", "an act of coming together", "people come together"},
    {" the", "", joins, nothing},
    {" shepherds", "who is there, which person", "people with sheep", "shepherds"},
    {" on", "", "grammar of place", "a place follows"},
    {" a", "", joins, nothing},
    {" hill", "what happened here, an action", "a high place", "a hill"},
    {".", closing, "a pause", complete},
    {" They", "which people", "grammar for people", "the queen and the shepherds"},
    {" agreed", who_acted, "an act of peace", "nobody is against it"},
    {" to", "", joins, nothing},
    {" share", "people to share with", "an act of giving", "everyone gets some"},
    {" the", "", joins, nothing},
    {" water", "a river, or a flood", "cold water", "water"},
    {" and", "an action so far", joins, nothing},
    {" called", who_acted, "an act of speaking", "a name follows"},
    {" their", "people to belong to", "grammar for people", "it belongs to all of them"},
    {" promise", "what was agreed", "words to keep", "a promise was given"},
    {" Larkmoor", "something agreed that needs a title", "the name of an agreement",
     "the treaty of Larkmoor: the water is shared"},
    {".", closing, "a pause", complete},
    {" Then", "an action so far", "grammar of time", "something comes next"},
    {" they", "which people", "grammar for people", "the queen and the shepherds"},
    {" ate", who_acted, "an act of eating", "someone eats"},
    {" plum", "", "a sweet fruit", "made with plums"},
    {" cake", "which fruit", "something baked", "a cake"},
    {".", closing, "a pause", complete},
    {" Children", "the people they belong to", "young people", "children"},
    {" grew", who_acted, "an act of growing", "time makes them tall"},
    {" up", "", joins, nothing},
    {" and", "an action so far", joins, nothing},
    {" moved", who_acted, "an act of leaving", "someone leaves"},
    {" away", "the movement it belongs to", joins, nothing},
    {".", closing, "a pause", complete},
    {" The", "", joins, nothing},
    {" queen", "which ruler", "the ruler of the land", "the queen, long dead"},
    {" became", "which ruler", "an act of change", "something turns into something"},
    {" a", "", joins, nothing},
    {" statue", "which ruler", "a figure made of stone", "a statue"},
    {".", closing, "a pause", complete},
    {" One", "", joins, "a single one"},
    {" spring", "how much time has gone by", "a warm season", "it is spring"},
    {" a", "", joins, nothing},
    {" builder", "what season, and how warm", "a stranger", "a builder from elsewhere"},
    {" wanted", who_acted, "a wish", "someone wishes for something"},
    {" the", "", joins, nothing},
    {" whole", "", joins, "all of it"},
    {" stream", "which water", "running water", "a stream"},
    {" for", "", joins, nothing},
    {" his", "a person to belong to", "grammar for a person", "it belongs to a man"},
    {" mill", "which person", "a machine for flour", "a mill"},
    {".", closing, "a pause", complete},
    {" The", "", joins, nothing},
    {" mayor", "which place", "a busy woman, the chief", "a mayor"},
    {" smiled", who_acted, "a happy face", "someone is amused"},
    {",", "", "a pause", nothing},
    {" opened", who_acted, "an act of opening", "something is open now"},
    {" a", "", joins, nothing},
    {" drawer", "what happens to this thing, an action", "a box in a desk", "a drawer"},
    {" and", "an action so far", joins, nothing},
    {" took", who_acted, "an act of taking", "something changes hands"},
    {" out", "the movement it belongs to", joins, nothing},
    {" the", "", joins, nothing},
    {" treaty", "what the pact was called", "a signed document", "an old treaty"},
    {".", closing, "a pause", complete},
};

}  // namespace

std::span<const StoryToken> treaty_tokens() { return tokens; }

}  // namespace lookback::lessons
