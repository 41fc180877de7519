// All heads of a layer in small: squares against the whole pattern, scores against the census, for texts that fit a
// grid and for longer ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "core/lens/gallery.hpp"
#include "core/model/transformer.hpp"
#include "tests/core/reference.hpp"

using namespace lookback;

namespace {

const Config config{2, 3, 15, 31, 60, 6, 1e-5f, true};  // six tokens: nearly every row has earlier occurrences
constexpr std::size_t n = 50;

struct World {
  Weights weights = reference::random_weights(config, 31);
  Trace trace;
  Pool pool{2};
  World() { REQUIRE(run(weights, reference::random_ids(config, n, 32), trace, pool)); }
};

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}  // namespace

TEST_CASE("a text that fits the grid shows its patterns to the last bit") {
  World w;
  for (const std::size_t most : {n, n + 1, std::size_t{64}})
    for (std::size_t layer = 0; layer < config.n_layers; ++layer) {
      const LayerGallery gallery = layer_gallery(w.trace, layer, most, w.pool);
      CHECK(gallery.block == 1);
      CHECK(gallery.side == n);
      for (std::size_t head = 0; head < config.n_heads; ++head) {
        const auto grid = gallery.grids.begin() + static_cast<std::ptrdiff_t>(head * n * n);
        CHECK(same_bits(pattern(w.trace, {layer, head}), {grid, grid + n * n}));
      }
    }
}

TEST_CASE("a square of a longer text's grid is the largest share that it stands for") {
  World w;
  struct Case {
    std::size_t most, block, side;
  };
  for (const auto [most, block, side] : {Case{49, 2, 25}, Case{16, 4, 13}, Case{7, 8, 7}, Case{1, 50, 1}}) {
    const LayerGallery gallery = layer_gallery(w.trace, 1, most, w.pool);
    CHECK(gallery.block == block);
    CHECK(gallery.side == side);
    REQUIRE(gallery.grids.size() == config.n_heads * side * side);
    for (std::size_t head = 0; head < config.n_heads; ++head) {
      const std::vector<float> whole = pattern(w.trace, {1, head});
      for (std::size_t row = 0; row < side; ++row)
        for (std::size_t column = 0; column < side; ++column) {
          float largest = 0;
          for (std::size_t i = row * block; i < std::min(n, (row + 1) * block); ++i)
            for (std::size_t j = column * block; j < std::min(n, (column + 1) * block); ++j)
              largest = std::max(largest, whole[i * n + j]);
          CHECK(gallery.grids[(head * side + row) * side + column] == largest);
          if (column > row) CHECK(largest == 0);
        }
    }
  }
}

TEST_CASE("the gallery's scores are the census of this one text") {
  World w;
  Census census = begin_census(config);
  REQUIRE(count(census, w.trace));
  for (std::size_t layer = 0; layer < config.n_layers; ++layer)
    for (const std::size_t most : {std::size_t{64}, std::size_t{9}}) {
      const LayerGallery gallery = layer_gallery(w.trace, layer, most, w.pool);
      REQUIRE(gallery.heads.size() == config.n_heads);
      for (std::size_t head = 0; head < config.n_heads; ++head) {
        const HeadCensus& counted = census.at({layer, head});
        for (const Role role : roles) {
          CHECK(gallery.heads[head].of(role).n == counted.of(role).n);
          CHECK(gallery.heads[head].of(role).value() == counted.of(role).value());
          CHECK(counted.of(role).n > 0);
        }
        CHECK(gallery.heads[head].entropy.n == n - 1);
        CHECK(gallery.heads[head].entropy.value() == counted.entropy.value());
      }
    }
}

TEST_CASE("any number of threads gives the same gallery, and one token has no looks to count") {
  World w;
  Pool one, five(5);
  const LayerGallery alone = layer_gallery(w.trace, 0, 20, one), together = layer_gallery(w.trace, 0, 20, five);
  CHECK(same_bits(alone.grids, together.grids));
  for (std::size_t head = 0; head < config.n_heads; ++head)
    CHECK(alone.heads[head].entropy.sum == together.heads[head].entropy.sum);

  Trace single;
  REQUIRE(run(w.weights, std::vector<int>{4}, single, w.pool));
  const LayerGallery gallery = layer_gallery(single, 1, 64, w.pool);
  CHECK(gallery.grids == std::vector<float>(config.n_heads, 1.0f));
  for (const HeadCensus& head : gallery.heads) {
    CHECK(head.entropy.n == 0);
    for (const Role role : roles) CHECK(head.of(role).n == 0);
  }
}

TEST_CASE("the gallery shows the shares that an edited pass used") {
  World w;
  Edits edits;
  edits.replaced.push_back({1, 2, 3, {0.25f, 0, 0.75f, 0}});
  Trace edited;
  REQUIRE(run(w.weights, reference::random_ids(config, n, 32), edited, w.pool, edits));
  const LayerGallery gallery = layer_gallery(edited, 1, 64, w.pool);
  CHECK(gallery.grids[(2 * n + 3) * n] == 0.25f);
  CHECK(gallery.grids[(2 * n + 3) * n + 2] == 0.75f);
}
