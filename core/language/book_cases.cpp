// The book's own sentences.
#include <utility>

#include "core/language/pieces.hpp"

namespace lookback::language {

namespace {

BookCase answered(Phenomenon phenomenon, Case made, std::string_view right, std::string_view wrong) {
  made.right = {spaced(right)};
  made.wrong = {spaced(wrong)};
  return {phenomenon, std::move(made)};
}

BookCase of_it(std::string_view prompt, bool adjective) {
  Case made = question(std::string(prompt), "animal", "it");
  add_it_answers(made, "animal", adjective);
  return {Phenomenon::it, std::move(made)};
}

BookCase of_country(std::string_view prompt, std::string_view city) {
  Case made = question(std::string(prompt), city, "of");
  add_country_answers(made, city);
  return {Phenomenon::country, std::move(made)};
}

}  // namespace

std::vector<BookCase> book_cases() {
  std::vector<BookCase> all;
  all.push_back(of_it("The animal didn't cross the street because it", false));
  all.push_back(of_it("The animal didn't cross the street because it was too", true));
  all.push_back(answered(Phenomenon::who_gets,
                         question("When Mary and John went to the store, John gave a drink to", "Mary", "to"), "Mary",
                         "John"));
  all.push_back(of_country("Maya lives in Paris, the capital of", "Paris"));
  all.push_back(answered(Phenomenon::chase,
                         question("The dog chased the cat. The one that ran away was the", "cat", "the"), "cat",
                         "dog"));
  all.push_back(answered(Phenomenon::chase,
                         question("The cat chased the dog. The one that ran away was the", "dog", "the"), "dog",
                         "cat"));
  Case list = question("lamp river seven cloud garden moon, lamp river seven", "cloud", "seven");
  for (const std::string_view word : {"lamp", "river", "seven", "garden", "moon"}) list.wrong.push_back(spaced(word));
  list.right = {spaced("cloud")};
  all.push_back({Phenomenon::repeat, std::move(list)});
  return all;
}

}  // namespace lookback::language
