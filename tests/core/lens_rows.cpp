// A token's row from the table through every layer: the same numbers that the trace and the weights hold.
#include <doctest/doctest.h>

#include "core/lens/activations.hpp"
#include "core/model/transformer.hpp"
#include "core/model/transformer.hpp"
#include "tests/core/reference.hpp"

using namespace lookback;

TEST_CASE("a token's rows go by its place: table, place added, after each layer") {
  const Config config{3, 4, 20, 80, 16, 23, 1e-5f, true};
  const Weights weights = reference::random_weights(config, 5);
  // The same token at two places.
  const std::vector<int> ids = {4, 17, 2, 17, 9};
  Trace trace;
  Pool pool;
  REQUIRE(run(weights, ids, trace, pool));
  const std::size_t d = config.d_model;
  std::vector<std::vector<float>> rows;
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const auto found = activation(weights, trace, "rows." + std::to_string(t), pool);
    REQUIRE(found);
    CHECK(found->shape == std::vector<std::size_t>{config.n_layers + 2, d});
    REQUIRE(found->data.size() == (config.n_layers + 2) * d);
    for (std::size_t i = 0; i < d; ++i) {
      CHECK(found->data[i] == weights.wte.at(i, static_cast<std::size_t>(ids[t])));
      CHECK(found->data[d + i] == found->data[i] + weights.wpe[t * d + i]);
      for (std::size_t done = 0; done <= config.n_layers; ++done)
        CHECK(found->data[(done + 1) * d + i] == trace.residual(done)[t * d + i]);
    }
    rows.push_back(found->data);
  }
  CHECK(std::equal(rows[1].begin(), rows[1].begin() + static_cast<std::ptrdiff_t>(d), rows[3].begin()));
  CHECK_FALSE(std::equal(rows[1].begin() + static_cast<std::ptrdiff_t>(d), rows[1].end(), rows[3].begin() + static_cast<std::ptrdiff_t>(d)));
  for (const char* name : {"rows.", "rows.5", "rows.x", "rows.1.2", "rows.-1"}) CHECK_FALSE(activation(weights, trace, name, pool));
}
