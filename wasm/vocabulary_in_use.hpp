// The vocabulary in use, tokens as JavaScript objects (web/engine/types.ts), and the texts that are being made into tokens.
#pragma once

#include <emscripten/val.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/text/bpe.hpp"
#include "wasm/values.hpp"

namespace lookback {

class VocabularyInUse {
 public:
  emscripten::val load(const std::string& vocab_json, const std::string& merges) {
    return guarded([&] {
      Result<Vocabulary> vocabulary = Vocabulary::parse(vocab_json, merges);
      if (!vocabulary) return error(vocabulary.error());
      texts_.clear();
      vocabulary_ = std::move(*vocabulary);
      return ok(emscripten::val(vocabulary_->size()));
    });
  }

  // A short text at once.
  emscripten::val tokenize(const std::string& utf8) {
    return guarded([&] {
      if (!vocabulary_) return none();
      return ok(tokens_value(tokenise(*vocabulary_, utf8, SpecialTokens::as_text).tokens));
    });
  }

  // Any text a bit at a time, so that the worker can give it up: its number, for step_text() until that says that nothing is
  // left, then text_tokens(); end_text() in any case.
  emscripten::val begin_text(const std::string& utf8) {
    return guarded([&] {
      if (!vocabulary_) return none();
      texts_.try_emplace(++latest_text_, *vocabulary_, utf8, SpecialTokens::as_text);
      return ok(emscripten::val(latest_text_));
    });
  }
  emscripten::val step_text(int number, int work) {
    return guarded([&] {
      Tokenising* text = text_of(number);
      return text ? ok(emscripten::val(text->step(static_cast<std::size_t>(std::max(work, 1))))) : given_up();
    });
  }
  // `most` tokens from number `first` on.
  emscripten::val text_tokens(int number, int first, int most) {
    return guarded([&] {
      Tokenising* text = text_of(number);
      if (!text) return given_up();
      const std::span<const TokenSpan> spans = text->text().tokens;
      const std::size_t begin = std::min(static_cast<std::size_t>(std::max(first, 0)), spans.size());
      return ok(tokens_value(spans.subspan(begin, std::min(static_cast<std::size_t>(std::max(most, 0)), spans.size() - begin))));
    });
  }
  void end_text(int number) { texts_.erase(number); }

  emscripten::val token(int id) {
    return guarded([&] {
      emscripten::val value = token_value(id);
      return ok(value);
    });
  }

  emscripten::val token_value(int id) const {
    emscripten::val pieces = emscripten::val::array();
    if (vocabulary_) {
      for (const DisplayPiece& piece : token_pieces(*vocabulary_, id)) {
        emscripten::val value = emscripten::val::object();
        value.set("kind", std::string(name_of(piece.kind)));
        value.set("shown", piece.shown);
        pieces.call<void>("push", value);
      }
    }
    emscripten::val token = emscripten::val::object();
    token.set("id", id);
    token.set("pieces", pieces);
    return token;
  }

  // The tokens' bytes; empty where one of them has no text.
  std::string text_of_ids(std::span<const int> ids) const {
    const Result<std::string> text = vocabulary_ ? decode(*vocabulary_, ids) : std::string();
    return text ? *text : std::string();
  }

 private:
  static emscripten::val none() {
    return error({ErrorCode::bad_argument, "This model has no vocabulary, so it takes ids, not text."});
  }
  static emscripten::val given_up() { return error({ErrorCode::cancelled, "This text was given up."}); }

  Tokenising* text_of(int number) {
    const auto found = texts_.find(number);
    return found == texts_.end() ? nullptr : &found->second;
  }

  emscripten::val tokens_value(std::span<const TokenSpan> spans) const {
    emscripten::val tokens = emscripten::val::array();
    for (const TokenSpan& span : spans) {
      emscripten::val token = token_value(span.id);
      token.set("word", span.word);
      tokens.call<void>("push", token);
    }
    return tokens;
  }

  std::optional<Vocabulary> vocabulary_;
  std::map<int, Tokenising> texts_;
  int latest_text_ = 0;
};

}  // namespace lookback
