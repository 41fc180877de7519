// What each head of a model mostly looks at: shares of its looks, counted over as many texts as one likes.
//
// A look is one row of a head's pattern. A role's mean is over the looks that can have it: a token that stands in the
// text for the first time, say, has no earlier occurrence to look at, and does not count for same_token.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/lens/heads.hpp"
#include "core/model/trace.hpp"
#include "core/result.hpp"

namespace lookback {

// What the share of row t is on:
enum class Role {
  previous_token,  // t - 1; rows from 1 on
  first_token,     // 0; rows from 3 on, since an early row has little else to look at
  same_token,      // all earlier occurrences of the row's own token together
  induction,       // all tokens right after an earlier occurrence, before t: "prefix matching" of Olsson et al. 2022
  itself,          // t; rows from 1 on
};
inline constexpr std::array<Role, 5> roles = {Role::previous_token, Role::first_token, Role::same_token,
                                              Role::induction, Role::itself};

std::string_view name_of(Role role);  // "previous token", …, as reports print it
float threshold_of(Role role);        // from which mean share on a head is called by the role

// The sum is double: the order of its additions defines it too, and no digit is lost over many texts.
struct Mean {
  double sum = 0;
  std::size_t n = 0;

  void add(float value) { sum += value, ++n; }
  float value() const { return n > 0 ? static_cast<float>(sum / static_cast<double>(n)) : 0.0f; }
};

struct HeadCensus {
  std::array<Mean, roles.size()> shares;  // in the order of `roles`
  Mean entropy;                           // bits, over rows from 1 on

  const Mean& of(Role role) const { return shares[static_cast<std::size_t>(role)]; }
};

struct Census {
  std::size_t n_layers = 0, n_heads = 0;
  std::vector<HeadCensus> heads;  // [n_layers * n_heads]

  const HeadCensus& at(HeadIndex index) const { return heads[index.layer * n_heads + index.head]; }
};

// Nothing counted yet.
Census begin_census(const Config& config);

// Adds every row of every head of the trace. Rows are worked out one at a time, never as a grid.
// Error bad_argument: the trace is of a model with other layers or heads.
Result<> count(Census& census, const Trace& trace);

// For each position the latest earlier one with the same token, or `no_position`: all of them are met by going on from
// there. [n_tokens]
inline constexpr std::size_t no_position = std::numeric_limits<std::size_t>::max();
std::vector<std::size_t> earlier_occurrences(const Trace& trace);

// Adds one row of a head's pattern, [t + 1] with t from 1 on.
void count_row(HeadCensus& head, std::span<const float> row, std::span<const std::size_t> earlier);

// The head with the largest mean share in the role; of equals the first. Nothing when no look could have the role, or
// when no head's mean is a number.
struct FoundRole {
  HeadIndex at;
  float share = 0;
  bool named = false;  // share reaches threshold_of(role)
};
std::optional<FoundRole> find_head(const Census& census, Role role);

// -sum of p log2 p over the shares of a row: 0 = all on one token, log2 of the row's length = even. Shannon 1948.
float entropy_bits(std::span<const float> shares);

// Looks from one chosen token at another, over many texts: from "it" at its noun, from the last word at a name.
struct HeadLooks {
  Mean share;               // mean share on the word looked for
  std::size_t hardest = 0;  // looks whose largest share lies there; a tie with a token elsewhere does not count

  float hardest_part() const { return share.n > 0 ? static_cast<float>(hardest) / static_cast<float>(share.n) : 0.0f; }
};

struct LookCensus {
  std::size_t n_layers = 0, n_heads = 0;
  std::vector<HeadLooks> heads;  // [n_layers * n_heads]

  const HeadLooks& at(HeadIndex index) const { return heads[index.layer * n_heads + index.head]; }
};

LookCensus begin_looks(const Config& config);

// Adds each head's look from position `from` at positions [to_begin, to_end). Errors, bad_argument: another model's
// trace, a position outside the text, nothing to look at, or a token after `from`.
Result<> count_look(LookCensus& census, const Trace& trace, std::size_t from, std::size_t to_begin, std::size_t to_end);

// The head with the largest mean share, and the one that most often looks hardest there; of equals the first. Nothing
// when no look was counted or no mean is a number.
std::optional<HeadIndex> largest_share(const LookCensus& census);
std::optional<HeadIndex> hardest_most_often(const LookCensus& census);

}  // namespace lookback
