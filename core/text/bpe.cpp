#include "core/text/bpe.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

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

}  // namespace

// Merges the pieces of one word.
class Tokenising::Word {
 public:
  explicit Word(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  void begin(std::string_view text, std::size_t begin, std::size_t end) {
    pieces_.clear();
    pieces_.reserve(end - begin);
    for (std::size_t at = begin; at < end; ++at) {
      const std::size_t index = at - begin;
      pieces_.push_back({vocabulary_.token_of_byte(static_cast<unsigned char>(text[at])), at, at + 1,
                         index == 0 ? kNone : index - 1, at + 1 == end ? kNone : index + 1});
    }
    phase_ = Phase::queueing;
    queued_ = 0;
  }

  // Whether merges are left after `work` steps at most, which are taken off it.
  bool merge(std::size_t& work) {
    for (; work > 0; --work) {
      switch (phase_) {
        case Phase::queueing:
          if (queued_ < pieces_.size()) queue(queued_++);
          else phase_ = Phase::choosing;
          break;
        case Phase::choosing:
          if (queue_.empty()) return false;
          rank_ = queue_.top().rank;
          changed_.clear();
          phase_ = Phase::merging;
          break;
        case Phase::merging:  // every place where the best pair stands, from left to right, before new pairs count
          if (!queue_.empty() && queue_.top().rank == rank_) merge_next();
          else phase_ = Phase::telling, told_ = 0;
          break;
        case Phase::telling:
          if (told_ < changed_.size()) {
            const std::size_t piece = changed_[told_++];
            queue(pieces_[piece].previous);
            queue(piece);
          } else {
            phase_ = Phase::choosing;
          }
          break;
      }
    }
    return true;
  }

  // The tokens, all of the word numbered `word`.
  void append(int word, std::vector<TokenSpan>& tokens) const {
    for (const Piece& piece : pieces_)
      if (piece.id >= 0) tokens.push_back({piece.id, piece.begin, piece.end, word});
  }

 private:
  // One round of the original is choosing, merging, telling.
  enum class Phase { queueing, choosing, merging, telling };

  const Vocabulary& vocabulary_;
  std::vector<Piece> pieces_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue_;
  Phase phase_ = Phase::queueing;
  std::size_t queued_ = 0;            // pieces whose pair was queued
  int rank_ = 0;                      // of the round
  std::vector<std::size_t> changed_;  // pieces that the round has merged
  std::size_t told_ = 0;              // of those, whose new pairs were queued

  void queue(std::size_t left) {
    if (left == kNone || pieces_[left].id < 0 || pieces_[left].next == kNone) return;
    const int rank = vocabulary_.rank_of(pieces_[left].id, pieces_[pieces_[left].next].id);
    if (rank >= 0) queue_.push({rank, left});
  }

  void merge_next() {
    const Merge& merge = vocabulary_.merge(rank_);
    const std::size_t left = queue_.top().piece;
    queue_.pop();
    const std::size_t right = pieces_[left].next;
    // An earlier merge may have changed either of the two.
    if (pieces_[left].id != merge.left || right == kNone || pieces_[right].id != merge.right) return;
    pieces_[left].id = merge.merged;
    pieces_[left].end = pieces_[right].end;
    pieces_[left].next = pieces_[right].next;
    if (pieces_[left].next != kNone) pieces_[pieces_[left].next].previous = left;
    pieces_[right].id = -1;
    changed_.push_back(left);
  }
};

namespace {

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

Tokenising::Tokenising(const Vocabulary& vocabulary, std::string_view utf8, SpecialTokens special)
    : vocabulary_(vocabulary), special_(special), text_{well_formed(utf8), {}}, word_(std::make_unique<Word>(vocabulary)) {
  find_special();
}

Tokenising::~Tokenising() = default;

void Tokenising::find_special() {
  const Place place = special_ == SpecialTokens::recognised
                          ? next_special(vocabulary_, text_.text, at_)
                          : Place{text_.text.size(), text_.text.size(), -1};
  stop_ = place.begin;
  after_ = place.end;
  special_id_ = place.id;
}

// Whether there is another word; special tokens before it are taken.
bool Tokenising::begin_word() {
  while (at_ == stop_) {
    if (special_id_ < 0) return false;
    text_.tokens.push_back({special_id_, stop_, after_, words_++});
    at_ = after_;
    find_special();
  }
  // The words before a special token are cut as if the text ended there.
  const std::size_t end = word_end(std::string_view(text_.text).substr(0, stop_), at_);
  word_->begin(text_.text, at_, end);
  at_ = end;
  under_way_ = true;
  return true;
}

bool Tokenising::step(std::size_t work) {
  while (work > 0) {
    if (!under_way_ && !begin_word()) return false;
    if (word_->merge(work)) return true;
    word_->append(words_++, text_.tokens);
    under_way_ = false;
  }
  return true;
}

TokenisedText tokenise(const Vocabulary& vocabulary, std::string_view utf8, SpecialTokens special) {
  Tokenising work(vocabulary, utf8, special);
  while (work.step(static_cast<std::size_t>(-1))) {}
  return std::move(work.text());
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
