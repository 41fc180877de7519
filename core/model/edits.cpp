#include "core/model/edits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <utility>

namespace lookback {
namespace {

std::string head_name(std::size_t layer, std::size_t head) { return std::to_string(layer) + "." + std::to_string(head); }

Result<> check_head(const Config& config, std::size_t layer, std::size_t head) {
  if (layer < config.n_layers && head < config.n_heads) return Nothing{};
  return fail(ErrorCode::bad_argument, "There is no head " + head_name(layer, head) + " to edit; layers 0 to " +
                                           std::to_string(config.n_layers - 1) + " and heads 0 to " +
                                           std::to_string(config.n_heads - 1) + " were expected.");
}

}  // namespace

std::optional<Positions> positions_named(std::string_view name) {
  for (const auto& [known, positions] : {std::pair{"learned", Positions::learned}, std::pair{"none", Positions::none},
                                         std::pair{"shuffled", Positions::shuffled}})
    if (name == known) return positions;
  return std::nullopt;
}

bool Edits::silences(std::size_t layer, std::size_t head) const {
  return std::find(silenced.begin(), silenced.end(), SilencedHead{layer, head}) != silenced.end();
}

const ReplacedRow* Edits::replacement(std::size_t layer, std::size_t head, std::size_t row) const {
  const auto found = std::find_if(replaced.rbegin(), replaced.rend(), [&](const ReplacedRow& r) {
    return r.layer == layer && r.head == head && r.row == row;
  });
  return found == replaced.rend() ? nullptr : &*found;
}

Result<> check_edits(const Edits& edits, const Config& config, std::size_t n_tokens) {
  for (const SilencedHead& s : edits.silenced)
    if (const Result<> checked = check_head(config, s.layer, s.head); !checked) return checked;
  for (const ReplacedRow& r : edits.replaced) {
    if (const Result<> checked = check_head(config, r.layer, r.head); !checked) return checked;
    if (r.row >= n_tokens)
      return fail(ErrorCode::bad_argument, "There is no place " + std::to_string(r.row) + " to give other shares; the text has " +
                                               std::to_string(n_tokens) + " tokens, counted from 0.");
    const bool finite = std::all_of(r.shares.begin(), r.shares.end(), [](float share) { return std::isfinite(share); });
    if (!finite || r.shares.size() != r.row + 1)
      return fail(ErrorCode::bad_argument, "The new shares of head " + head_name(r.layer, r.head) + " at place " +
                                               std::to_string(r.row) + " must be " + std::to_string(r.row + 1) +
                                               " finite numbers, one for each place that it sees.");
  }
  return Nothing{};
}

std::vector<std::size_t> position_rows(const Edits& edits, std::size_t n_positions) {
  std::vector<std::size_t> rows(n_positions);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (edits.positions != Positions::shuffled) return rows;
  // Fisher and Yates; std::shuffle's order is each library's own.
  std::mt19937 random(edits.seed);
  for (std::size_t left = n_positions; left > 1; --left) std::swap(rows[left - 1], rows[random() % left]);
  return rows;
}

}  // namespace lookback
