// Which bytes have come, against a plain table. Each pair of input bytes is the begin and the length of an addition.
#include <bitset>

#include "core/checkpoint/byte_ranges.hpp"
#include "tests/fuzz/property.hpp"

using namespace lookback;
using namespace lookback::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteRanges ranges;
  std::bitset<512> came;
  for (std::size_t i = 0; i + 1 < size; i += 2) {
    const std::uint64_t begin = data[i], end = begin + data[i + 1];
    bool all = true;
    for (std::uint64_t at = begin; at < end; ++at) all = all && came[at];
    hold(ranges.holds(begin, end) == all, "holds() says whether every byte is there");
    std::uint64_t reached = begin;
    for (const ByteRange& fresh : ranges.add(begin, end)) {
      hold(reached <= fresh.begin && fresh.begin < fresh.end && fresh.end <= end, "fresh stretches rise inside the addition");
      for (std::uint64_t at = fresh.begin; at < fresh.end; ++at) {
        hold(!came[at], "fresh bytes were not there");
        came[at] = true;
      }
      reached = fresh.end;
    }
    for (std::uint64_t at = begin; at < end; ++at) hold(came[at], "no byte is passed over");
    hold(ranges.count() == came.count(), "bytes are counted once");
    hold(ranges.holds(begin, end), "what was added is there");
  }
  return 0;
}
