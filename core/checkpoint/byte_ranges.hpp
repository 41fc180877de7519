// Which bytes of a tensor have come: ranges that touch are one, so a stream in order is a single range.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace lookback {

struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

class ByteRanges {
 public:
  // Adds [begin, end) and returns the stretches of it that were not there before, in rising order.
  std::vector<ByteRange> add(std::uint64_t begin, std::uint64_t end);

  bool holds(std::uint64_t begin, std::uint64_t end) const;  // every byte of [begin, end)
  std::uint64_t count() const { return count_; }             // bytes

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;  // begin to end
  std::uint64_t count_ = 0;
};

}  // namespace lookback
