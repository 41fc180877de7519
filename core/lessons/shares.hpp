// What the lessons say about shares: percentages that add up, and how spread out they are.
#pragma once

#include <span>
#include <vector>

namespace lookback::lessons {

// Whole numbers that add up to exactly `total`, in proportion to shares that add up to 1 up to rounding: each share's
// part is cut down to a whole number, and what is left goes one by one to the largest remainders, the earlier of
// equals first (largest remainder method). A larger share never gets the smaller number. [n] to [n].
std::vector<int> apportion(std::span<const float> shares, int total);

// −Σ p log₂ p in bits (Shannon 1948), with 0 log 0 = 0.
float entropy_bits(std::span<const float> shares);

}  // namespace lookback::lessons
