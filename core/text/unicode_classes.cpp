#include "core/text/unicode_classes.hpp"

#include <algorithm>
#include <span>

namespace lookback {

namespace {

struct CodePointRange {
  char32_t first, last;
};

#include "core/text/unicode_classes.inc"

bool contains(std::span<const CodePointRange> ranges, char32_t code_point) {
  const auto next = std::upper_bound(ranges.begin(), ranges.end(), code_point,
                                     [](char32_t code, const CodePointRange& range) { return code < range.first; });
  return next != ranges.begin() && code_point <= std::prev(next)->last;
}

}  // namespace

CharacterKind kind_of(char32_t code_point) {
  if (contains(kLetters, code_point)) return CharacterKind::letter;
  if (contains(kSpaces, code_point)) return CharacterKind::space;
  if (contains(kNumbers, code_point)) return CharacterKind::number;
  return CharacterKind::other;
}

bool is_invisible(char32_t code_point) { return contains(kInvisible, code_point); }

}  // namespace lookback
