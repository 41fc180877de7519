// Invariant 1, defined arithmetic: these hashes hold in every build (gcc, clang, WebAssembly under Node and in browsers)
// and with any number of threads. Without fused multiply-add by the compiler's whim they never change.
#include "core/lens/fingerprint.hpp"

#include <doctest/doctest.h>

#include "core/model/transformer.hpp"
#include "tests/core/reference.hpp"

using namespace lookback;

TEST_CASE("the same bits everywhere") {
  struct Expected {
    Config config;
    std::size_t n;
    std::string hash;
  };
  const std::vector<Expected> table = {
      {{1, 1, 10, 40, 9, 17, 1e-5f, true}, 9, "0aa0132bc6e88e54"},
      {{2, 3, 15, 31, 40, 101, 1e-3f, false}, 33, "4d41cf3da648cf01"},
      {{3, 4, 64, 256, 100, 300, 1e-5f, true}, 100, "47076222abeeae6f"},
  };
  for (const Expected& e : table) {
    const Weights weights = reference::random_weights(e.config, 21);
    const std::vector<int> ids = reference::random_ids(e.config, e.n, 22);
    for (std::size_t threads : {1, 2, 3}) {
      Pool pool(threads);
      Trace trace;
      REQUIRE(run(weights, ids, trace, pool));
      CHECK(fingerprint(trace) == e.hash);
    }
  }
}

TEST_CASE("one changed bit changes the fingerprint") {
  const Config config{1, 1, 10, 40, 9, 17, 1e-5f, true};
  const Weights weights = reference::random_weights(config, 1);
  Pool pool;
  Trace trace;
  REQUIRE(run(weights, std::vector<int>{3, 1, 4}, trace, pool));
  const std::string before = fingerprint(trace);
  trace.blocks[0].v[7] = std::nextafter(trace.blocks[0].v[7], 10.0f);
  CHECK(fingerprint(trace) != before);
}
