// What kind of character a code point is, as far as GPT-2's tokenizer and the display of tokens ask.
// The tables are generated (generate_unicode_classes.mjs); unicode_classes.inc states their Unicode version.
#pragma once

namespace lookback {

// The four kinds that GPT-2's pattern tells apart: \p{L}, \p{N}, \s, and everything else.
// \s is Unicode's White_Space, as in Python's `regex`, in which GPT-2 was trained. JavaScript's \s differs: it lacks
// U+0085 and has U+FEFF. Python's own `re` differs too: it has U+001C..U+001F.
enum class CharacterKind { letter, number, space, other };

CharacterKind kind_of(char32_t code_point);

// Whether a reader would see nothing, or only a gap: controls, every space but U+0020, line and paragraph separators,
// default-ignorable code points (zero-width, bidirectional, variation selectors, tags), noncharacters, U+FFF9..U+FFFB.
bool is_invisible(char32_t code_point);

}  // namespace lookback
