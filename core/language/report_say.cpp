#include "core/language/report_say.hpp"

#include <algorithm>
#include <cmath>

#include "core/lens/logit_lens.hpp"

namespace lookback::language {
namespace {

// Bytes above 0x7f belong to letters of other alphabets, as far as this language is concerned.
bool is_letter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (static_cast<unsigned char>(byte) & 0x80);
}

// Whether a token carries on the word before it: "nce", or "'t" after "didn".
bool carries_on(std::string_view token) {
  return !token.empty() && (is_letter(token[0]) || (token[0] == '\'' && token.size() > 1 && is_letter(token[1])));
}

bool is_special(const Vocabulary& vocabulary, int id) {
  const std::vector<int>& special = vocabulary.special_tokens();
  return std::find(special.begin(), special.end(), id) != special.end();
}

Result<> take(Speaker& speaker, int id) {
  std::vector<int> ids = speaker.trace.ids;
  ids.push_back(id);
  return read(speaker, ids);
}

bool window_is_full(const Speaker& speaker) {
  return speaker.trace.n_tokens() >= speaker.weights.config.n_positions;
}

}  // namespace

Result<> read(Speaker& speaker, const std::vector<int>& ids) {
  return run(speaker.weights, ids, speaker.trace, speaker.pool);
}

Result<std::vector<float>> next_scores(Speaker& speaker) {
  const std::size_t n = speaker.trace.n_tokens();
  std::vector<float> scores =
      logit_lens(speaker.weights, speaker.trace, speaker.weights.config.n_layers, n - 1, speaker.pool);
  if (std::all_of(scores.begin(), scores.end(), [](float score) { return std::isfinite(score); })) return scores;
  return fail(ErrorCode::bad_argument,
              "The model's scores are not finite after " + std::to_string(n) + " tokens, so it has no next token.");
}

Result<SaidWord> say_word(Speaker& speaker) {
  SaidWord said;
  for (;;) {
    const Result<std::vector<float>> scores = next_scores(speaker);
    if (!scores) return scores.error();
    const Guess guess = top_k(*scores, 1)[0];
    const std::string_view token = speaker.vocabulary.token_bytes(guess.id);
    if (!said.word.empty() && (is_special(speaker.vocabulary, guess.id) || !carries_on(token))) return said;
    said.word += token;
    said.chance *= guess.probability;
    if (is_special(speaker.vocabulary, guess.id) || window_is_full(speaker)) return said;
    if (const Result<> taken = take(speaker, guess.id); !taken) return taken.error();
  }
}

Result<std::string> go_on(Speaker& speaker, const Sampling& sampling, std::mt19937_64& random, std::size_t n_tokens) {
  if (const Result<> checked = check_sampling(sampling); !checked) return checked.error();
  std::string text;
  for (std::size_t i = 0; i < n_tokens; ++i) {
    const Result<std::vector<float>> scores = next_scores(speaker);
    if (!scores) return scores.error();
    const int id = sample(*scores, sampling, random);
    if (is_special(speaker.vocabulary, id)) break;
    text += speaker.vocabulary.token_bytes(id);
    if (window_is_full(speaker)) break;
    if (const Result<> taken = take(speaker, id); !taken) return taken.error();
  }
  return text;
}

}  // namespace lookback::language
