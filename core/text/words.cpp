#include "core/text/words.hpp"

#include "core/text/unicode_classes.hpp"
#include "core/text/utf8.hpp"

namespace lookback {

namespace {

constexpr std::string_view kContractions[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};

struct Run {
  std::size_t end;             // where characters of another kind begin, or the text ends
  std::size_t last_character;  // where the run's last character begins
};

// The characters of one kind from `at` on; empty when the first is of another kind.
Run run_of(CharacterKind kind, std::string_view text, std::size_t at) {
  Run run{at, at};
  while (run.end < text.size()) {
    const Utf8Step step = read_utf8(text, run.end);
    if (kind_of(step.code_point) != kind) break;
    run.last_character = run.end;
    run.end += step.length;
  }
  return run;
}

}  // namespace

std::size_t word_end(std::string_view text, std::size_t begin) {
  for (const std::string_view contraction : kContractions) {
    if (text.substr(begin).starts_with(contraction)) return begin + contraction.size();
  }

  // ` ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+`: the run after one optional U+0020.
  const std::size_t first = text[begin] == ' ' ? begin + 1 : begin;
  if (first < text.size()) {
    const CharacterKind kind = kind_of(read_utf8(text, first).code_point);
    if (kind != CharacterKind::space) return run_of(kind, text, first).end;
  }

  // `\s+(?!\S)`: white space before more text leaves its last character to what follows. A single one cannot: `\s+`.
  const Run spaces = run_of(CharacterKind::space, text, begin);
  const bool more_text = spaces.end < text.size();
  return more_text && spaces.last_character > begin ? spaces.last_character : spaces.end;
}

}  // namespace lookback
