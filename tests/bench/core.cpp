// How fast the core is, as ratios within one run: against a loop that only multiplies and adds in registers, against the
// memory's bandwidth, and against itself. Compiled natively and for WebAssembly from the same source; random weights of
// GPT-2 small's sizes. Prints a table; asserts nothing, as a busy machine's times prove nothing.
//
//   core_bench [--quick]     fewer lengths and repetitions
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "core/model/transformer.hpp"
#include "core/numerics/matmul.hpp"
#include "core/numerics/pack_matrix.hpp"
#include "core/numerics/vector.hpp"
#include "tests/core/reference.hpp"

using namespace lookback;

namespace {

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The works take turns, so that what else the machine does hits them alike. Seconds, the median of each.
std::vector<double> in_turns(int rounds, const std::vector<std::function<void()>>& works) {
  std::vector<std::vector<double>> seconds(works.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < works.size(); ++i) {
      const double s = seconds_of(works[(i + static_cast<std::size_t>(round)) % works.size()]);
      seconds[(i + static_cast<std::size_t>(round)) % works.size()].push_back(s);
    }
  std::vector<double> medians;
  for (const auto& list : seconds) medians.push_back(median(list));
  return medians;
}

// Multiply-adds that never leave the registers: x = x a + b in twelve vectors of four, enough to hide the latency. What
// they come to is kept, so that no compiler leaves them out.
volatile float kept = 0;
constexpr int register_vectors = 12, register_rounds = 4'000'000;
constexpr double register_flops = 2.0 * 4 * register_vectors * register_rounds;
void register_loop() {
  f32x4 sums[register_vectors] = {};
  const f32x4 a = splat(0.999f + kept * 0), b = splat(0.5f + kept * 0);
  for (int i = 0; i < register_rounds; ++i)
    for (f32x4& sum : sums) sum = sum * a + b;
  for (const f32x4& sum : sums) kept = kept + sum[0];
}

std::vector<float> random_floats(std::size_t n) {
  std::mt19937 random(1);
  std::vector<float> values(n);
  for (float& value : values) value = static_cast<float>(random() >> 8) * 0x1p-23f - 1.0f;
  return values;
}

void row(const char* what, double value, const char* unit, const char* aim = "") {
  std::printf("  %-66s %9.3f %-8s %s\n", what, value, unit, aim);
  std::fflush(stdout);
}

// A matrix product of GPT-2 small's widest kind at `rows` rows.
void products() {
  constexpr std::size_t rows = 64, k = 768, n = 3072;
  PackedMatrix w(k, n), halves(k, n, Precision::f16), levels(k, n, Precision::int8);
  const std::vector<float> numbers = random_floats(k * n), x = random_floats(rows * k);
  for (std::size_t i = 0; i < k; ++i) place_row(w, i, 0, std::span(numbers).subspan(i * n, n));
  place_matrix(halves, w);
  place_matrix(levels, w);
  std::vector<float> y(rows * n);
  Pool two(2);
  const auto times = [&](const PackedMatrix& m, std::size_t n_rows) {
    return [&, n_rows] { multiply<float>(x.data(), k, n_rows, m, {}, y.data(), n, 0, PackedMatrix::n_panels(n)); };
  };
  const auto shared = [&](const PackedMatrix& m) {
    return [&] {
      two.split(PackedMatrix::n_panels(n), [&](std::size_t begin, std::size_t end) {
        multiply<float>(x.data(), k, rows, m, {}, y.data(), n, begin, end);
      });
    };
  };
  const std::vector<double> s = in_turns(9, {register_loop, times(w, rows), shared(w), times(levels, rows), shared(levels), times(halves, rows), times(w, 14)});
  const double flops = 2.0 * rows * k * n, limit = register_flops / s[0];
  row("register-only multiply-add loop, 1 thread", limit / 1e9, "GFLOP/s");
  row("f32 product, 64 rows, 1 thread", flops / s[1] / 1e9, "GFLOP/s");
  row("  of the register-only loop", flops / s[1] / limit, "x", "aim >= 0.80");
  row("  with 2 threads", s[1] / s[2], "x", "aim >= 1.8");
  row("f32 product, 14 rows, of the loop", 2.0 * 14 * k * n / s[6] / limit, "x");
  row("f16 product, 64 rows, of f32's speed", s[1] / s[5], "x");
  row("int8 product, 64 rows, 1 thread", flops / s[3] / 1e9, "GOP/s");
  row("  with 2 threads", s[3] / s[4], "x");
}

Weights in_storage(const Weights& from, Precision precision) {
  const auto matrix = [&](const PackedMatrix& m) {
    PackedMatrix out(m.k_rows, m.n_columns, precision);
    place_matrix(out, m);
    return out;
  };
  Weights w;
  w.config = from.config, w.wte = matrix(from.wte), w.wpe = from.wpe, w.ln_f = from.ln_f;
  for (const BlockWeights& b : from.blocks) {
    const auto linear = [&](const LinearWeights& l) { return LinearWeights{matrix(l.weight), l.bias}; };
    w.blocks.push_back({b.ln_1, linear(b.c_attn), linear(b.c_proj), b.ln_2, linear(b.mlp_fc), linear(b.mlp_proj)});
  }
  return w;
}

std::vector<float> last_logits(const Weights& weights, const Trace& trace, Pool& pool) {
  const std::size_t d = weights.config.d_model;
  return logits(weights, std::span(trace.resid_final).subspan((trace.n_tokens() - 1) * d, d), pool);
}

// Multiply-adds of a pass over n tokens, in flops: the layers' matrices, scores and blends.
double pass_flops(const Config& c, std::size_t n) {
  const double d = static_cast<double>(c.d_model), tokens = static_cast<double>(n);
  const double matrices = 4 * d * d + 2 * d * static_cast<double>(c.d_mlp);
  return 2 * tokens * static_cast<double>(c.n_layers) * (matrices + d * (tokens + 1));
}

void passes(const Weights& weights, const char* storage, bool quick) {
  const Config& c = weights.config;
  Pool one(1), two(2);
  std::printf("%s\n", storage);
  const std::vector<std::size_t> lengths = quick ? std::vector<std::size_t>{14, 256} : std::vector<std::size_t>{14, 64, 256, 1024};
  for (const std::size_t n : lengths) {
    const std::vector<int> ids = reference::random_ids(c, n, 5), all_but_last(ids.begin(), ids.end() - 1);
    const auto whole = [&](Pool& pool) {
      return [&, &pool = pool] {
        Trace trace;
        if (run(weights, ids, trace, pool)) last_logits(weights, trace, pool);
      };
    };
    // One more word at the end of a text that is there already: what a reader who types waits for.
    Trace typed;
    const auto before = [&] { (void)run(weights, all_but_last, typed, two); };
    const auto step = [&] {
      if (run(weights, ids, typed, two)) last_logits(weights, typed, two);
    };
    before();
    const int rounds = n >= 256 ? 3 : 7;
    std::vector<double> alone, shared, typing;
    for (int round = 0; round < rounds; ++round) {
      alone.push_back(seconds_of(whole(one)));
      shared.push_back(seconds_of(whole(two)));
      before();
      typing.push_back(seconds_of(step));
    }
    const double flops = pass_flops(c, n) + 2.0 * static_cast<double>(c.d_model) * static_cast<double>(c.d_vocab);
    const std::string name = std::to_string(n) + " tokens, trace and last logits";
    row((name + ", 1 thread").c_str(), median(alone) * 1e3, "ms");
    row((name + ", 2 threads").c_str(), median(shared) * 1e3, "ms");
    row("  rate, 1 thread", flops / median(alone) / 1e9, "GFLOP/s");
    row("  one more word, 2 threads", median(typing) * 1e3, "ms");
    row("  of the full pass", median(typing) / median(shared), "x", n == 256 ? "aim <= 0.06" : "");
  }

  // Token by token behind a prompt of 14, against reading memory in the same rounds.
  std::vector<float> much(64 << 20, 1.0f);  // 256 MB
  const auto read_all = [&] {
    const std::size_t half = much.size() / 2;
    float sums[2] = {0, 0};
    two.split(2, [&](std::size_t begin, std::size_t end) {
      for (std::size_t part = begin; part < end; ++part) {
        Eight<float> sum[4];
        for (std::size_t i = part * half; i < (part + 1) * half; i += 32)
          for (std::size_t s = 0; s < 4; ++s) sum[s].add(Eight<float>::load(&much[i + 8 * s]));
        float out[8];
        sum[0].store(out), sums[part] = out[0];
      }
    });
    kept = kept + sums[0] + sums[1];
  };
  std::vector<int> ids = reference::random_ids(c, 14, 5);
  Trace trace;
  (void)run(weights, ids, trace, two);
  std::vector<double> steps, reads;
  for (int i = 0; i < (quick ? 12 : 32); ++i) {
    ids.push_back(i);
    steps.push_back(seconds_of([&] {
      if (run(weights, ids, trace, two)) last_logits(weights, trace, two);
    }));
    if (i % 4 == 0) reads.push_back(seconds_of(read_all));
  }
  double bytes = 0;
  const auto count = [&](const PackedMatrix& m) { bytes += static_cast<double>(packed_bytes(m.k_rows, m.n_columns, m.precision)); };
  count(weights.wte);
  for (const BlockWeights& b : weights.blocks) count(b.c_attn.weight), count(b.c_proj.weight), count(b.mlp_fc.weight), count(b.mlp_proj.weight);
  const double bandwidth = static_cast<double>(much.size() * sizeof(float)) / median(reads);
  row("decode, 2 threads", 1 / median(steps), "tok/s");
  row("  memory read by 2 threads", bandwidth / 1e9, "GB/s");
  row("  the weights' bytes a step, of that", bytes / median(steps) / bandwidth, "x", "aim >= 0.85 (f32)");
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  std::printf("Matrix products [64, 768] x [768, 3072]\n");
  products();
  const Config small{12, 12, 768, 3072, 1024, 50257, 1e-5f, true};
  const Weights weights = reference::random_weights(small, 7);
  passes(weights, "GPT-2 small's sizes, f32", quick);
  const Weights levels = in_storage(weights, Precision::int8);
  passes(levels, "GPT-2 small's sizes, int8", quick);

  Pool two(2);
  const std::vector<int> ids = reference::random_ids(small, 14, 5);
  Trace exact, rounded;
  if (!run(weights, ids, exact, two) || !run(levels, ids, rounded, two)) return 1;
  const std::vector<float> a = last_logits(weights, exact, two), b = last_logits(levels, rounded, two);
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  row("int8 against f32: largest difference of a logit", worst, "");
}
