#include "core/lessons/sink.hpp"

#include <cmath>
#include <utility>

#include "core/lessons/limits.hpp"
#include "core/lessons/shares.hpp"
#include "core/numerics/softmax.hpp"

namespace lookback::lessons {

namespace {

SinkShares share_out(std::vector<float> scores) {
  lookback::softmax(scores);
  SinkShares out;
  out.percents = apportion(scores, 100);
  out.entropy_bits = entropy_bits(scores);
  out.shares = std::move(scores);
  return out;
}

}  // namespace

Result<SinkOutput> sink(const SinkInput& input) {
  if (input.keys.empty() || input.keys.size() > limits::tokens) {
    return fail(ErrorCode::bad_argument,
                "A sink needs 1 to 256 keys beside it, not " + std::to_string(input.keys.size()) + ".");
  }
  if (!(input.stretch >= 0 && input.stretch <= limits::stretch)) {
    return fail(ErrorCode::bad_argument, "The stretch must be a number from 0 to 100.");
  }
  if (!(std::fabs(input.sink_score) <= limits::sink_score)) {
    return fail(ErrorCode::bad_argument, "The sink's score must be a number from -100 to 100.");
  }
  SinkOutput output;
  output.query = phrase(input.query, input.word_edits);
  collect_unknown(output.query, output.unknown_words);
  for (const SinkKey& key : input.keys) {
    output.matches.push_back(match(output.query, phrase(key.key, input.word_edits)));
    collect_unknown(output.matches.back().key, output.unknown_words);
    output.stretched.push_back(output.matches.back().score * input.stretch);
  }
  std::vector<float> with_sink = output.stretched;
  with_sink.push_back(input.sink_score);
  output.without_sink = share_out(output.stretched);
  output.with_sink = share_out(std::move(with_sink));
  return output;
}

}  // namespace lookback::lessons
