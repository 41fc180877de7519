#include "core/text/bpe.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

#include "core/text/utf8.hpp"
#include "core/text/words.hpp"

namespace lookback {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// A piece of the word, linked to its neighbours. A merge leaves the left piece and takes the right one out.
struct Piece {
  int id;  // -1 once taken out
  std::size_t begin, end;
  std::size_t previous, next;  // indices of pieces, or kNone
};

// A merge that was possible when it was queued.
struct Candidate {
  int rank;
  std::size_t piece;  // the left one
  bool operator>(const Candidate& other) const { return std::tie(rank, piece) > std::tie(other.rank, other.piece); }
};

// Merges the pieces of one word. Kept between words so that its memory is reused.
class WordMerger {
 public:
  explicit WordMerger(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  // Appends the tokens of text[begin, end), all of the word numbered `word`.
  void append(std::string_view text, std::size_t begin, std::size_t end, int word, std::vector<TokenSpan>& tokens) {
    spell(text, begin, end);
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) queue(piece);
    while (!queue_.empty()) merge_all_of_lowest_rank();
    for (const Piece& piece : pieces_) {
      if (piece.id >= 0) tokens.push_back({piece.id, piece.begin, piece.end, word});
    }
  }

 private:
  const Vocabulary& vocabulary_;
  std::vector<Piece> pieces_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue_;
  std::vector<std::size_t> changed_;

  void spell(std::string_view text, std::size_t begin, std::size_t end) {
    pieces_.clear();
    for (std::size_t at = begin; at < end; ++at) {
      const std::size_t index = at - begin;
      pieces_.push_back({vocabulary_.token_of_byte(static_cast<unsigned char>(text[at])), at, at + 1,
                         index == 0 ? kNone : index - 1, at + 1 == end ? kNone : index + 1});
    }
  }

  void queue(std::size_t left) {
    if (left == kNone || pieces_[left].id < 0 || pieces_[left].next == kNone) return;
    const int rank = vocabulary_.rank_of(pieces_[left].id, pieces_[pieces_[left].next].id);
    if (rank >= 0) queue_.push({rank, left});
  }

  // One round of the original: every place where the best pair stands, from left to right, before new pairs count.
  void merge_all_of_lowest_rank() {
    const int rank = queue_.top().rank;
    const Merge& merge = vocabulary_.merge(rank);
    changed_.clear();
    while (!queue_.empty() && queue_.top().rank == rank) {
      const std::size_t left = queue_.top().piece;
      queue_.pop();
      const std::size_t right = pieces_[left].next;
      // An earlier merge may have changed either of the two.
      if (pieces_[left].id != merge.left || right == kNone || pieces_[right].id != merge.right) continue;
      pieces_[left].id = merge.merged;
      pieces_[left].end = pieces_[right].end;
      pieces_[left].next = pieces_[right].next;
      if (pieces_[left].next != kNone) pieces_[pieces_[left].next].previous = left;
      pieces_[right].id = -1;
      changed_.push_back(left);
    }
    for (const std::size_t piece : changed_) {
      queue(pieces_[piece].previous);
      queue(piece);
    }
  }
};

struct Place {
  std::size_t begin, end;
  int id;
};

// The first special token from `from` on, the longest where several begin; past the end of the text if there is none.
Place next_special(const Vocabulary& vocabulary, std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size(); ++at) {
    for (const int id : vocabulary.special_tokens()) {
      const std::string_view name = vocabulary.token_bytes(id);
      if (text.substr(at).starts_with(name)) return {at, at + name.size(), id};
    }
  }
  return {text.size(), text.size(), -1};
}

}  // namespace

TokenisedText tokenise(const Vocabulary& vocabulary, std::string_view utf8, SpecialTokens special) {
  TokenisedText result{well_formed(utf8), {}};
  const std::string_view text = result.text;
  WordMerger merger(vocabulary);
  int word = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Place stop =
        special == SpecialTokens::recognised ? next_special(vocabulary, text, at) : Place{text.size(), text.size(), -1};
    // The words before a special token are cut as if the text ended there.
    const std::string_view before = text.substr(0, stop.begin);
    while (at < before.size()) {
      const std::size_t end = word_end(before, at);
      merger.append(before, at, end, word++, result.tokens);
      at = end;
    }
    if (stop.id >= 0) result.tokens.push_back({stop.id, stop.begin, stop.end, word++});
    at = stop.end;
  }
  return result;
}

std::vector<int> encode(const Vocabulary& vocabulary, std::string_view utf8, SpecialTokens special) {
  std::vector<int> ids;
  for (const TokenSpan& token : tokenise(vocabulary, utf8, special).tokens) ids.push_back(token.id);
  return ids;
}

Result<std::string> decode(const Vocabulary& vocabulary, std::span<const int> ids) {
  std::string bytes;
  for (const int id : ids) {
    if (!vocabulary.contains(id)) {
      return fail(ErrorCode::bad_argument, "There is no token " + std::to_string(id) +
                                               ": the vocabulary's ids run from 0 to " +
                                               std::to_string(vocabulary.size() - 1) + ".");
    }
    bytes += vocabulary.token_bytes(id);
  }
  return bytes;
}

std::vector<DisplayPiece> token_pieces(const Vocabulary& vocabulary, int id) {
  if (vocabulary.contains(id)) return display_pieces(vocabulary.token_bytes(id));
  return {{PieceKind::bytes, "⟨no token " + std::to_string(id) + "⟩"}};
}

std::string token_display(const Vocabulary& vocabulary, int id) {
  std::string text;
  for (const DisplayPiece& piece : token_pieces(vocabulary, id)) text += piece.shown;
  return text;
}

}  // namespace lookback
