// The core for JavaScript. Nothing but translation (values.hpp); trainings have a file of their own, training.cpp.
//
// Text comes in as UTF-8 bytes (Embind takes a Uint8Array for a std::string), in which the worker's TextEncoder has
// replaced half surrogates.
#include <emscripten/bind.h>
#include <emscripten/heap.h>
#include <emscripten/val.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/lens/activations.hpp"
#include "core/lens/fingerprint.hpp"
#include "core/lens/gallery.hpp"
#include "core/lens/heads.hpp"
#include "core/lens/logit_lens.hpp"
#include "core/lens/saved_trace.hpp"
#include "core/model/sampling.hpp"
#include "core/model/transformer.hpp"
#include "wasm/model_in_use.hpp"
#include "wasm/model_values.hpp"
#include "wasm/values.hpp"
#include "wasm/vocabulary_in_use.hpp"

using emscripten::val;
using namespace lookback;

namespace {

HeadIndex head_index(int layer, int head) { return {static_cast<std::size_t>(layer), static_cast<std::size_t>(head)}; }

// One model, one text, and the pool of threads that works on them.
class Session {
 public:
  explicit Session(int n_threads) : pool_(static_cast<std::size_t>(n_threads)) {}

  // Loading ---------------------------------------------------------------------------------------------------------

  val load_vocabulary(std::string vocab_json, std::string merges) { return words_.load(vocab_json, merges); }

  // Loading is the model's affair (model_in_use.hpp); a text of the model before is given up with it.
  val header_length(std::string beginning, double file_size) { return model_.header_length(beginning, file_size); }
  val shards(std::string index_json) { return model_.shards(index_json); }
  val plan(std::string config_json, val headers, val file_sizes, std::string precision) {
    const bool given_up = model_.arriving();
    const val planned = model_.plan(config_json, headers, file_sizes, precision);
    if (given_up && !model_.arriving()) forget_text();
    return planned;
  }
  val allocate() {
    if (model_.planned()) forget_text();
    return model_.allocate();
  }
  val staging(int size) { return model_.staging(size); }
  val write(int file, double begin, int size) { return model_.write(file, begin, size); }
  val finish() { return model_.finish(); }

  // Text ------------------------------------------------------------------------------------------------------------

  val tokenize(std::string utf8) { return words_.tokenize(utf8); }
  val begin_text(std::string utf8) { return words_.begin_text(utf8); }
  val step_text(int number, int work) { return words_.step_text(number, work); }
  val text_tokens(int number, int first, int most) { return words_.text_tokens(number, first, most); }
  void end_text(int number) { words_.end_text(number); }
  val token(int id) { return words_.token(id); }

  // Passes ----------------------------------------------------------------------------------------------------------

  // Starts a pass over ids; step() until it says that nothing is left, or abandon(). not_yet while a row of the token or
  // position table that it needs has not come.
  val begin_pass(val ids, val changes) {
    return guarded([&] {
      const Weights* weights = model_.weights();
      if (!weights) return error({ErrorCode::bad_argument, "No model is loaded."});
      const std::vector<int> list = emscripten::vecFromJSArray<int>(ids);
      const Result<Edits> edits = read_edits(changes);
      if (!edits) return error(edits.error());
      if (const Result<> rows = model_.rows_ready(list); !rows) return error(rows.error());
      if (edits->positions == Positions::shuffled && !model_.part_ready(Part::wpe))
        return error({ErrorCode::not_yet, "The position table has not come whole yet."});
      abandon();
      Result<Pass> pass = Pass::begin(*weights, list, trace_, pool_, *edits);
      if (!pass) return error(pass.error());
      const std::size_t steps = pass->steps_in_all();
      if (!pass->finished()) pass_.emplace(std::move(*pass));
      return ok(val(steps));
    });
  }

  // Whether steps are left. not_yet, and the same step can be tried again, while its weights have not come.
  val step() {
    return guarded([&] {
      if (!pass_) return ok(val(false));
      if (!pass_->step(model_.half_steps_ready()))
        return error(awaits_half_step(pass_->half_steps_done()));
      const bool left = !pass_->finished();
      if (!left) pass_.reset();
      return ok(val(left));
    });
  }

  void abandon() {
    if (pass_) pass_->abandon();
    pass_.reset();
  }

  // Of how many layers q, k and v are there for all tokens.
  int layers_begun() const {
    return static_cast<int>((half_steps_done() + half_steps_a_layer - 1) / half_steps_a_layer);
  }

  // Choosing the next token ------------------------------------------------------------------------------------------

  // How next() draws, from a new seed on. top_k 0: of all.
  val sampler(double temperature, int top_k, double top_p, double seed) {
    return guarded([&] {
      const Sampling sampling{static_cast<float>(temperature), static_cast<std::size_t>(std::max(top_k, 0)),
                              static_cast<float>(top_p)};
      if (const Result<> checked = check_sampling(sampling); !checked) return error(checked.error());
      if (!(seed >= 0 && seed <= 9007199254740991.0) || seed != std::floor(seed))
        return error({ErrorCode::bad_argument, "The seed must be a whole number from 0 to 9007199254740991."});
      sampling_ = sampling;
      random_.seed(static_cast<std::uint64_t>(seed));
      return ok();
    });
  }

  // Draws the token after a finished pass, and tells the k likeliest with the chance that each had.
  val next(int k) {
    return guarded([&] {
      if (const Result<> whole = check_whole(); !whole) return error(whole.error());
      const std::size_t d = trace_.config.d_model, last = (trace_.n_tokens() - 1) * d;
      const std::vector<float> scores = logits(*model_.weights(), std::span(trace_.resid_final).subspan(last, d), pool_);
      if (!std::all_of(scores.begin(), scores.end(), [](float score) { return std::isfinite(score); }))
        return error({ErrorCode::bad_argument, "The model's scores are not finite, so no next token can be chosen."});
      const Draw drawn = draw(scores, sampling_, random_, static_cast<std::size_t>(std::max(k, 0)));
      val alternatives = val::array();
      for (const Choice& choice : drawn.likeliest)
        alternatives.call<void>("push", guess_value(choice.id, scores[static_cast<std::size_t>(choice.id)], choice.probability));
      val out = val::object();
      out.set("id", drawn.drawn.id);
      out.set("probability", drawn.drawn.probability);
      out.set("alternatives", alternatives);
      return ok(out);
    });
  }

  double trace_size() const {
    return trace_.n_tokens() ? static_cast<double>(trace_bytes(trace_.config, trace_.n_tokens())) : 0;
  }
  std::string trace_fingerprint() const { return fingerprint(trace_); }

  // Lenses ----------------------------------------------------------------------------------------------------------

  val head(int layer, int head) {
    return looked_at(layer, head, 0, 0, [&](HeadIndex at) {
      const bool has_output = model_.part_ready(Part::attention_out, layer);
      return ok(head_value(has_output ? model_.weights() : nullptr, trace_, at));
    });
  }

  val cell(int layer, int head, int query, int key) {
    return looked_at(layer, head, query, key, [&](HeadIndex at) {
      return ok(
          cell_value(cell_arithmetic(trace_, at, static_cast<std::size_t>(query), static_cast<std::size_t>(key))));
    });
  }

  // Behind number `i` of a token's blend.
  val blended(int layer, int head, int position, int i) {
    return looked_at(layer, head, position, 0, [&](HeadIndex at) {
      if (const Result<> there = check_number(i, trace_.config.d_head()); !there) return error(there.error());
      return ok(
          sum_value(blend_arithmetic(trace_, at, static_cast<std::size_t>(position), static_cast<std::size_t>(i))));
    });
  }

  // Behind number `column` of what a head writes to a token's row.
  val written(int layer, int head, int position, int column) {
    return looked_at(layer, head, position, 0, [&](HeadIndex at) {
      if (const Result<> there = check_number(column, trace_.config.d_model); !there) return error(there.error());
      if (!model_.part_ready(Part::attention_out, layer))
        return error(
            {ErrorCode::not_yet, "What the heads of layer " + std::to_string(layer) + " write has not come yet."});
      return ok(sum_value(write_arithmetic(*model_.weights(), trace_, at, static_cast<std::size_t>(position),
                                           static_cast<std::size_t>(column))));
    });
  }

  // All heads of a layer, in grids of at most `most` squares along a side.
  val gallery(int layer, int most) {
    if (most < 1) return error({ErrorCode::bad_argument, "A grid needs at least one square."});
    return looked_at(layer, 0, 0, 0, [&](HeadIndex at) {
      return ok(gallery_value(layer_gallery(trace_, at.layer, static_cast<std::size_t>(most), pool_)));
    });
  }

  val lens(int layers_done, int position, int k) {
    // Lenses stand between layers: 0 to n_layers of them done.
    if (layers_done < 0) return error({ErrorCode::bad_argument, "The number of layers done must be 0 or more."});
    if (const Result<> read_out = model_.read_out_ready(); !read_out) return error(read_out.error());
    const int layer = std::max(layers_done - 1, 0);
    const std::size_t half_steps = layers_done == 0 ? 1 : half_steps_a_layer;  // of that layer
    return looked_at(layer, 0, position, 0, half_steps, [&](HeadIndex) {
      const std::vector<float> scores = logit_lens(*model_.weights(), trace_, static_cast<std::size_t>(layers_done),
                                                   static_cast<std::size_t>(position), pool_);
      val guesses = val::array();
      for (const Guess& g : top_k(scores, static_cast<std::size_t>(std::max(k, 0))))
        guesses.call<void>("push", guess_value(g.id, g.logit, g.probability));
      return ok(guesses);
    });
  }

  val activation(std::string name) {
    return guarded([&] {
      if (const Result<> text = check_text(); !text) return error(text.error());
      const std::optional<std::size_t> half_steps = half_steps_for(name);
      if (const Result<> done = half_steps ? check_done(*half_steps) : check_whole(); !done) return error(done.error());
      if (reads_position_table(name) && !model_.part_ready(Part::wpe))
        return error({ErrorCode::not_yet, "The position table has not come whole yet."});
      const Result<Activation> found = lookback::activation(*model_.weights(), trace_, name, pool_);
      if (!found) return error(found.error());
      return ok(activation_value(*found));
    });
  }

  // The file of the trace (core/lens/saved_trace.hpp): its beginning, the names of what follows, and its size.
  val plan_trace() {
    return guarded([&] {
      if (const Result<> whole = check_whole(); !whole) return error(whole.error());
      const SavedTrace plan = plan_saved_trace(trace_, words_.text_of_ids(trace_.ids), false);
      val out = val::object();
      out.set("header", copy_of("Uint8Array", std::vector<unsigned char>(plan.header.begin(), plan.header.end())));
      out.set("pieces", strings(plan.pieces));
      out.set("bytes", static_cast<double>(plan.bytes));
      return ok(out);
    });
  }

 private:
  void forget_text() {
    pass_.reset();
    trace_ = Trace{};
  }

  // Done for all tokens of the text.
  std::size_t half_steps_done() const {
    return pass_ ? pass_->half_steps_done() : trace_.n_tokens() ? half_steps_a_layer * trace_.config.n_layers : 0;
  }

  Result<> check_text() const {
    if (trace_.n_tokens() == 0) return fail(ErrorCode::bad_argument, "No text has been computed yet.");
    return check_grid();
  }

  Result<> check_done(std::size_t half_steps) const {
    if (half_steps <= half_steps_done() || half_steps > half_steps_a_layer * trace_.config.n_layers) return Nothing{};
    return fail(ErrorCode::not_yet, "Layer " + std::to_string((half_steps - 1) / half_steps_a_layer) +
                                        " has not been computed for this text yet.");
  }

  // Whether a text went through all layers and the read-out is there.
  Result<> check_whole() const {
    if (const Result<> text = check_text(); !text) return text;
    if (const Result<> done = check_done(half_steps_a_layer * trace_.config.n_layers); !done) return done;
    return model_.read_out_ready();
  }

  // Checks what every lens call names, and that `half_steps` of the layer are done, then looks for an outcome.
  template <class Look>
  val looked_at(int layer, int head, int first, int second, std::size_t half_steps, Look look) {
    return guarded([&] {
      if (const Result<> text = check_text(); !text) return error(text.error());
      if (std::min({layer, head, first, second}) < 0)
        return error({ErrorCode::bad_argument, "Layers, heads and positions are whole numbers from 0."});
      const HeadIndex at = head_index(layer, head);
      if (const Result<> checked = check_head(trace_, at); !checked) return error(checked.error());
      for (const int position : {first, second})
        if (const Result<> checked = check_position(trace_, static_cast<std::size_t>(position)); !checked)
          return error(checked.error());
      if (const Result<> done = check_done(half_steps_a_layer * at.layer + half_steps); !done) return error(done.error());
      return look(at);
    });
  }
  template <class Look>
  val looked_at(int layer, int head, int first, int second, Look look) {
    return looked_at(layer, head, first, second, 1, look);
  }

  static Result<> check_number(int number, std::size_t count) {
    if (number >= 0 && static_cast<std::size_t>(number) < count) return Nothing{};
    return fail(ErrorCode::bad_argument, "There is no number " + std::to_string(number) + "; numbers 0 to " +
                                             std::to_string(count - 1) + " were expected.");
  }

  // A grid of n × n numbers must be one that 32 bits can address.
  Result<> check_grid() const {
    const double bytes = static_cast<double>(trace_.n_tokens()) * static_cast<double>(trace_.n_tokens()) * sizeof(float) *
                         static_cast<double>(trace_.config.n_heads);
    if (bytes < 1e9) return Nothing{};
    return fail(ErrorCode::out_of_memory, "The grids of " + std::to_string(trace_.n_tokens()) + " tokens are too large for this page.");
  }

  val guess_value(int id, float logit, float probability) const {
    val guess = words_.token_value(id);
    guess.set("logit", logit);
    guess.set("probability", probability);
    return guess;
  }

  Pool pool_;
  VocabularyInUse words_;
  ModelInUse model_;
  Trace trace_;
  std::optional<Pass> pass_;
  Sampling sampling_;
  std::mt19937_64 random_;
};

double heap_bytes() { return static_cast<double>(emscripten_get_heap_size()); }

}  // namespace

EMSCRIPTEN_BINDINGS(lookback) {
  emscripten::function("heapBytes", &heap_bytes);
  emscripten::class_<Session>("Session")
      .constructor<int>()
      .function("loadVocabulary", &Session::load_vocabulary)
      .function("headerLength", &Session::header_length)
      .function("shards", &Session::shards)
      .function("plan", &Session::plan)
      .function("allocate", &Session::allocate)
      .function("staging", &Session::staging)
      .function("write", &Session::write)
      .function("finish", &Session::finish)
      .function("tokenize", &Session::tokenize)
      .function("beginText", &Session::begin_text)
      .function("stepText", &Session::step_text)
      .function("textTokens", &Session::text_tokens)
      .function("endText", &Session::end_text)
      .function("token", &Session::token)
      .function("beginPass", &Session::begin_pass)
      .function("step", &Session::step)
      .function("abandon", &Session::abandon)
      .function("layersBegun", &Session::layers_begun)
      .function("sampler", &Session::sampler)
      .function("next", &Session::next)
      .function("traceBytes", &Session::trace_size)
      .function("fingerprint", &Session::trace_fingerprint)
      .function("head", &Session::head)
      .function("cell", &Session::cell)
      .function("blended", &Session::blended)
      .function("written", &Session::written)
      .function("gallery", &Session::gallery)
      .function("lens", &Session::lens)
      .function("activation", &Session::activation)
      .function("planTrace", &Session::plan_trace);
}
