// Stories of houses, families, meals, lost things, letters, quarrels.
#include "core/language/stories.hpp"

namespace lookback::language {

namespace {

constexpr std::string_view patterns[] = {
    // Something lost.
    "{a} [found|saw|had] a [<color>|<size>] {thing}[| under the <spot>| in the garden| near the {place}]. [{He} put "
    "it in {his} bag and went home.|{He} took it home and showed it to {his} {family}.] [In the evening|The next "
    "day|At night] the {thing} was gone. {a} looked [in every room|under the bed|in the kitchen], but {he} could not "
    "find it. [Then {he} looked under the {spot}, and there it was.|Then {his} {family2} said, \"Look under the "
    "{spot}.\" There it was.] [{a} was very happy.|{a} laughed.]",

    "{a} lost {his} {thing}. {He} asked {b}, \"Did you see my {thing}?\" [\"No,\" said {b}, \"but I can help you.\" "
    "They looked in the <room> and behind the <spot>. After an hour {b} found it under the <spot>.|\"Yes,\" said "
    "{b}, \"it is under the <spot>.\" {a} ran and found it there.] {a} thanked {b}[ and gave {him.b} some {food}| "
    "and went home|].",

    // The weather.
    "It was a [cold|rainy|windy] [morning|day]. {a} stayed at home and [read a book|made soup|wrote a letter|sang a "
    "song]. [The rain fell on the roof.|The wind blew around the house.|The street was empty.] In the "
    "[afternoon|evening] the sun came out. {a} [put on {his} coat|opened the door] and went [to the {place}|for a "
    "walk]. [The street was still wet.|A bird sang in a tree.|{He} met {b} there, and they talked for an hour.]",

    "In the night the snow came. In the morning the [village|garden|street] was white. {a} [put on a <color> "
    "coat|woke {his} {family}] and ran out[ of the house|]. {He} and {b} made a [man|horse|bear] of snow[ and gave "
    "it a <color> hat|]. [It had a stone for a nose.|They were cold but happy.] [Then they drank hot tea in the "
    "kitchen.|In the evening they sat by the fire.]",

    // Meals.
    "{a} wanted to make {food} for {his} {family}. {He} went to the market and bought [some milk and honey|all that "
    "{he} wanted]. {He} worked for an hour. [The kitchen was warm.|{He} sang all the time.] Then {his} {family} came "
    "home and ate the {food}. \"[This is very good,|A little more honey,|Can I have more?]\" said {his} {family}[. "
    "{a} smiled.| with a smile.|.]",

    "{a} and {b} were hungry. There was only [a little|some old] {food} in the house. {a} said, \"[Let us go to the "
    "market|We can ask the baker|My {family} has {fruit}].\" [So they went out|They took a basket] and came back "
    "with {fruit}[ and <food>|]. They [ate|sat down and ate] [in the garden|by the window|at the table] [and "
    "talked|and told stories].",

    "The baker made a [big|round|white] cake. [He put <fruit> on it.|He put it in the window.] {a} came in and "
    "asked, \"How much is the cake?\" \"Eight coins,\" said the baker. {a} had only {some}. [So {b} gave {him} the "
    "others, and they ate the cake together.|\"Take it,\" said the baker with a smile.|So {he} bought bread and went "
    "home.]",

    // Letters.
    "{a} wrote a [long|little] letter to {his} {family}. [{He} wrote about the [weather|garden|{place}].|It took "
    "{him} all evening.] In the morning {he} took the letter to the [station|store]. After <some> days an answer "
    "came. \"[Come and visit me soon|I read your letter again and again|I want to see you],\" it said. {a} [read it "
    "all day|was very happy|put it in a box with the others].",

    "[On <weekday>|One morning] a letter came for {a}. {He} did not know the hand. [{He} opened it slowly.|{He} sat "
    "down and opened it.] It was from {b}, an old friend. {b} wanted to [visit {him}|know how {he} was]. {a} wrote "
    "back [the same day|at once], and [a week later|on <weekday>] they met at the {place}. [They talked until it was "
    "dark.|They were both happy to meet again.]",

    // Quarrels.
    "{a} and {b} both wanted the <color> {thing}. \"It is mine,\" said {a}. \"No, it is mine,\" said {b}. They did "
    "not talk [all day|for a week]. [Then {a} brought {b} some <food>.|Then {b} came to the door and said, \"You can "
    "have it.\"|Then their teacher gave them another {thing}.] [After that they were friends again.|They both "
    "laughed.]",

    "{a} broke {his} {family}'s {fragile}. {He} was afraid and hid it [under the <spot>|in the barn]. In the evening "
    "{he} could not eat. [\"What is it?\" asked {his} {family}.|{His} {family} looked at {him}.] \"I broke your "
    "{fragile},\" said {a}. \"[I know|It was old|We can buy another one],\" said {his} {family}. [{a} slept well "
    "that night.|Then {he} could eat again.]",

    // A visit, a bed, a song.
    "{a} came to visit {his} {family}. They [drank tea|ate cake] and looked at an old picture. \"Who is this?\" "
    "asked {a}. \"That is [me|your {family2}|my old teacher],\" said {his} {family}, \"when [we lived near the "
    "{place}|I was a child|we had no money].\" {a} looked at the picture for a long time. [Then {he} asked for "
    "another story.|In the evening {he} took the train home.]",

    "{a} could not sleep. {He} [looked at the moon|listened to the wind|lay still]. Then {he} got up and [drank some "
    "milk|read a book|opened the window]. [The house was quiet.|A dog barked far away.] {His} {family} heard {him} "
    "and came in. \"[Think of something good|I can sing for you|Listen to the wind],\" {he} heard {his} {family} "
    "say. Soon {a} was asleep.",

    "{a} wanted to learn a song. {b} knew [a good one|an old one] and sang it [slowly|again and again]. {a} sang it "
    "[in the kitchen|in the garden|on the road] every day. [At first it was hard.|{His} {family} heard it so often "
    "that everybody knew it.] On <weekday> {he} sang it for [the whole school|{his} {family}|all {his} friends]. "
    "[Everybody was happy.|\"Again!\" they said.]",

    "{a} had a new [coat|hat|bag]. It was <color> and [very warm|a little too big|very heavy]. {He} wore it [to "
    "school|to the {place}|every day]. [{b} liked it very much.|\"You look like a [king|queen|sailor],\" said {b}.] "
    "[In the summer it was too warm, so {he} put it in a box.|One day {he} gave it to {b} and bought another one.]",

    "It was late, and {a} was not at home. {His} {family} stood at the window and waited. [The rain fell on the "
    "street.|The soup was cold.] Then the door opened. \"Where were you?\" asked {his} {family}. \"[I helped {b} "
    "with {his.b} boat|I missed the train|I was at the {place}, and there was music],\" said {a}. [\"You are very "
    "wet,\" said {his} {family}, \"come to the fire.\"|They ate dinner and talked for a long time.]",

    "{a} found a letter in an old book. It was from {his} {family} to a man in another city. \"Who is he?\" asked "
    "{a}. \"[A good friend|My teacher|A sailor],\" said {his} {family}. \"[We played together|He sang very well|I "
    "was a child], and then he moved away.\" [{a} put the letter back.|{a} said, \"Write to him again.\" And so it "
    "was done.]",

    "{a}'s {family} was ill and stayed in bed for <some> days. {a} [made soup|brought tea|read a story] and [opened "
    "the window|sat by the bed]. The doctor came [in the evening|on <weekday>]. \"[Drink a lot of water|Soon you "
    "will be well again],\" the doctor said. [After a week all was well again.|Soon {his} {family} could walk in the "
    "garden again.] {a} was glad.",

    "There was a [<size>|<color>] box in {a}'s room. Nobody knew what was in it. [One day|On a rainy day] {he} found "
    "the key [under the <spot>|in an old coat]. {He} opened the box. There was [only a letter|a {thing}|another box] "
    "in it. [{a} laughed for a long time.|{He} closed it again and told nobody.|{He} showed it to {b}, but {b} only "
    "smiled.]",

    "{a} and {b} cleaned the house. {a} washed the [window|table|door], and {b} [cleaned the kitchen|brought the "
    "water|made the bed]. [It took them all morning.|They sang all the time.] Under the <spot> they found [a coin|an "
    "old {thing}|a lost shoe]. \"[There it was|Look at this|I know this one]!\" said {b}. [At noon everything was "
    "clean.|Then they rested and ate <food>.]",

    "Today is {a}'s birthday. {He} is [six|seven|eight|nine|ten] years old. {His} friends came [in the "
    "afternoon|after school] and sat down at the table. {b} gave {him} a {thing}, and {c} gave {him} a {color} "
    "{thing2}. They [ate cake|sang an old song|played in the garden] until it was dark. \"[This was my best "
    "day|Thank you all|Come again soon],\" said {a}.",

    "{a} had {some} coins. {He} wanted to buy a {thing}. At the market a man asked for [eight|nine|ten] coins. "
    "[\"That is too much,\" said {a}, and {he} walked on.|{a} gave him all {he} had, and the man laughed and gave "
    "{him} the {thing}.] [On the way home {he} met {b}.|Then {he} went home.] [{His} {family} was at home with "
    "dinner.|It was a long way.]",
};

}  // namespace

std::span<const std::string_view> stories_at_home() { return patterns; }

}  // namespace lookback::language
