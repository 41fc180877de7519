// Held-out questions about the little language: what a model must have learned to answer them right.
//
// No prompt of a case is ever part of a training text: texts.hpp leaves out the pairs and the sentence forms that the
// cases use (held_out.hpp). Every single word and every fact of a case does occur in training.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lookback::language {

enum class Phenomenon { who_gets, country, it, chase, repeat };
constexpr std::array<Phenomenon, 5> phenomena = {Phenomenon::who_gets, Phenomenon::country, Phenomenon::it,
                                                 Phenomenon::chase, Phenomenon::repeat};
std::string_view name_of(Phenomenon phenomenon);  // "who gets it", "country", …, as reports print it

struct Case {
  std::string prompt;              // ends right before the answer's leading space
  std::vector<std::string> right;  // words that may follow, each with its leading space
  std::vector<std::string>
      wrong;  // what a model says that has not looked back: the other name, the other kind's words …
  // Bytes [begin, end) of the prompt: the word to look back at (the noun of "it", the name to be said, …), and the
  // word from which the look starts ("it", the last word …).
  std::size_t target_begin = 0, target_end = 0;
  std::size_t from_begin = 0, from_end = 0;
};

// n cases, the same for the same seed.
std::vector<Case> held_out(Phenomenon phenomenon, std::size_t n, std::uint64_t seed);

// The book's own sentences as cases, in the book's order; they are not in any training text either.
struct BookCase {
  Phenomenon phenomenon;
  Case question;
};
std::vector<BookCase> book_cases();

}  // namespace lookback::language
