// What the figures start from. All of it is invented for teaching; no score is kept here.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/lessons/blend.hpp"
#include "core/lessons/dot.hpp"
#include "core/lessons/search.hpp"
#include "core/lessons/sink.hpp"
#include "core/lessons/softmax_dial.hpp"

namespace lookback::lessons {

std::vector<Page> default_pages();
SearchInput default_search();
std::span<const std::string_view> search_queries();  // worth trying

DotInput default_dot();
SoftmaxInput default_softmax();

std::vector<SinkKey> default_sink_keys();
SinkInput default_sink();
struct SinkQuery {
  std::string_view query;
  bool matches;  // whether one of the default keys truly answers it
};
std::span<const SinkQuery> sink_queries();

std::vector<MeaningPoint> default_meanings();  // the places on the map are invented
BlendInput default_blend();
std::span<const std::array<std::string_view, 2>> blend_pairs();  // worth trying

}  // namespace lookback::lessons
