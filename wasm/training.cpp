// Practices for JavaScript: one training, stepped from outside, so that its worker can look at its messages in between.
#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <vector>

#include "core/train/practice_json.hpp"
#include "wasm/values.hpp"

using emscripten::val;
using namespace lookback;

namespace {

// Texts of JSON come in and go out as core/train/practice_json.hpp has them.
class Training {
 public:
  explicit Training(int n_threads) : pool_(static_cast<std::size_t>(n_threads)) {}

  // Takes the place of what was trained before; on an error that stays.
  val begin(std::string name, std::string options_json) {
    return guarded([&] {
      const Result<PracticeOptions> options = parse_practice_options(name, options_json);
      if (!options) return error(options.error());
      Result<Practice> practice = Practice::begin(name, *options);
      if (!practice) return error(practice.error());
      practice_ = std::make_unique<Practice>(std::move(*practice));
      losses_.clear();
      return ok(val(plan_json(*practice_)));
    });
  }

  // Up to n steps; fewer where the training ends. Their losses, Float32Array.
  val step(int n) {
    return guarded([&] {
      if (!practice_) return none();
      std::vector<float> losses;
      for (int i = 0; i < n && !practice_->finished(); ++i) losses.push_back(practice_->step(pool_).loss);
      losses_.insert(losses_.end(), losses.begin(), losses.end());
      return ok(floats(losses));
    });
  }

  val reading() {
    return guarded([&] {
      if (!practice_) return none();
      const Result<Reading> reading = practice_->read(pool_);
      return reading ? ok(val(reading_json(practice_->world(), *reading))) : error(reading.error());
    });
  }

  // The steepest fall of the losses so far, or null.
  val ledge() {
    return guarded([&] {
      const std::optional<Ledge> found = find_ledge(losses_);
      if (!found) return ok(val::null());
      val out = val::object();
      out.set("step", static_cast<double>(found->step));
      out.set("before", found->before);
      out.set("after", found->after);
      return ok(out);
    });
  }

 private:
  static val none() { return error({ErrorCode::bad_argument, "No training has begun."}); }

  Pool pool_;
  std::unique_ptr<Practice> practice_;
  std::vector<float> losses_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(training) {
  emscripten::class_<Training>("Training")
      .constructor<int>()
      .function("begin", &Training::begin)
      .function("step", &Training::step)
      .function("reading", &Training::reading)
      .function("ledge", &Training::ledge);
}
