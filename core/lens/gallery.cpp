#include "core/lens/gallery.hpp"

#include "core/model/attention.hpp"
#include "core/numerics/packed_matrix.hpp"

namespace lookback {
namespace {

// One head's grid and census, a row of its pattern at a time; `shares` has room for the longest.
void look_at_head(const Trace& trace, HeadIndex at, std::span<const std::size_t> earlier, std::span<float> shares,
                  std::size_t block, std::size_t side, float* grid, HeadCensus& census) {
  for (std::size_t row = 0; row < trace.n_tokens(); ++row) {
    scores_raw_rows(trace, at.layer, at.head, row, row + 1, row + 1, shares.data(), shares.size());
    const std::span<float> seen = shares.first(row + 1);
    shares_of_row(trace, at.layer, at.head, row, seen);
    if (row > 0) count_row(census, seen, earlier);
    float* squares = grid + row / block * side;
    for (std::size_t j = 0; j <= row; ++j)
      if (seen[j] > squares[j / block]) squares[j / block] = seen[j];
  }
}

}  // namespace

LayerGallery layer_gallery(const Trace& trace, std::size_t layer, std::size_t most, Pool& pool) {
  const std::size_t n = trace.n_tokens(), n_heads = trace.config.n_heads;
  const std::size_t block = (n + most - 1) / most, side = (n + block - 1) / block;
  LayerGallery gallery{block, side, std::vector<float>(n_heads * side * side), std::vector<HeadCensus>(n_heads)};
  const std::vector<std::size_t> earlier = earlier_occurrences(trace);
  const std::size_t longest = PackedMatrix::n_panels(n) * PackedMatrix::panel_width;
  std::vector<float> room(n_heads * longest);
  pool.split(n_heads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t head = begin; head < end; ++head)
      look_at_head(trace, {layer, head}, earlier, std::span(room).subspan(head * longest, longest), block, side,
                   &gallery.grids[head * side * side], gallery.heads[head]);
  });
  return gallery;
}

}  // namespace lookback
