#include "core/language/report.hpp"

#include <algorithm>
#include <iterator>
#include <random>

#include "core/language/report_say.hpp"
#include "core/language/texts.hpp"
#include "core/lens/logit_lens.hpp"
#include "core/numerics/softmax.hpp"
#include "core/text/bpe.hpp"

namespace lookback::language {
namespace {

// Far behind the last text that any training reads.
constexpr std::uint64_t first_held_out_text = 1'000'000'000'000;
constexpr std::size_t mistakes_kept = 3;
constexpr std::size_t continuation_tokens = 48;
constexpr float sampling_temperature = 0.7f;

constexpr std::string_view beginnings[] = {"One day Mary", "The old clock", "In the morning", "Tom lives in",
                                           "The dog chased", "It was cold, so"};

struct PhenomenonAim {
  std::string_view name;
  float at_least;
};

// The lines of the table of aims that cases are counted for.
PhenomenonAim aim_of(Phenomenon phenomenon) {
  switch (phenomenon) {
    case Phenomenon::who_gets: return {"right name, held-out pairs", 0.95f};
    case Phenomenon::country: return {"right country", 0.95f};
    case Phenomenon::it: return {"right continuation after “it”", 0.95f};
    case Phenomenon::chase: return {"chaser and chased told apart", 0.95f};
    case Phenomenon::repeat: return {"second occurrence of a pattern", 0.90f};
  }
  return {};
}

constexpr float noun_aim = 0.8f, name_aim = 0.4f, country_lens_aim = 0.8f, book_aim = 1.0f;

bool among(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string head_name(HeadIndex at) { return std::to_string(at.layer) + "." + std::to_string(at.head); }

// The position of the word that ends before byte `end`: its last token.
std::size_t position_of(const TokenisedText& text, std::size_t end) {
  std::size_t position = 0;
  while (position + 1 < text.tokens.size() && text.tokens[position + 1].begin < end) ++position;
  return position;
}

std::vector<int> ids_of(const TokenisedText& text) {
  std::vector<int> ids;
  for (const TokenSpan& token : text.tokens) ids.push_back(token.id);
  return ids;
}

// Each once, in the order of the words.
std::vector<int> first_tokens(const Vocabulary& vocabulary, const std::vector<std::string>& words) {
  std::vector<int> ids;
  for (const std::string& word : words) {
    const int id = encode(vocabulary, word, SpecialTokens::as_text)[0];
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
  return ids;
}

float chance_of(std::span<const float> chances, const std::vector<int>& ids, const std::vector<int>& but_not) {
  float sum = 0;
  for (const int id : ids)
    if (std::find(but_not.begin(), but_not.end(), id) == but_not.end()) sum += chances[static_cast<std::size_t>(id)];
  return sum;
}

// The model's word after what it has read, and whether it is one of `right`.
Result<Answer> answer(Speaker& speaker, const Case& question) {
  const Result<SaidWord> said = say_word(speaker);
  if (!said) return said.error();
  return Answer{question.prompt, said->word, said->chance, among(question.right, said->word)};
}

void keep(Answers& answers, const Answer& given, float chance_right, float chance_wrong) {
  ++answers.n;
  answers.right += given.right;
  answers.chance_right.add(chance_right);
  answers.chance_wrong.add(chance_wrong);
  if (!given.right && answers.mistakes.size() < mistakes_kept) answers.mistakes.push_back(given);
}

void look_through_layers(Speaker& speaker, int right, CountryLens& lens) {
  const std::size_t last = speaker.trace.n_tokens() - 1, n_layers = speaker.weights.config.n_layers;
  std::vector<float> chances;
  for (std::size_t done = 0; done <= n_layers; ++done) {
    std::vector<float> scores = logit_lens(speaker.weights, speaker.trace, done, last, speaker.pool);
    softmax(scores);
    chances.push_back(scores[static_cast<std::size_t>(right)]);
    lens.chance[done].add(chances.back());
  }
  std::size_t steepest = 0;
  for (std::size_t layer = 1; layer < n_layers; ++layer)
    if (chances[layer + 1] - chances[layer] > chances[steepest + 1] - chances[steepest]) steepest = layer;
  ++lens.jumps[steepest];
  ++lens.n;
  lens.rising += rises_with_a_jump(chances);
}

// What a case shows before the model answers, by its phenomenon.
Result<> look(Speaker& speaker, Phenomenon phenomenon, const Case& question, const TokenisedText& text,
              Report& report) {
  const std::size_t from = position_of(text, question.from_end), to = position_of(text, question.target_end);
  switch (phenomenon) {
    case Phenomenon::who_gets: return count_look(report.names, speaker.trace, from, to, to + 1);
    case Phenomenon::it: return count_look(report.nouns, speaker.trace, from, to, to + 1);
    case Phenomenon::repeat: return count(report.census, speaker.trace);
    case Phenomenon::country:
      look_through_layers(speaker, first_tokens(speaker.vocabulary, question.right)[0], report.country);
      return Nothing{};
    case Phenomenon::chase: return Nothing{};
  }
  return Nothing{};
}

// A case of "it" ends with that word, or goes on with "was too" and asks what the noun can be.
bool asks_for_deed(const Case& question) { return question.from_end == question.prompt.size(); }

Result<> run_cases(Speaker& speaker, Phenomenon phenomenon, Report& report) {
  const std::string name(name_of(phenomenon));
  Answers all{name}, deeds{name + ": what it did"}, faults{name + ": what it was"};
  for (const Case& question : held_out(phenomenon, report.cases_each, report.seed)) {
    const TokenisedText text = tokenise(speaker.vocabulary, question.prompt, SpecialTokens::as_text);
    if (const Result<> done = read(speaker, ids_of(text)); !done) return done;
    if (const Result<> counted = count(report.prompts, speaker.trace); !counted) return counted;
    if (const Result<> seen = look(speaker, phenomenon, question, text, report); !seen) return seen;

    Result<std::vector<float>> chances = next_scores(speaker);
    if (!chances) return chances.error();
    softmax(*chances);
    const std::vector<int> right = first_tokens(speaker.vocabulary, question.right);
    const float chance_right = chance_of(*chances, right, {});
    const float chance_wrong = chance_of(*chances, first_tokens(speaker.vocabulary, question.wrong), right);
    const Result<Answer> given = answer(speaker, question);
    if (!given) return given.error();
    keep(all, *given, chance_right, chance_wrong);
    if (phenomenon == Phenomenon::it)
      keep(asks_for_deed(question) ? deeds : faults, *given, chance_right, chance_wrong);
  }
  const PhenomenonAim aim = aim_of(phenomenon);
  report.aims.push_back({std::string(aim.name), "", all.n, static_cast<float>(all.right) / static_cast<float>(all.n),
                         aim.at_least});
  if (phenomenon == Phenomenon::it) all.mistakes.clear();
  report.answers.push_back(std::move(all));
  for (Answers* part : {&deeds, &faults})
    if (part->n > 0) report.answers.push_back(std::move(*part));
  return Nothing{};
}

// Induction is read off the repeat cases alone, where nothing but an earlier occurrence tells what comes next. Those
// prompts are word lists, so the other roles are read off texts.
Result<> run_census(Speaker& speaker, Report& report) {
  Census over_texts = begin_census(report.config);
  for (std::size_t i = 0; i < report.cases_each; ++i) {
    std::vector<int> ids = encode(speaker.vocabulary, text(first_held_out_text + i), SpecialTokens::as_text);
    ids.resize(std::min(ids.size(), report.config.n_positions));
    if (const Result<> done = read(speaker, ids); !done) return done;
    if (const Result<> counted = count(over_texts, speaker.trace); !counted) return counted;
  }
  constexpr std::size_t induction = static_cast<std::size_t>(Role::induction);
  for (std::size_t i = 0; i < over_texts.heads.size(); ++i)
    over_texts.heads[i].shares[induction] = report.census.heads[i].shares[induction];
  report.census = std::move(over_texts);
  return Nothing{};
}

Aim role_aim(const Census& census, Role role, std::string name) {
  const std::optional<FoundRole> found = find_head(census, role);
  if (!found) return {std::move(name), "", 0, 0, threshold_of(role)};
  return {std::move(name), head_name(found->at), census.at(found->at).of(role).n, found->share, threshold_of(role)};
}

void add_head_aims(Report& report) {
  Aim noun{"a head that, from “it”, looks hardest at its noun: in this part of the cases", "", 0, 0, noun_aim};
  if (const std::optional<HeadIndex> at = hardest_most_often(report.nouns)) {
    const HeadLooks& looks = report.nouns.at(*at);
    noun.head = head_name(*at), noun.n = looks.share.n, noun.measured = looks.hardest_part();
  }
  report.aims.push_back(std::move(noun));
  report.aims.push_back(
      role_aim(report.census, Role::previous_token, "previous-token head: mean share on the token before"));
  report.aims.push_back(
      role_aim(report.census, Role::induction, "induction head: mean share on the tokens after earlier occurrences"));
  Aim name{"name-mover-like head: mean share, from the last word, on the name to be said", "", 0, 0, name_aim};
  if (const std::optional<HeadIndex> at = largest_share(report.names)) {
    const HeadLooks& looks = report.names.at(*at);
    name.head = head_name(*at), name.n = looks.share.n, name.measured = looks.share.value();
  }
  report.aims.push_back(std::move(name));
  report.aims.push_back(role_aim(report.prompts, Role::first_token, "resting head: mean share on the first token"));
}

Result<> run_book(Speaker& speaker, Report& report) {
  Aim aim{"the book's own sentences", "", 0, 0, book_aim};
  std::size_t right = 0;
  for (const BookCase& book : book_cases()) {
    const std::vector<int> ids = encode(speaker.vocabulary, book.question.prompt, SpecialTokens::as_text);
    if (const Result<> done = read(speaker, ids); !done) return done;
    const Result<Answer> given = answer(speaker, book.question);
    if (!given) return given.error();
    right += given->right;
    report.book.push_back(*given);
  }
  aim.n = report.book.size();
  aim.measured = static_cast<float>(right) / static_cast<float>(aim.n);
  report.aims.push_back(std::move(aim));
  return Nothing{};
}

Result<> run_continuations(Speaker& speaker, Report& report) {
  std::mt19937_64 random(report.seed);
  for (const std::string_view beginning : beginnings) {
    Continuation made{std::string(beginning), "", ""};
    const std::vector<int> ids = encode(speaker.vocabulary, beginning, SpecialTokens::as_text);
    for (const bool greedy : {true, false}) {
      if (const Result<> done = read(speaker, ids); !done) return done;
      const Sampling sampling{greedy ? 0.0f : sampling_temperature, 0, 1.0f};
      Result<std::string> added = go_on(speaker, sampling, random, continuation_tokens);
      if (!added) return added.error();
      (greedy ? made.greedy : made.sampled) = std::move(*added);
    }
    report.continuations.push_back(std::move(made));
  }
  return Nothing{};
}

Result<Report> measure(Speaker& speaker, std::size_t cases_each, std::uint64_t seed) {
  const Config& config = speaker.weights.config;
  Report report;
  report.config = config;
  report.cases_each = cases_each;
  report.seed = seed;
  report.census = report.prompts = begin_census(config);
  report.nouns = report.names = begin_looks(config);
  report.country.chance.resize(config.n_layers + 1);
  report.country.jumps.resize(config.n_layers);
  for (const Phenomenon phenomenon : phenomena)
    if (const Result<> done = run_cases(speaker, phenomenon, report); !done) return done.error();
  if (const Result<> done = run_census(speaker, report); !done) return done.error();
  add_head_aims(report);
  report.aims.push_back({"the country's chance rises layer by layer, and jumps in one", "", report.country.n,
                         static_cast<float>(report.country.rising) / static_cast<float>(report.country.n),
                         country_lens_aim});
  if (const Result<> done = run_book(speaker, report); !done) return done.error();
  if (const Result<> done = run_continuations(speaker, report); !done) return done.error();
  return report;
}

}  // namespace

bool rises_with_a_jump(std::span<const float> chances) {
  constexpr float fall_allowed = 0.02f, jump = 0.3f;
  bool jumps = false;
  for (std::size_t i = 1; i < chances.size(); ++i) {
    if (!(chances[i] >= chances[i - 1] - fall_allowed)) return false;
    jumps = jumps || chances[i] - chances[i - 1] >= jump;
  }
  return jumps;
}

Result<Report> make_report(const Weights& weights, const Vocabulary& vocabulary, std::size_t cases_each,
                           std::uint64_t seed, Pool& pool) {
  if (cases_each == 0)
    return fail(ErrorCode::bad_argument, "There are no cases; at least one of each kind was expected.");
  if (static_cast<std::size_t>(vocabulary.size()) != weights.config.d_vocab)
    return fail(ErrorCode::bad_argument, "The vocabulary has " + std::to_string(vocabulary.size()) +
                                             " tokens, but the model " + std::to_string(weights.config.d_vocab) +
                                             "; a report needs the vocabulary that the model was trained with.");
  try {
    Speaker speaker{weights, vocabulary, pool};
    return measure(speaker, cases_each, seed);
  } catch (...) {  // result.hpp tells why not std::bad_alloc
    return fail(ErrorCode::out_of_memory, "There is not enough memory for a report on " + std::to_string(cases_each) +
                                              " cases of each kind.");
  }
}

}  // namespace lookback::language
