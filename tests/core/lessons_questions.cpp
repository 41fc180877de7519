// One sentence under three heads and a second layer: every number against the same arithmetic in double, written once
// more; what the book says of it; who is off changes what comes after, and nobody looks ahead.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>

#include "core/lessons/lessons.hpp"
#include "core/lessons/phrase.hpp"
#include "core/lessons/questions.hpp"
#include "core/lessons/story.hpp"

using namespace lookback;
using namespace lookback::lessons;

namespace {

using Row = std::array<double, n_features>;

std::vector<std::string> tokens_in(std::string_view text) {
  std::vector<std::string> tokens;
  for (const Token& token : tokens_of(text, nullptr)) tokens.push_back(token.text);
  return tokens;
}

std::size_t place(const std::vector<std::string>& tokens, const std::string& text) {
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i] == text) return i;
  REQUIRE(false);
  return 0;
}

QuestionsInput book() {
  QuestionsInput input{tokens_in(questions_story().text), 0, 0, {true, true, true}};
  input.asking = place(input.tokens, " bank");
  input.later = place(input.tokens, " money");
  return input;
}

Row scaled(const Row& row, double shortest) {
  double squares = 0;
  for (const double x : row) squares += x * x;
  const double length = std::max(std::sqrt(squares), shortest);
  Row out{};
  for (std::size_t f = 0; f < n_features; ++f) out[f] = length > 0 ? row[f] / length : 0;
  return out;
}

struct Look {
  std::vector<double> scores, shares;
  double sink;
  Row blend{};
};

Look look(const QuestionHead& head, const std::vector<Row>& rows, std::size_t asking) {
  const Row own = scaled(rows[asking], 0.5);
  double any = 0;
  for (const double x : own) any += x;
  Row query{};
  for (std::size_t f = 0; f < n_features; ++f) {
    const auto i = static_cast<Eigen::Index>(f);
    query[f] = (any > 0 ? head.asks[i] : 0) + head.doubts[i] * own[f];
  }
  query = scaled(query, 0);
  Look found;
  double sum = std::exp(4.0);
  for (std::size_t t = 0; t < asking; ++t) {
    const Row other = scaled(rows[t], 0.5);
    double dot = 0;
    for (std::size_t f = 0; f < n_features; ++f) dot += query[f] * head.reads[static_cast<Eigen::Index>(f)] * other[f];
    found.scores.push_back(9 * dot);
    sum += std::exp(9 * dot);
  }
  found.sink = std::exp(4.0) / sum;
  for (std::size_t t = 0; t < asking; ++t) {
    found.shares.push_back(std::exp(found.scores[t]) / sum);
    const Row other = scaled(rows[t], 0.5);
    for (std::size_t f = 0; f < n_features; ++f)
      found.blend[f] += found.shares[t] * head.hands[static_cast<Eigen::Index>(f)] * other[f];
  }
  return found;
}

void same(const Asked& got, const Look& wanted) {
  REQUIRE(got.shares.size() == wanted.shares.size());
  double all = got.sink_share;
  for (std::size_t t = 0; t < wanted.shares.size(); ++t) {
    CHECK(std::fabs(got.scores[t] - wanted.scores[t]) < 1e-5);
    CHECK(std::fabs(got.shares[t] - wanted.shares[t]) < 1e-5);
    all += got.shares[t];
  }
  CHECK(std::fabs(got.sink_share - wanted.sink) < 1e-5);
  CHECK(std::fabs(all - 1) < 1e-5);
  for (std::size_t f = 0; f < n_features; ++f)
    CHECK(std::fabs(got.blend[static_cast<Eigen::Index>(f)] - wanted.blend[f]) < 1e-5);
}

}  // namespace

TEST_CASE("questions: every score, share, blend and row is that of the formula") {
  for (unsigned off = 0; off < 8; ++off) {
    QuestionsInput input = book();
    for (std::size_t h = 0; h < 3; ++h) input.on[h] = !(off >> h & 1u);
    const auto got = questions(input);
    REQUIRE(got);

    std::vector<Row> rows, after;
    for (const std::string& token : input.tokens) {
      Row row{};
      const FeatureVector weights = phrase({token}, {}).sum;
      for (std::size_t f = 0; f < n_features; ++f) row[f] = weights[static_cast<Eigen::Index>(f)];
      rows.push_back(row);
    }
    after = rows;
    for (std::size_t h = 0; h < 3; ++h) {
      same(got->first[h], look(first_layer()[h], rows, input.asking));
      if (!input.on[h]) continue;
      for (std::size_t t = 0; t < rows.size(); ++t) {
        const Row blend = look(first_layer()[h], rows, t).blend;
        for (std::size_t f = 0; f < n_features; ++f) after[t][f] += blend[f];
      }
    }
    for (std::size_t t = 0; t < rows.size(); ++t)
      for (std::size_t f = 0; f < n_features; ++f)
        CHECK(std::fabs(got->after[t][static_cast<Eigen::Index>(f)] - after[t][f]) < 1e-5);
    same(got->second, look(second_layer(), after, input.later));
  }
}

TEST_CASE("questions: three heads find three words, and layer 2 changes its mind without them") {
  QuestionsInput input = book();
  const auto on = questions(input);
  REQUIRE(on);
  const char* found[] = {" village", " Mira", " river"};
  for (std::size_t h = 0; h < 3; ++h) {
    REQUIRE(on->first[h].best);
    CHECK(input.tokens[*on->first[h].best] == found[h]);
    CHECK(on->first[h].shares[*on->first[h].best] > 0.6f);
  }
  REQUIRE(on->second.best);
  CHECK(input.tokens[*on->second.best] == " purse");
  input.on = {false, false, false};
  const auto off = questions(input);
  REQUIRE(off);
  CHECK(off->after[input.asking].isApprox(off->before[input.asking]));
  REQUIRE(off->second.best);
  CHECK(input.tokens[*off->second.best] == " bank");
}

TEST_CASE("questions: the book's sentence holds no word that the lexicon lacks") {
  for (const std::string& token : book().tokens)
    for (const PhraseWord& word : phrase({token}, {}).words) CHECK(word.meaning.status != WordStatus::unknown);
}

TEST_CASE("questions: nobody looks ahead, and a word without features asks for nothing") {
  const QuestionsInput input = book();
  QuestionsInput longer = input;
  for (const char* more : {" A", " king", " came", " to", " the", " sea"}) longer.tokens.push_back(more);
  const auto got = questions(input), other = questions(longer);
  REQUIRE(got);
  REQUIRE(other);
  for (std::size_t t = 0; t < input.tokens.size(); ++t) CHECK((got->after[t] == other->after[t]).all());
  CHECK(got->second.shares == other->second.shares);

  QuestionsInput grammar = input;
  grammar.asking = place(input.tokens, " and");
  const auto quiet = questions(grammar);
  REQUIRE(quiet);
  for (const Asked& asked : quiet->first) {
    CHECK((asked.query == 0).all());
    CHECK_FALSE(asked.best);
  }
  QuestionsInput first = input;
  first.asking = first.later = 0;
  const auto alone = questions(first);
  REQUIRE(alone);
  CHECK(alone->second.shares.empty());
  CHECK(alone->second.sink_share == 1);
}

TEST_CASE("questions: wrong input is refused in one sentence") {
  QuestionsInput input = book();
  input.later = input.tokens.size();
  CHECK_FALSE(questions(input));
  input = book();
  input.on.pop_back();
  CHECK_FALSE(questions(input));
  input = book();
  input.tokens.assign(257, " sea");
  CHECK_FALSE(questions(input));
  input.tokens.clear();
  CHECK_FALSE(questions(input));
}

TEST_CASE("questions: as JSON, each wrong key or value gets a sentence that names it") {
  const auto book = lesson("questions", "{}");
  REQUIRE(book);
  CHECK(book->find(R"("sink_score":4.0)") != std::string::npos);
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"off":["when"]})", "“off” must hold names of heads: where, who, meaning."},
      {R"({"off":[3]})", "“off” must hold names of heads: where, who, meaning."},
      {R"({"text":""})", "“text” must hold 1 to 256 words and marks, not 0."},
      {R"({"asking":26})", "asking"},
      {R"({"later":-1})", "later"},
      {R"({"stretch":2})", "stretch"},
  };
  for (const auto& one : wrong) {
    const auto [input, sentence] = one;
    const auto found = lesson("questions", input);
    REQUIRE_FALSE(found);
    CHECK(found.error().sentence.find(sentence) != std::string::npos);
  }
}
