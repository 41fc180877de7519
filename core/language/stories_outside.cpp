// Stories of roads, animals, gardens, work, the sea.
#include "core/language/stories.hpp"

namespace lookback::language {

namespace {

constexpr std::string_view patterns[] = {
    // Animals.
    "{a} has a [<size>|<fur>] {pet}. Every morning {he} gives the {pet} some [water|bread|milk]. One day the {pet} "
    "was gone. {a} [looked in the garden|asked everybody|called its name]. [{b} helped {him}.|Nobody had seen it.] "
    "In the evening {he} heard something [behind the <spot>|at the door|on the roof]. It was the {pet}! [{a} was so "
    "happy that {he} sang.|{a} gave it a lot of food.|\"Never do that again,\" said {a}.]",

    "A [young|old|big] {animal} lived near the {place}. It was always [alone|hungry|asleep]. One [day|evening] a "
    "small {pet} came by. \"Why are you [sad|alone] here?\" asked the {pet}. \"[I have no friends|Everybody is "
    "afraid of me|I cannot find my way home],\" said the {animal}. \"Then come with me,\" said the {pet}. [From that "
    "day they were friends.|So they went on together.]",

    "The farmer had <some> sheep and one [old|lazy|small] {guard}. The {guard} [slept all day|ate more than all the "
    "sheep|knew how to open the gate]. [One night|One day] [a wolf|a fire|a bear] came to the farm. The {guard} made "
    "so much noise that the farmer woke up. [\"Good friend,\" said the farmer.|After that the {guard} got the best "
    "food.|After that nobody laughed at it.]",

    "{a} saw a bird [under a tree|on the road|near the {place}]. [It could not fly.|It was hurt.] {a} took it home "
    "and put it in a basket. {He} gave it [water and bread|milk and bread] every day. After <some> weeks the bird "
    "could fly again. {a} opened the window, and [away it went|the bird flew to its tree]. [In spring it came back "
    "and sang.|{He} was happy and a little sad.]",

    "{a} and {b} went to the zoo. They saw a {animal}, a {animal2} and an old {animal3}. {a} liked the {animal} "
    "best. \"[Look, it has your hat|It looks like you|We must take it home]!\" said {b}. [They laughed all the way "
    "home.|Then the rain came, and they ran to the station.|In the evening they were very tired.]",

    // Journeys.
    "{a} wanted to see the sea. {He} put [bread and cheese|a book|a blanket] in a bag and took the train. [A "
    "woman|An old man|A child] sat next to {him} and asked, \"Where are you going?\" \"To the sea,\" said {a}. \"I "
    "have never seen it.\" [It was a long way.|They talked for hours.] In the evening {he} stood on the beach. The "
    "water was [dark and quiet|green and cold|bigger than {he} had thought].",

    "{a} walked to the {place}. On the way {he} met {b}. \"Where are you going?\" asked {b}. \"To the {place},\" "
    "said {a}. \"Come with me.\" [So they walked together.|{b} had time, so {he.b} came along.] [It was [warm|cold], "
    "and the road was long.|They talked about their friends.] At the {place} they [sat down and rested|bought a "
    "{thing}|saw a <fur> {animal}]. [Then they went home by [train|boat].|It was a good day.]",

    "{a} and {b} went up the hill. [The path was long.|It was a warm day.] Half way up {b} said, \"I am tired.\" "
    "\"[It is not far now|We can rest here|Give me your bag],\" said {a}. [They drank some water and went on.|They "
    "sat under a tree for a while.] From the top they could see [the sea|the whole village|their own house]. \"[I am "
    "glad that we came|How small it looks],\" said {b}.",

    "{a} missed the train. The next one came in <some> hours. {He} [sat on a bench|stood in the rain|walked around "
    "the station]. {b} missed the train too. [\"Do you like {fruit}?\" asked {b}. They ate {fruit}|\"Now we have "
    "time,\" said {b}. They told stories|They talked and laughed] until the train came. [Now they write letters to "
    "each other.|Now they always take the train together.]",

    "The sailor came home after {some} years. [The village was bigger than before.|Nobody knew him there.] Only his "
    "old {pet} knew him[ at once|]. He told everybody about [a green island|the deep sea|a city made of stone]. The "
    "children sat around him and asked for more. [But in spring he went to sea again.|Now he has a house near the "
    "{place}.]",

    "{a} had a small boat. [On <weekday>|One morning] {he} and {b} went out on the lake. The water was still. {b} "
    "[wanted to swim|fell asleep|sang a song]. Then [a strong wind came up|the rain came]. They were wet and cold, "
    "and at last they came to the beach. {b}'s {family} gave them [hot soup|a warm blanket|hot tea]. [They slept "
    "well that night.]",

    // Work and trade.
    "On <weekday> there was a market in the [village|town]. {a} sold [{fruit} and {food}|flowers|<fruit>]. [Many "
    "people came.|At first nobody came.] {b} asked, \"How much is this?\" \"Only <some> coins,\" said {a}. {b} "
    "[bought all of them|bought some|had no money]. [At noon everything was sold.|In the evening {a} had a lot of "
    "money.] [Then {a} bought a {thing} for {his} {family}.|{a} went home tired but happy.]",

    "{a} worked in the garden. {He} [worked under the trees|made a path|carried water]. {His} {family} [helped "
    "{him}|brought {him} tea|sat in the sun]. [It was hard work.|It was a warm day.] After some weeks [the first "
    "flowers came|the garden was green|there were {fruit} to eat]. \"[You have a good hand|You can be happy],\" said "
    "{b}. {a} was happy.",

    "{a} helped the farmer. They [carried wood|washed {fruit}|cleaned the barn] from morning to evening. At noon "
    "they ate [bread|cheese|soup] under a tree. [\"You work well,\" said the farmer.|The farmer told {him} a story.] "
    "When the work was done, the farmer gave {him} [a basket of {fruit}|<some> coins|a small {pet}]. {a} ran home "
    "and showed it to {his} {family}.",

    "{a} and {b} wanted to build a [house in a tree|boat|bridge over the river]. {a} brought the wood, and {b} "
    "brought the rope. [They worked for three days.|They sang all the time.] {b}'s {family} said, \"[It is too "
    "small|That is too big for you|It looks old].\" But it was very good. [They made it <color>.|Now they sit there "
    "every evening.|They gave it a name.]",

    "The teacher asked, \"Who can tell me a story?\" {a} stood up and told a story about a [<size>|<fur>] {animal} "
    "and a king. [The children listened.|It was long and sad.|Everybody laughed.] \"[Very good,|Where did you hear "
    "it?|Is that all?]\" said the teacher. [{a} sat down and smiled.|{b} liked it so much that {he.b} wrote it down.]",

    // Old tales.
    "Once there was a king who had [a gold ring|a white horse|a big house] but no friends. He [asked everybody in "
    "the city|wrote letters to everybody]. [Nobody came.|They were all afraid of him.] Then a small child came and "
    "said, \"[Come out and play|Let us have dinner|I am not afraid of you].\" The king did so, and [soon|from then "
    "on] he was never alone.",

    "Once a {animal} and a {pet} lived in one house. The {animal} [cooked|made the fire], and the {pet} [cleaned the "
    "house|sang all day]. One day the {animal} said, \"I do all the work.\" So the {pet} cooked, and the {animal} "
    "[rested|sang]. The soup was [cold|too hot], and the song was too loud. In the evening they both laughed[, and "
    "the {animal} cooked again|].",

    "The wind and the sun saw a man in a <color> coat. \"I can take his coat,\" said the wind. The wind blew for an "
    "hour, but the man only closed his coat. Then the sun came out. It was so warm that the man took off his coat. "
    "[\"You see,\" said the sun.|The wind said nothing.]",

    "A {animal} found a [gold ring|<color> {thing}|<color> {thing}]. [It showed it to all the other animals.|It hid "
    "it under a tree.] An owl said, \"[What will you do with it|You cannot eat it|You do not need it].\" The "
    "{animal} thought about it all night. In the morning it [took it to the {place}|gave it to the owl|gave it to a "
    "child]. [Then it could sleep.|And that was the end of it.]",

    "[Last summer|One evening|Last night] the lights went out in the whole [village|city|street]. {a} [found a "
    "candle|sat in the dark|went to the window]. [Everything was black.|The moon was not there.] {b} came over with "
    "[bread|a lamp|a drum], and they [told stories|sang|talked] [until morning|for hours]. When the lights came "
    "back, [nobody wanted them|{a} was a little sad|they were asleep].",

    "{a} saw smoke over the [roof|barn|mill]. \"Fire!\" {he} called. Everybody ran out with water. [{b} brought a "
    "rope.|The farmer took the animals out of the barn.] They worked [for hours|all night]. In the morning the fire "
    "was out. [Nobody was hurt.|Only the roof was gone, and they all made a new one.] [\"You saw it in time,\" said "
    "the farmer.|They were all tired, but they laughed.]",

    "{a} fell into the [river|lake|well]. {b} heard {him} and [brought a rope|ran to help|called for help]. [The "
    "water was cold.|It was not deep.] {b} pulled {him} out and gave {him} {his.b} coat. \"[You must look where you "
    "walk,|What did you want there?|You are very wet,]\" said {b}. \"[My hat fell in|I wanted to see a fish|I did "
    "not see it],\" said {a}. They both laughed.",

    "{a} and {b} met a <fur> {animal} on the road. The {animal} looked at them and did not walk on. \"[Do not be "
    "afraid|Give it some bread|I know it],\" said {b}. {a} [gave it some bread|walked slowly around it|sang a song], "
    "and the {animal} [ran away|followed them home|slept in the middle of the road]. [They told everybody about "
    "it.|In the evening they laughed about it.]",

    "{a} made a kite from old paper. It was <color> and very light. The wind was strong and took the kite over the "
    "{place}. [{a} ran after it.|\"Come back!\" {he} called.] {b} found it in a tree and brought it back. [\"It "
    "wanted to see the sea,\" said {b}.|\"You made this?\" asked {b}. \"It is very good.\"] The next day they made "
    "[another one|a bigger one] together.",

    "The king was ill. He could not eat, and he could not sleep. The doctor said, \"You must [drink tea|eat "
    "honey|walk every day].\" But that did not help. Then a child came and [told him a story|sang a song|brought him "
    "a {pet}]. The king laughed, and soon he was asleep. [In the morning he was well again.|The queen gave the child "
    "a gold ring.]",

    "There was snow on the road, and the school was closed. {a}, {b} and {c} went up the hill with [an old box|a "
    "blanket|a big bag]. They sat on it and came down [so fast that they could not stop|with a lot of noise]. [{c} "
    "lost {his.c} hat.|{b} fell into the snow.] \"Again!\" said {a}. [They came home wet and happy.|They stopped "
    "only when it was dark.]",

    "Every evening an old [man sat on the bench near the {place}. {a} often saw him|woman sat on the bench near the "
    "{place}. {a} often saw her] there. One day {he} sat down too. They [said nothing for a while|talked about the "
    "sea]. The next day {a} brought <fruit>. [So they became friends.|Now they meet every <weekday>.]",
};

}  // namespace

std::span<const std::string_view> stories_outside() { return patterns; }

}  // namespace lookback::language
