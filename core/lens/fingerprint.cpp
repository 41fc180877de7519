#include "core/lens/fingerprint.hpp"

#include <cstdint>
#include <cstring>
#include <span>

namespace lookback {
namespace {

// Words of 32 bits go in low byte first, so that the machine's byte order does not matter.
void mix(std::uint64_t& hash, std::uint32_t word) {
  for (int byte = 0; byte < 4; ++byte) hash = (hash ^ (word >> (8 * byte) & 0xff)) * 0x100000001b3ull;
}

void mix(std::uint64_t& hash, std::span<const float> floats) {
  for (const float value : floats) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    mix(hash, bits);
  }
}

}  // namespace

std::string fingerprint(const Trace& trace) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const int id : trace.ids) mix(hash, static_cast<std::uint32_t>(id));
  for (const BlockTrace& block : trace.blocks)
    for (const auto* part : {&block.resid_pre, &block.q, &block.k, &block.v, &block.resid_mid}) mix(hash, *part);
  mix(hash, trace.resid_final);
  std::string digits(16, '0');
  for (std::size_t i = 0; i < 16; ++i) digits[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 0xf];
  return digits;
}

}  // namespace lookback
