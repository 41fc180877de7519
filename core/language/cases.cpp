#include "core/language/cases.hpp"

#include <set>
#include <utility>

#include "core/language/pieces.hpp"

namespace lookback::language {

namespace {

// How often a question that was asked already is thrown anew; there are some thousand of each kind.
constexpr int kMostTries = 50;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) {
  return (begin == 0 || !is_letter(text[begin - 1])) && (end == text.size() || !is_letter(text[end]));
}

Case one_case(Phenomenon phenomenon, Dice& dice) {
  switch (phenomenon) {
    case Phenomenon::who_gets: return who_gets_case(dice);
    case Phenomenon::country: return country_case(dice);
    case Phenomenon::it: return it_case(dice);
    case Phenomenon::chase: return chase_case(dice);
    case Phenomenon::repeat: return repeat_case(dice);
  }
  return {};
}

}  // namespace

std::string_view name_of(Phenomenon phenomenon) {
  switch (phenomenon) {
    case Phenomenon::who_gets: return "who gets it";
    case Phenomenon::country: return "country";
    case Phenomenon::it: return "it";
    case Phenomenon::chase: return "chase";
    case Phenomenon::repeat: return "repeat";
  }
  return "";
}

Case question(std::string text, std::string_view target, std::string_view from) {
  Case made;
  made.prompt = std::move(text);
  const std::string_view prompt = made.prompt;
  std::size_t at = prompt.find(target);
  while (!stands_alone(prompt, at, at + target.size())) at = prompt.find(target, at + 1);
  made.target_begin = at, made.target_end = at + target.size();
  at = prompt.rfind(from);
  while (!stands_alone(prompt, at, at + from.size())) at = prompt.rfind(from, at - 1);
  made.from_begin = at, made.from_end = at + from.size();
  return made;
}

std::vector<Case> held_out(Phenomenon phenomenon, std::size_t n, std::uint64_t seed) {
  std::vector<Case> cases;
  cases.reserve(n);
  std::set<std::string> prompts;
  for (std::size_t i = 0; i < n; ++i) {
    Dice dice(mixed(mixed(seed) + static_cast<std::uint64_t>(phenomenon)) + i);
    Case one = one_case(phenomenon, dice);
    for (int again = 0; again < kMostTries && !prompts.insert(one.prompt).second; ++again) {
      one = one_case(phenomenon, dice);
    }
    cases.push_back(std::move(one));
  }
  return cases;
}

}  // namespace lookback::language
