// All heads of a layer at a glance: every pattern in small, and what the head mostly looks at in this text. Layer by
// layer, so a model that is still arriving shows what it has, and row by row, so no whole pattern is ever held.
#pragma once

#include <cstddef>
#include <vector>

#include "core/lens/census.hpp"
#include "core/model/trace.hpp"
#include "core/numerics/pool.hpp"

namespace lookback {

struct LayerGallery {
  std::size_t block = 1;          // rows and columns of the pattern that one square of a grid stands for
  std::size_t side = 0;           // squares along a grid's side: n_tokens / block, rounded up
  std::vector<float> grids;       // [n_heads, side, side] the largest share that a square stands for; 0 where masked
  std::vector<HeadCensus> heads;  // [n_heads] counted over this text alone
};

// Grids of at most `most` squares along a side; most from 1 on. The heads are dealt to the pool's threads. Throws
// std::bad_alloc before any of them begins.
LayerGallery layer_gallery(const Trace& trace, std::size_t layer, std::size_t most, Pool& pool);

}  // namespace lookback
