// The model that a session works with: whole, or as much of it as has come. Loading, for JavaScript.
#pragma once

#include <emscripten/val.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/checkpoint/config_json.hpp"
#include "core/checkpoint/loader.hpp"
#include "core/checkpoint/shard_index.hpp"
#include "core/checkpoint/wording.hpp"
#include "core/model/transformer.hpp"
#include "wasm/model_values.hpp"
#include "wasm/values.hpp"

namespace lookback {

// Of the 4 GB that 32 bits address, what weights and trace may take; the rest is for the stack, the vocabulary, a chunk of
// a file and what lenses work out.
constexpr std::uint64_t memory_for_models = std::uint64_t{15} << 28;

class ModelInUse {
 public:
  // The length of the safetensors header, from the file's first bytes.
  emscripten::val header_length(std::string beginning, double file_size) {
    if (!whole_bytes(file_size)) return error({ErrorCode::bad_argument, "A file's size must be a number from 0."});
    const Result<std::uint64_t> length = lookback::header_length(
        std::as_bytes(std::span(beginning.data(), beginning.size())), static_cast<std::uint64_t>(file_size));
    return length ? ok(emscripten::val(static_cast<double>(*length))) : error(length.error());
  }

  // The files that model.safetensors.index.json names. plan() takes their headers in this order and checks them against
  // the index.
  emscripten::val shards(std::string index_json) {
    return guarded([&] {
      Result<ShardIndex> index = parse_shard_index(index_json);
      if (!index) return error(index.error());
      emscripten::val out = emscripten::val::object();
      out.set("files", strings(index->files));
      shards_ = std::move(*index);
      return ok(out);
    });
  }

  // Checks headers and config. What follows is allocate(), write() for each stretch of the files in `ranges`, finish().
  // A plan only asks: the model in use stays, unless it is one that is still arriving, which is given up.
  emscripten::val plan(std::string config_json, emscripten::val headers_json, emscripten::val file_sizes, std::string precision_name) {
    return guarded([&] {
      const Result<Precision> precision = parse_precision(precision_name);
      if (!precision) return error(precision.error());
      const Result<Config> config = parse_config(config_json);
      if (!config) return error({config.error().code, "config.json: " + config.error().sentence});
      const Result<std::vector<Header>> headers = read_headers(headers_json, file_sizes);
      if (!headers) return error(headers.error());
      if (shards_)
        if (const Result<> fits = check_shards(*shards_, *headers); !fits) return error(fits.error());
      Result<Loader> loader = Loader::plan(*headers, *config, {*precision, memory_for_models});
      if (!loader) return error(loader.error());
      loader_ = std::make_unique<Loader>(std::move(*loader));

      emscripten::val ranges = emscripten::val::array();
      for (const TensorPlan& tensor : loader_->tensors())
        if (!tensor.skipped) ranges.call<void>("push", range_value(tensor));
      emscripten::val out = emscripten::val::object();
      out.set("ranges", ranges);
      out.set("bytes_to_read", static_cast<double>(loader_->bytes_to_read()));
      out.set("kept_bytes", static_cast<double>(loader_->kept_bytes()));
      out.set("config", config_value(loader_->weights().config));
      out.set("notes", strings(loader_->notes()));
      return ok(out);
    });
  }

  // Takes the memory; the model before and its trace are given up.
  emscripten::val allocate() {
    return guarded([&] {
      if (!loader_) return no_load();
      weights_.reset();
      // The heap grows once, to its full size; growing tensor by tensor would leave gaps.
      void* room = std::malloc(static_cast<std::size_t>(loader_->peak_bytes()));
      if (!room) return error({ErrorCode::out_of_memory, "The browser gave the engine too little memory for this model."});
      std::free(room);
      const Result<> allocated = loader_->allocate();
      return allocated ? ok() : error(allocated.error());
    });
  }

  // A view on `size` bytes of the heap to copy a chunk of a file into; good until the next call.
  emscripten::val staging(int size) {
    return guarded([&] {
      if (size < 0) return error({ErrorCode::bad_argument, "A size must be a whole number from 0."});
      staging_.resize(static_cast<std::size_t>(size));
      return ok(emscripten::val(emscripten::typed_memory_view(staging_.size(), staging_.data())));
    });
  }

  // The first `size` bytes of staging stand in file number `file` from byte `begin` on. Bytes that came before are ignored.
  emscripten::val write(int file, double begin, int size) {
    return guarded([&] {
      if (!loader_) return no_load();
      if (size < 0 || static_cast<std::size_t>(size) > staging_.size() || !whole_bytes(begin) || file < 0)
        return error({ErrorCode::bad_argument, "These bytes were not staged."});
      const Result<> taken = loader_->write(static_cast<std::size_t>(file), static_cast<std::uint64_t>(begin),
                                            std::as_bytes(std::span(staging_.data(), static_cast<std::size_t>(size))));
      return taken ? ok() : error(taken.error());
    });
  }

  // Once everything came. The weights stay where they are, so a pass that is under way goes on, and its trace stays.
  emscripten::val finish() {
    return guarded([&] {
      if (!loader_) return no_load();
      Result<std::unique_ptr<Weights>> weights = loader_->finish();
      if (!weights) return error(weights.error());
      weights_ = std::move(*weights);
      emscripten::val out = emscripten::val::object();
      out.set("config", config_value(weights_->config));
      out.set("notes", strings(loader_->notes()));
      out.set("weight_bytes", static_cast<double>(loader_->kept_bytes()));
      out.set("n_parameters", static_cast<double>(n_parameters(weights_->config)));
      loader_.reset();
      shards_.reset();
      staging_ = std::vector<unsigned char>();
      return ok(out);
    });
  }

  // What there is to compute with --------------------------------------------------------------------------------------

  bool planned() const { return loader_ != nullptr; }
  bool arriving() const { return loader_ && loader_->allocated(); }
  const Weights* weights() const { return arriving() ? &loader_->weights() : weights_.get(); }
  std::size_t half_steps_ready() const { return arriving() ? loader_->half_steps_ready() : every_half_step; }
  bool part_ready(Part part, int layer = -1) const { return !arriving() || loader_->part_ready(part, layer); }
  Result<> rows_ready(std::span<const int> ids) const { return arriving() ? loader_->rows_ready(ids) : Nothing{}; }

  // Whether ln_f and the read-out matrix are there. Error not_yet.
  Result<> read_out_ready() const {
    const Weights* model = weights();
    if (!model || (part_ready(Part::last) && part_ready(model->config.tied_head ? Part::wte : Part::lm_head))) return Nothing{};
    return fail(ErrorCode::not_yet, "The weights of the read-out have not come yet.");
  }

 private:
  static emscripten::val no_load() { return error({ErrorCode::bad_argument, "No model is being loaded."}); }

  std::optional<ShardIndex> shards_;
  std::unique_ptr<Loader> loader_;
  std::unique_ptr<Weights> weights_;
  std::vector<unsigned char> staging_;
};

}  // namespace lookback
