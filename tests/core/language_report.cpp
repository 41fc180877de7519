#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "core/language/report.hpp"
#include "core/language/report_say.hpp"
#include "core/language/texts.hpp"
#include "core/lens/logit_lens.hpp"
#include "core/numerics/softmax.hpp"
#include "core/text/bpe.hpp"
#include "tests/core/reference.hpp"
#include "tests/core/text_fixtures.hpp"

using namespace lookback;
using namespace lookback::language;

namespace {

constexpr std::size_t window = 512;  // a case of 10 words in bytes
constexpr float spelled_logit = 6;

Vocabulary byte_vocabulary() { return testing::small_vocabulary({}, {"<|endoftext|>"}); }

// A model without attention or neurons that only knows which token follows which: `next` lists both. After any other
// token all scores are 0, so that it says the token of id 0.
Weights speller(const std::vector<std::pair<int, int>>& next, std::size_t d_vocab) {
  const std::size_t n = next.size(), d = 2 * n;
  const auto norm = [&] { return LayerNormWeights{std::vector<float>(d, 1.0f), std::vector<float>(d, 0.0f)}; };
  const auto silent = [](std::size_t in, std::size_t out) {
    return LinearWeights{PackedMatrix(in, out), std::vector<float>(out, 0.0f)};
  };
  Weights w;
  w.config = {1, 2, d, 4, window, d_vocab, 1e-5f, false};
  w.wte = PackedMatrix(d, d_vocab);
  w.lm_head = PackedMatrix(d, d_vocab);
  w.wpe.resize(window * d);
  w.blocks.push_back({norm(), silent(d, 3 * d), silent(d, d), norm(), silent(d, 4), silent(4, d)});
  w.ln_f = norm();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t from = static_cast<std::size_t>(next[i].first), to = static_cast<std::size_t>(next[i].second);
    w.wte.full(i, from) = 1, w.wte.full(n + i, from) = -1;
    w.lm_head.full(i, to) = spelled_logit / std::sqrt(static_cast<float>(n));  // layer norm makes sqrt(n) of the 1
  }
  return w;
}

// Says " France" after "f" and "o", and `end` after it.
Weights france_speller(char end) {
  const std::vector<std::pair<int, int>> next = {{'f', ' '}, {'o', ' '}, {' ', 'F'}, {'F', 'r'}, {'r', 'a'},
                                                 {'a', 'n'}, {'n', 'c'}, {'c', 'e'}, {'e', end}};
  return speller(next, 257);
}

const Answers& answers_of(const Report& report, std::string_view name) {
  const auto found = std::find_if(report.answers.begin(), report.answers.end(),
                                  [&](const Answers& answers) { return answers.name == name; });
  REQUIRE(found != report.answers.end());
  return *found;
}

const Aim& aim_of(const Report& report, std::string_view part) {
  const auto found = std::find_if(report.aims.begin(), report.aims.end(),
                                  [&](const Aim& aim) { return aim.name.find(part) != std::string::npos; });
  REQUIRE(found != report.aims.end());
  return *found;
}

Report report_of(const Weights& weights, const Vocabulary& vocabulary, std::size_t cases, std::uint64_t seed = 1,
                 std::size_t n_threads = 1) {
  Pool pool(n_threads);
  Result<Report> report = make_report(weights, vocabulary, cases, seed, pool);
  REQUIRE_MESSAGE(bool(report), report.error().sentence);
  return std::move(*report);
}

std::string said_after(const Weights& weights, const Vocabulary& vocabulary, std::string_view prompt) {
  Pool pool;
  Speaker speaker{weights, vocabulary, pool};
  REQUIRE(read(speaker, encode(vocabulary, prompt, SpecialTokens::as_text)));
  const Result<SaidWord> said = say_word(speaker);
  REQUIRE(said);
  return said->word;
}

}  // namespace

TEST_CASE("a model's word ends where the next one begins") {
  const Vocabulary bytes = byte_vocabulary();
  CHECK(said_after(france_speller('.'), bytes, "the capital of") == " France");
  CHECK(said_after(france_speller(' '), bytes, "the capital of") == " France");
  CHECK(said_after(france_speller('\n'), bytes, "the capital of F") == "rance");
  CHECK(said_after(speller({{'f', ' '}, {' ', 'F'}, {'F', 256}}, 257), bytes, "of") == " F");
  CHECK(said_after(speller({{'f', 256}}, 257), bytes, "of") == "<|endoftext|>");
  CHECK(said_after(speller({{'f', '.'}, {'.', 'a'}, {'a', '.'}}, 257), bytes, "of") == ".a");

  const Vocabulary merged = testing::small_vocabulary({{"'", "t"}}, {});
  const int t = 256;
  CHECK(said_after(speller({{'d', 'n'}, {'n', t}, {t, ' '}}, 257), merged, "d") == "n't");
  CHECK(said_after(speller({{'d', 'n'}, {'n', '\''}, {'\'', ' '}}, 257), merged, "d") == "n");
}

TEST_CASE("a word that never ends fills the window and is wrong") {
  const std::string said = said_after(france_speller('r'), byte_vocabulary(), "of");
  CHECK(said.size() == window - 1);  // two bytes read, and one said that the window has no more room to read
  CHECK(said.starts_with(" Francerance"));
  const Report report = report_of(france_speller('r'), byte_vocabulary(), 10);
  CHECK(answers_of(report, "country").right == 0);
}

TEST_CASE("cases are right where the word said is right, and nowhere else") {
  constexpr std::size_t n = 150;
  const Report report = report_of(france_speller('.'), byte_vocabulary(), n, 4);
  const float chance = std::exp(spelled_logit) / (std::exp(spelled_logit) + 256);
  for (const Phenomenon phenomenon : phenomena) {
    CAPTURE(name_of(phenomenon));
    std::size_t right = 0;
    for (const Case& question : held_out(phenomenon, n, 4)) {
      const char last = question.prompt.back();
      right += (last == 'f' || last == 'o') &&
               std::find(question.right.begin(), question.right.end(), " France") != question.right.end();
    }
    const Answers& answers = answers_of(report, name_of(phenomenon));
    CHECK(answers.n == n);
    CHECK(answers.right == right);
    CHECK((right > 0) == (phenomenon == Phenomenon::country));
    CHECK(answers.mistakes.size() == (phenomenon == Phenomenon::it ? 0 : 3));
  }
  const Answers& country = answers_of(report, "country");
  CHECK(aim_of(report, "country").measured == static_cast<float>(country.right) / n);
  CHECK_FALSE(aim_of(report, "country").reached());
  for (const Answer& mistake : country.mistakes) {
    CHECK(mistake.said == " France");
    CHECK(mistake.chance == doctest::Approx(std::pow(chance, 7)).epsilon(1e-3));
  }
  // Right and wrong words all begin with a space: that token is the right words'.
  CHECK(country.chance_right.value() == doctest::Approx(chance).epsilon(1e-4));
  CHECK(country.chance_wrong.value() == 0);

  // Verbs and adjectives after "it" are the cases of "it".
  CHECK(answers_of(report, "it: what it did").n + answers_of(report, "it: what it was").n == n);
  CHECK(answers_of(report, "it: what it did").mistakes.size() == 3);
  CHECK(answers_of(report, "it: what it did").n > answers_of(report, "it: what it was").n);

  REQUIRE(report.book.size() == book_cases().size());
  std::size_t book_right = 0;
  for (const Answer& answer : report.book) {
    CHECK(answer.right == (answer.prompt == "Maya lives in Paris, the capital of"));
    book_right += answer.right;
  }
  CHECK(book_right == 1);
  CHECK(aim_of(report, "book").measured == 1.0f / static_cast<float>(report.book.size()));
}

TEST_CASE("heads that look evenly are measured as such") {
  constexpr std::size_t n = 12;
  const Vocabulary bytes = byte_vocabulary();
  const Report report = report_of(france_speller('.'), bytes, n);
  Mean previous, name;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t length = std::min(window, text(1'000'000'000'000 + i).size());
    for (std::size_t t = 1; t < length; ++t) previous.add(1.0f / static_cast<float>(t + 1));
  }
  for (const Case& question : held_out(Phenomenon::who_gets, n, 1))
    name.add(1.0f / static_cast<float>(question.prompt.size()));
  CHECK(report.census.at({0, 1}).of(Role::previous_token).value() == doctest::Approx(previous.value()).epsilon(1e-5));
  CHECK(report.census.at({0, 1}).of(Role::previous_token).n == previous.n);
  CHECK(aim_of(report, "previous-token").measured == report.census.at({0, 0}).of(Role::previous_token).value());
  CHECK(aim_of(report, "previous-token").head == "0.0");
  CHECK(aim_of(report, "name-mover").measured == doctest::Approx(name.value()).epsilon(1e-5));
  CHECK(aim_of(report, "at its noun").measured == 0);  // ties

  // A layer that adds nothing leaves the chance as it is.
  CHECK(report.country.n == n);
  CHECK(report.country.rising == 0);
  CHECK(report.country.chance[0].value() == report.country.chance[1].value());
  CHECK(report.country.jumps == std::vector<std::size_t>{n});
}

TEST_CASE("looks and layers are measured where the words stand, split or not") {
  constexpr std::size_t n = 8;
  // Whole words, words with and without their space, and words in pieces.
  const Vocabulary vocabulary = testing::small_vocabulary(
      {{"h", "e"}, {" ", "i"}, {" i", "t"}, {" ", "t"}, {" t", "o"}, {"o", "f"}, {" ", "d"}, {" d", "o"}});
  const std::size_t d_vocab = static_cast<std::size_t>(vocabulary.size());
  const Weights weights = reference::random_weights({2, 2, 12, 16, window, d_vocab, 1e-5f, true}, 5);
  const Report report = report_of(weights, vocabulary, n, 9);
  Pool pool;
  Trace trace;
  LookCensus nouns = begin_looks(weights.config), names = nouns;
  Census census = begin_census(weights.config), prompts = census;
  std::vector<Mean> chance(3);
  for (const Phenomenon phenomenon : phenomena) {
    for (const Case& question : held_out(phenomenon, n, 9)) {
      const TokenisedText text = tokenise(vocabulary, question.prompt, SpecialTokens::as_text);
      std::map<std::size_t, std::size_t> token_at_byte;
      std::vector<int> ids;
      for (const TokenSpan& token : text.tokens) {
        for (std::size_t byte = token.begin; byte < token.end; ++byte) token_at_byte[byte] = ids.size();
        ids.push_back(token.id);
      }
      REQUIRE(run(weights, ids, trace, pool));
      REQUIRE(count(prompts, trace));
      const std::size_t from = token_at_byte.at(question.from_end - 1), to = token_at_byte.at(question.target_end - 1);
      if (phenomenon == Phenomenon::it) REQUIRE(count_look(nouns, trace, from, to, to + 1));
      if (phenomenon == Phenomenon::who_gets) REQUIRE(count_look(names, trace, from, to, to + 1));
      if (phenomenon == Phenomenon::repeat) REQUIRE(count(census, trace));
      if (phenomenon != Phenomenon::country) continue;
      const int right = encode(vocabulary, question.right[0], SpecialTokens::as_text)[0];
      for (std::size_t done = 0; done <= 2; ++done)
        chance[done].add(standing_of(logit_lens(weights, trace, done, ids.size() - 1, pool), right).probability);
    }
  }
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(report.nouns.heads[i].share.value() == nouns.heads[i].share.value());
    CHECK(report.nouns.heads[i].hardest == nouns.heads[i].hardest);
    CHECK(report.names.heads[i].share.value() == names.heads[i].share.value());
    CHECK(report.census.heads[i].of(Role::induction).value() == census.heads[i].of(Role::induction).value());
    CHECK(report.prompts.heads[i].of(Role::first_token).value() == prompts.heads[i].of(Role::first_token).value());
    CHECK(report.census.heads[i].of(Role::same_token).value() != census.heads[i].of(Role::same_token).value());
  }
  CHECK(aim_of(report, "resting").measured == find_head(prompts, Role::first_token)->share);
  for (std::size_t done = 0; done <= 2; ++done)
    CHECK(report.country.chance[done].value() == doctest::Approx(chance[done].value()).epsilon(1e-5));
}

TEST_CASE("a report is the same with any number of threads, and another with another seed") {
  const Vocabulary bytes = byte_vocabulary();
  const Weights weights = reference::random_weights({2, 2, 12, 16, window, 257, 1e-5f, true}, 6);
  const Report report = report_of(weights, bytes, 5, 2, 1);
  const std::string json_text = report_json(report, "tiny/model.safetensors");
  CHECK(json_text == report_json(report_of(weights, bytes, 5, 2, 2), "tiny/model.safetensors"));
  CHECK(json_text != report_json(report_of(weights, bytes, 5, 3, 1), "tiny/model.safetensors"));

  const nlohmann::json json = nlohmann::json::parse(json_text);
  CHECK(json["file"] == "tiny/model.safetensors");
  CHECK(json["n_parameters"] == n_parameters(weights.config));
  CHECK(json["cases_each"] == 5);
  REQUIRE(json["aims"].size() == report.aims.size());
  REQUIRE(report.aims.size() == 12);
  const std::string markdown = report_markdown(report, "tiny/model.safetensors");
  CHECK(markdown.find("# Report on tiny/model.safetensors\n") == 0);
  CHECK(markdown.find(std::to_string(n_parameters(weights.config)) + " parameters") != std::string::npos);
  for (std::size_t i = 0; i < report.aims.size(); ++i) {
    CHECK(json["aims"][i]["name"] == report.aims[i].name);
    CHECK(json["aims"][i]["measured"].get<float>() == report.aims[i].measured);
    CHECK(json["aims"][i]["reached"] == report.aims[i].reached());
    CHECK(markdown.find("| " + report.aims[i].name + " | ") != std::string::npos);
  }
  CHECK(json["heads"].size() == 4);
  CHECK(json["heads"][3]["shares"]["previous token"].get<float>() ==
        report.census.at({1, 1}).of(Role::previous_token).value());
  CHECK(json["book"].size() == book_cases().size());
  CHECK(json["country_lens"]["mean_chance"].size() == 3);
  CHECK(json["continuations"].size() == 6);
  CHECK(std::any_of(report.continuations.begin(), report.continuations.end(),
                    [](const Continuation& made) { return made.greedy != made.sampled; }));
  for (const Answers& answers : report.answers) {
    CAPTURE(answers.name);
    CHECK(answers.chance_right.n == answers.n);
    CHECK(answers.chance_right.value() + answers.chance_wrong.value() <= 1.0001f);
  }
}

TEST_CASE("free continuations end with the text") {
  const Vocabulary bytes = byte_vocabulary();
  const Weights weights = speller({{'y', ' '}, {' ', 'a'}, {'a', 256}}, 257);
  Pool pool;
  Speaker speaker{weights, bytes, pool};
  std::mt19937_64 random(1);
  REQUIRE(read(speaker, encode(bytes, "One day Mary", SpecialTokens::as_text)));
  CHECK(*go_on(speaker, {0, 0, 1}, random, 48) == " a");
  REQUIRE(read(speaker, encode(bytes, "One day Mary", SpecialTokens::as_text)));
  CHECK(*go_on(speaker, {0, 0, 1}, random, 1) == " ");
  CHECK_FALSE(go_on(speaker, {-1, 0, 1}, random, 1));
}

TEST_CASE("what a rise with a jump is") {
  CHECK(rises_with_a_jump(std::vector<float>{0.0f, 0.1f, 0.5f, 0.49f, 0.9f}));
  CHECK(rises_with_a_jump(std::vector<float>{0.0f, 0.31f}));
  CHECK_FALSE(rises_with_a_jump(std::vector<float>{0.0f, 0.2f, 0.4f, 0.6f}));           // no jump
  CHECK_FALSE(rises_with_a_jump(std::vector<float>{0.0f, 0.5f, 0.4f, 0.9f}));           // a fall
  CHECK_FALSE(rises_with_a_jump(std::vector<float>{0.1f, std::nanf(""), 0.1f, 0.9f}));  // no number
  CHECK_FALSE(rises_with_a_jump(std::vector<float>{}));
}

TEST_CASE("a report says in one sentence why there is none") {
  const Vocabulary bytes = byte_vocabulary();
  Weights weights = france_speller('.');
  Pool pool;
  CHECK(make_report(weights, bytes, 0, 1, pool).error().sentence ==
        "There are no cases; at least one of each kind was expected.");
  CHECK(make_report(weights, testing::small_vocabulary({}), 1, 1, pool).error().sentence ==
        "The vocabulary has 256 tokens, but the model 257; a report needs the vocabulary that the model was trained "
        "with.");
  weights.config.n_positions = 20;
  CHECK(make_report(weights, bytes, 1, 1, pool).error().code == ErrorCode::window_full);
  weights.config.n_positions = window;
  weights.ln_f.bias[0] = std::numeric_limits<float>::infinity();
  const Result<Report> broken = make_report(weights, bytes, 1, 1, pool);
  REQUIRE_FALSE(broken);
  CHECK(broken.error().code == ErrorCode::bad_argument);
  CHECK(broken.error().sentence.find("not finite") != std::string::npos);
}

TEST_CASE("an aim is reached at its edge, and not without cases") {
  CHECK(Aim{"", "", 500, 475.0f / 500.0f, 0.95f}.reached());
  CHECK_FALSE(Aim{"", "", 500, 474.0f / 500.0f, 0.95f}.reached());
  CHECK_FALSE(Aim{"", "", 0, 1, 0.5f}.reached());
  CHECK_FALSE(Aim{"", "", 5, std::nanf(""), 0.5f}.reached());
}
