// The pieces that texts are made of. Each writes one to three sentences, or a small story, at the end of the scribe's
// text; no piece writes a blank before its first word.
#pragma once

#include <cstdint>

#include "core/language/cases.hpp"
#include "core/language/scribe.hpp"

namespace lookback::language {

void write_it(Scribe& scribe);
void write_who_gets(Scribe& scribe);
void write_country(Scribe& scribe);
void write_chase(Scribe& scribe);
void write_repeat(Scribe& scribe);  // one line or more, of 10 to 60 words
void write_story(Scribe& scribe);   // three to nine sentences of ordinary English
void write_plain_sentence(Scribe& scribe);
void write_song_title(Scribe& scribe);  // a sentence as it stands before patterns

// One held-out case each.
Case it_case(Dice& dice);
Case who_gets_case(Dice& dice);
Case country_case(Dice& dice);
Case chase_case(Dice& dice);
Case repeat_case(Dice& dice);

// The answers of a case of "it": what `noun` did, or, after "it was too", what its kind can be; `noun` is one of nouns.
void add_it_answers(Case& made, std::string_view noun, bool adjective);
// The country of `city`, one of capitals, against all others.
void add_country_answers(Case& made, std::string_view city);

// The question in `text`, which ends where the answer's blank begins; `target` and `from` must occur in it as words.
// The target is the first such word, the word it is looked at from the last.
Case question(std::string text, std::string_view target, std::string_view from);

// A word as it follows another: with its leading space.
inline std::string spaced(std::string_view word) { return " " + std::string(word); }

}  // namespace lookback::language
