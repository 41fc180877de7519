#include "core/checkpoint/byte_ranges.hpp"

#include <algorithm>
#include <iterator>

namespace lookback {

std::vector<ByteRange> ByteRanges::add(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return {};
  auto at = ranges_.upper_bound(begin);
  if (at != ranges_.begin() && std::prev(at)->second >= begin) --at;

  // Every range that overlaps or touches is taken up into one.
  std::vector<ByteRange> fresh;
  ByteRange joined{begin, end};
  std::uint64_t reached = begin;
  for (; at != ranges_.end() && at->first <= end; at = ranges_.erase(at)) {
    if (at->first > reached) fresh.push_back({reached, at->first});
    reached = std::max(reached, at->second);
    joined = {std::min(joined.begin, at->first), std::max(joined.end, at->second)};
  }
  if (reached < end) fresh.push_back({reached, end});
  ranges_.emplace(joined.begin, joined.end);
  for (const ByteRange& range : fresh) count_ += range.end - range.begin;
  return fresh;
}

bool ByteRanges::holds(std::uint64_t begin, std::uint64_t end) const {
  if (begin >= end) return true;
  const auto after = ranges_.upper_bound(begin);
  return after != ranges_.begin() && std::prev(after)->second >= end;
}

}  // namespace lookback
