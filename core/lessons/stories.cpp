#include "core/lessons/stories.hpp"

namespace lookback::lessons {

namespace {

constexpr char joins[] = "just grammar";
constexpr char nothing[] = "nothing to tell";

constexpr StoryToken river[] = {
    {"At", "", joins, "a time follows"},
    {" noon", "", "the middle of the day", "it happens at midday"},
    {" the", "", joins, nothing},
    {" otter", "what time is it", "a furry animal", "the hero: an otter"},
    {" left", "which animal or person", "an act of going away", "someone goes away"},
    {" the", "", joins, nothing},
    {" cold", "what season is it", "a chilly feeling", "low temperature"},
    {" river", "how warm is it", "flowing water", "there is a river here"},
    {" and", "an action so far", joins, nothing},
    {" stretched", "which animal or person", "a lazy movement", "a body lies flat"},
    {" out", "the movement it belongs to", joins, nothing},
    {" on", "", "grammar of place", "a place follows"},
    {" the", "", joins, nothing},
    {" bank", "water or money here", "a place at the edge", "land beside something"},
    {".", "an action to close with", "a pause", "the sentence is complete"},
};

constexpr StoryToken savings[] = {
    {"Before", "", "grammar of time", "something comes later"},
    {" lunch", "before or after", "a meal at midday", "food at midday"},
    {" the", "", joins, nothing},
    {" baker", "what time is it", "a person who makes bread", "the hero: a baker"},
    {" counted", "the person who acted", "an act with numbers", "someone adds up"},
    {" her", "a person to belong to", "grammar for a person", "it belongs to a woman"},
    {" savings", "whose are they, which person", "coins put aside", "there is money here"},
    {",", "", "a pause", nothing},
    {" put", "the person who acted", "an act of moving", "something changes its place"},
    {" on", "", "grammar of place", nothing},
    {" her", "a person to belong to", "grammar for a person", "it belongs to a woman"},
    {" hat", "whose is it, which person", "something to wear", "a hat"},
    {" and", "an action so far", joins, nothing},
    {" walked", "the person who acted", "an act of walking", "someone goes on foot"},
    {" to", "the movement it belongs to", "grammar of place", "a place follows"},
    {" the", "", joins, nothing},
    {" bank", "water or money here", "a place at the edge", "a house for something"},
    {".", "an action to close with", "a pause", "the sentence is complete"},
};

constexpr StoryToken slipper[] = {
    {"Something", "", "an unknown thing", "we do not know who yet"},
    {" was", "", joins, nothing},
    {" snoring", "which thing makes this noise", "a noise in the room", "there is a snore"},
    {".", "an action to close with", "a pause", "the sentence is complete"},
    {" The", "", joins, nothing},
    {" puppy", "what noise is that", "a little dog, worn out", "the hero: a puppy"},
    {" had", "", joins, nothing},
    {" dragged", "which animal", "an act of pulling", "something is pulled along"},
    {" a", "", joins, nothing},
    {" slipper", "what happens to this thing, an action", "a soft shoe", "a slipper, a little wet"},
    {" under", "the movement it belongs to", "grammar of place", "a place follows"},
    {" the", "", joins, nothing},
    {" sofa", "what was pulled, and how", "a piece of furniture", "a sofa"},
    {",", "", "a pause", nothing},
    {" and", "an action so far", joins, nothing},
    {" there", "which furniture", "a place meant again", "the same place"},
    {" it", "an animal that could be asleep", "grammar for a thing", "someone named before"},
    {" lay", "which animal", "an act of lying", "someone lies down"},
    {".", "an action to close with", "a pause", "the sentence is complete"},
};

constexpr StoryToken chest[] = {
    {"Ines", "", "a daring woman", "the hero: Ines, who sails alone"},
    {" waited", "the person who acted", "letting time pass", "time goes by"},
    {" until", "what is being waited for, a time", "grammar of time", "a moment follows"},
    {" the", "", joins, nothing},
    {" storm", "how long, until what time", "wild weather", "there is a storm"},
    {" had", "", joins, nothing},
    {" passed", "the weather that ended", "the end of a while", "it is over"},
    {",", "", "a pause", nothing},
    {" took", "the person who acted", "an act of taking", "something changes hands"},
    {" the", "", joins, nothing},
    {" brass", "", "yellow metal", "made of brass"},
    {" key", "what is it made of, which material", "a small tool for locks", "a key"},
    {" from", "the movement it belongs to", "grammar of place", "a place follows"},
    {" its", "which tool", "grammar for a thing", "it belongs to a thing"},
    {" hook", "which tool hangs here", "a bent nail", "a hook in the wall"},
    {" and", "an action so far", joins, nothing},
    {" opened", "the person who acted", "an act of unlocking", "something is open now"},
    {" the", "", joins, nothing},
    {" chest", "a tool to unlock it", "a heavy box", "a chest"},
    {".", "an action to close with", "a pause", "the sentence is complete"},
};

constexpr StoryToken orim[] = {
    {"The", "", joins, nothing},
    {" rocket", "", "a machine with an engine", "a rocket"},
    {" came", "what thing is moving", "an act of arriving", "something arrives"},
    {" down", "the movement it belongs to", joins, "from high to low"},
    {" on", "", "grammar of place", "a place follows"},
    {" Orim", "what arrived, and how, an action", "a distant planet", "Orim, which has two moons"},
    {".", "an action to close with", "a pause", "the sentence is complete"},
    {" Dust", "where are we, which place", "fine sand", "dust"},
    {" covered", "the thing that acted", "an act of hiding", "something is hidden"},
    {" the", "", joins, nothing},
    {" windows", "a thing that has windows", "panes of glass", "windows"},
    {",", "", "a pause", nothing},
    {" and", "an action so far", joins, nothing},
    {" the", "", joins, nothing},
    {" crew", "a machine they travel in", "people who work as one", "the crew, four of them"},
    {" stared", "the person who acted", "a long look", "someone looks and looks"},
    {" into", "", "grammar of place", "a place follows"},
    {" a", "", joins, nothing},
    {" violet", "", "a strange colour", "violet"},
    {" sky", "a place with a sky", "what is overhead", "the sky above some place"},
    {".", "an action to close with", "a pause", "the sentence is complete"},
};

}  // namespace

std::span<const Story> stories() {
  static const Story all[] = {
      {"river", "The otter's nap", river, " bank",
       "A bank can be land beside water or a house for money. The word asks which of the two was mentioned."},
      {"savings", "The baker's errand", savings, " bank",
       "The same word with the same query, in another story. Now another token can answer."},
      {"slipper", "Who is snoring?", slipper, " it",
       "“it” can stand for almost anything. Something snores here, so the word asks for an animal that could be "
       "asleep."},
      {"chest", "After the storm", chest, " opened",
       "Nothing opens by itself. The word asks who did it, and the answer stands sixteen tokens earlier."},
      {"orim", "A violet sky", orim, " sky",
       "Every sky belongs to some place. The word asks for a place with a sky, and no token says that in these words."},
      {"treaty", "The paper in the drawer", treaty_tokens(), " treaty",
       "The treaty has a name, but it was said once, long ago. The word asks what the agreement was called."},
  };
  return all;
}

}  // namespace lookback::lessons
