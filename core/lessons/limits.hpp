// What the lessons take at most. A page shows these as they are; larger input is refused with a sentence.
#pragma once

#include <cstddef>

namespace lookback::lessons::limits {

inline constexpr std::size_t input_bytes = 1 << 20;  // of the JSON text
inline constexpr std::size_t phrase_bytes = 300;
inline constexpr std::size_t contents_bytes = 2000;
inline constexpr std::size_t text_bytes = 4000;
inline constexpr std::size_t token_bytes = 300;
inline constexpr std::size_t tokens = 256;
inline constexpr std::size_t pages = 64;
inline constexpr std::size_t scores = 256;
inline constexpr std::size_t meanings = 64;
inline constexpr std::size_t edited_words = 64;
inline constexpr std::size_t layers = 1000;       // of a model whose weights are counted
inline constexpr std::size_t width = 100000;
inline constexpr std::size_t table_rows = 10000000;
inline constexpr std::size_t heads = 200;         // in a layer
inline constexpr std::size_t counted_tokens = 200000;  // of a text whose looks are counted
inline constexpr std::size_t lengths = 64;
inline constexpr std::size_t spread_d = 256;
inline constexpr std::size_t seed = 1000000;
inline constexpr std::size_t rotary_d = 256;
inline constexpr std::size_t rotary_bases = 8;
inline constexpr std::size_t rotary_shifts = 16;
inline constexpr int place = 100000;
inline constexpr float rotary_base = 1e9f;
inline constexpr float feature_weight = 10;
inline constexpr float coordinate = 1000;
inline constexpr float score = 1000;
inline constexpr float stretch = 100;
inline constexpr float sink_score = 100;
inline constexpr float order_places = 2;      // length of the numbers that say a place

}  // namespace lookback::lessons::limits
