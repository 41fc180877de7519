// What a pass shall change, for "what if" questions: places left out or dealt anew, a head silenced, a row of shares
// replaced. A trace knows its edits, so every lens shows what the edited pass used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/model/config.hpp"
#include "core/result.hpp"

namespace lookback {

enum class Positions {
  learned,   // place t adds row t of the position table
  none,      // nothing is added
  shuffled,  // place t adds another row, the whole table dealt anew
};
std::optional<Positions> positions_named(std::string_view name);  // "learned", "none", "shuffled"

struct SilencedHead {  // its blend z is 0 at every place
  std::size_t layer = 0, head = 0;
  bool operator==(const SilencedHead&) const = default;
};

struct ReplacedRow {  // the shares of one place in one head, [row + 1]; they need not sum to 1
  std::size_t layer = 0, head = 0, row = 0;
  std::vector<float> shares = {};
  bool operator==(const ReplacedRow&) const = default;
};

struct Edits {
  Positions positions = Positions::learned;
  std::uint32_t seed = 1;  // of the shuffle
  std::vector<SilencedHead> silenced = {};
  std::vector<ReplacedRow> replaced = {};
  bool operator==(const Edits&) const = default;

  bool silences(std::size_t layer, std::size_t head) const;
  const ReplacedRow* replacement(std::size_t layer, std::size_t head, std::size_t row) const;  // of several the last
};

// Error bad_argument for a head or place that is not there, or shares that are not finite or not row + 1.
Result<> check_edits(const Edits& edits, const Config& config, std::size_t n_tokens);

// The row of the position table that each place gets, [n_positions]; not for Positions::none. The same seed and size
// give the same deal everywhere.
std::vector<std::size_t> position_rows(const Edits& edits, std::size_t n_positions);

}  // namespace lookback
