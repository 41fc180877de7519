#include "core/lens/census.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "core/numerics/functions.hpp"

namespace lookback {
namespace {

struct RoleFacts {
  std::string_view name;
  float threshold;
};
constexpr std::array<RoleFacts, roles.size()> facts = {{
    {"previous token", 0.8f}, {"first token", 0.5f}, {"same token", 0.5f}, {"induction", 0.5f}, {"itself", 0.5f},
}};

// The share of row t, [t + 1] with t >= 1, on what the role looks at; nothing where the row cannot have the role.
std::optional<float> share_of(Role role, std::span<const float> row, std::span<const std::size_t> earlier) {
  const std::size_t t = row.size() - 1;
  bool any = false;
  float sum = 0;
  const auto take = [&](std::size_t j) { any = true, sum += row[j]; };
  switch (role) {
    case Role::previous_token: take(t - 1); break;
    case Role::itself: take(t); break;
    case Role::first_token:
      if (t >= 3) take(0);
      break;
    case Role::same_token:
      for (std::size_t j = earlier[t]; j != no_position; j = earlier[j]) take(j);
      break;
    case Role::induction:
      for (std::size_t j = earlier[t]; j != no_position; j = earlier[j])
        if (j + 1 < t) take(j + 1);
      break;
  }
  return any ? std::optional(sum) : std::nullopt;
}

Result<> check_shape(std::size_t n_layers, std::size_t n_heads, const Trace& trace) {
  const Config& c = trace.config;
  if (c.n_layers == n_layers && c.n_heads == n_heads) return Nothing{};
  return fail(ErrorCode::bad_argument, "The trace has " + std::to_string(c.n_layers) + " layers of " +
                                           std::to_string(c.n_heads) + " heads; " + std::to_string(n_layers) +
                                           " layers of " + std::to_string(n_heads) + " heads were expected.");
}

// The head whose value is largest; values that are NaN never win.
template <class Heads, class Value>
std::optional<HeadIndex> largest(const Heads& census, Value value) {
  std::optional<HeadIndex> best;
  float most = -1;
  for (std::size_t i = 0; i < census.heads.size(); ++i) {
    const HeadIndex at{i / census.n_heads, i % census.n_heads};
    if (value(at) > most) best = at, most = value(at);
  }
  return best;
}

}  // namespace

std::string_view name_of(Role role) { return facts[static_cast<std::size_t>(role)].name; }
float threshold_of(Role role) { return facts[static_cast<std::size_t>(role)].threshold; }

Census begin_census(const Config& config) {
  return {config.n_layers, config.n_heads, std::vector<HeadCensus>(config.n_layers * config.n_heads)};
}

std::vector<std::size_t> earlier_occurrences(const Trace& trace) {
  std::vector<std::size_t> latest(trace.config.d_vocab, no_position), earlier(trace.n_tokens());
  for (std::size_t t = 0; t < trace.n_tokens(); ++t) {
    std::size_t& place = latest[static_cast<std::size_t>(trace.ids[t])];
    earlier[t] = place;
    place = t;
  }
  return earlier;
}

void count_row(HeadCensus& head, std::span<const float> row, std::span<const std::size_t> earlier) {
  for (const Role role : roles)
    if (const std::optional<float> share = share_of(role, row, earlier))
      head.shares[static_cast<std::size_t>(role)].add(*share);
  head.entropy.add(entropy_bits(row));
}

Result<> count(Census& census, const Trace& trace) {
  if (const Result<> same = check_shape(census.n_layers, census.n_heads, trace); !same) return same;
  const std::vector<std::size_t> earlier = earlier_occurrences(trace);
  for (std::size_t i = 0; i < census.heads.size(); ++i)
    for (std::size_t t = 1; t < trace.n_tokens(); ++t)
      count_row(census.heads[i], pattern_row(trace, {i / census.n_heads, i % census.n_heads}, t), earlier);
  return Nothing{};
}

std::optional<FoundRole> find_head(const Census& census, Role role) {
  if (census.heads.empty() || census.heads[0].of(role).n == 0) return std::nullopt;
  const auto mean = [&](HeadIndex index) { return census.at(index).of(role).value(); };
  const std::optional<HeadIndex> at = largest(census, mean);
  if (!at) return std::nullopt;
  return FoundRole{*at, mean(*at), mean(*at) >= threshold_of(role)};
}

float entropy_bits(std::span<const float> shares) {
  float nats = 0;
  for (const float share : shares) {
    // p log p goes to 0 with p, and log takes normal numbers only. NaN goes through: times anything it stays NaN.
    if (!(share < std::numeric_limits<float>::min())) nats -= share * log(share);
  }
  return nats * 1.44269504f;  // 1 / ln 2
}

LookCensus begin_looks(const Config& config) {
  return {config.n_layers, config.n_heads, std::vector<HeadLooks>(config.n_layers * config.n_heads)};
}

Result<> count_look(LookCensus& census, const Trace& trace, std::size_t from, std::size_t to_begin,
                    std::size_t to_end) {
  if (const Result<> same = check_shape(census.n_layers, census.n_heads, trace); !same) return same;
  if (const Result<> there = check_position(trace, from); !there) return there;
  if (to_begin >= to_end || to_end > from + 1)
    return fail(ErrorCode::bad_argument, "The look from position " + std::to_string(from) + " at positions " +
                                             std::to_string(to_begin) + " up to " + std::to_string(to_end) +
                                             " is none; at least one position up to its own was expected.");
  for (std::size_t i = 0; i < census.heads.size(); ++i) {
    const std::vector<float> row = pattern_row(trace, {i / census.n_heads, i % census.n_heads}, from);
    float sum = 0, most_here = -1, most_elsewhere = -1;
    for (std::size_t j = 0; j <= from; ++j) {
      const bool here = j >= to_begin && j < to_end;
      if (here) sum += row[j];
      float& most = here ? most_here : most_elsewhere;
      most = std::max(most, row[j]);
    }
    census.heads[i].share.add(sum);
    census.heads[i].hardest += most_here > most_elsewhere;
  }
  return Nothing{};
}

std::optional<HeadIndex> largest_share(const LookCensus& census) {
  if (census.heads.empty() || census.heads[0].share.n == 0) return std::nullopt;
  return largest(census, [&](HeadIndex index) { return census.at(index).share.value(); });
}

std::optional<HeadIndex> hardest_most_often(const LookCensus& census) {
  if (census.heads.empty() || census.heads[0].share.n == 0) return std::nullopt;
  return largest(census, [&](HeadIndex index) { return census.at(index).hardest_part(); });
}

}  // namespace lookback
