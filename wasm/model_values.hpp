// Models, plans and what lenses read, as JavaScript objects; web/worker/module.ts and web/engine/types.ts have their types.
#pragma once

#include <emscripten/val.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/matching.hpp"
#include "core/checkpoint/safetensors.hpp"
#include "core/lens/activations.hpp"
#include "core/lens/gallery.hpp"
#include "core/lens/heads.hpp"
#include "core/model/config.hpp"
#include "core/model/edits.hpp"
#include "wasm/values.hpp"

namespace lookback {

// Whether a number can be a place in a file; NaN cannot.
inline bool whole_bytes(double bytes) { return bytes >= 0 && bytes <= 0x1p53; }

// One header's JSON (Uint8Array) and one file size for each file.
inline Result<std::vector<Header>> read_headers(const emscripten::val& headers_json, const emscripten::val& file_sizes) {
  const std::vector<double> sizes = emscripten::vecFromJSArray<double>(file_sizes);
  if (sizes.empty() || headers_json["length"].as<std::size_t>() != sizes.size())
    return fail(ErrorCode::bad_argument, "A plan needs a header and a size for each file.");
  std::vector<Header> headers;
  for (std::size_t file = 0; file < sizes.size(); ++file) {
    if (!whole_bytes(sizes[file])) return fail(ErrorCode::bad_argument, "A file's size must be a number from 0.");
    Result<Header> header = parse_header(headers_json[file].as<std::string>(), static_cast<std::uint64_t>(sizes[file]));
    if (!header) return header.error();
    headers.push_back(std::move(*header));
  }
  return headers;
}

inline emscripten::val range_value(const TensorPlan& tensor) {
  emscripten::val range = emscripten::val::object();
  range.set("file", tensor.file);
  range.set("name", tensor.name);
  range.set("begin", static_cast<double>(tensor.begin));
  range.set("end", static_cast<double>(tensor.end));
  range.set("part", std::string(name_of(tensor.part)));
  range.set("layer", tensor.layer);
  if (tensor.row_bytes > 0) range.set("row_bytes", static_cast<double>(tensor.row_bytes));
  return range;
}

inline emscripten::val config_value(const Config& c) {
  emscripten::val config = emscripten::val::object();
  config.set("n_layers", c.n_layers);
  config.set("n_heads", c.n_heads);
  config.set("d_model", c.d_model);
  config.set("d_head", c.d_head());
  config.set("d_mlp", c.d_mlp);
  config.set("n_positions", c.n_positions);
  config.set("d_vocab", c.d_vocab);
  config.set("tied_head", c.tied_head);
  return config;
}

// What a pass shall change, web/engine/types.ts's Edits; undefined or null: nothing.
inline Result<Edits> read_edits(const emscripten::val& from) {
  Edits edits;
  if (from.isUndefined() || from.isNull()) return edits;
  const auto given = [&](const char* key) { return !from[key].isUndefined(); };
  bool all_whole = true;
  const auto whole = [&](const emscripten::val& value) {
    const double number = value.isNumber() ? value.as<double>() : -1;
    if (number >= 0 && number <= 4294967295.0 && number == std::floor(number)) return static_cast<std::size_t>(number);
    all_whole = false;
    return std::size_t{0};
  };
  if (given("positions")) {
    const std::optional<Positions> positions = positions_named(from["positions"].as<std::string>());
    if (!positions) return fail(ErrorCode::bad_argument, "The positions of an edit are learned, none or shuffled.");
    edits.positions = *positions;
  }
  if (given("seed")) edits.seed = static_cast<std::uint32_t>(whole(from["seed"]));
  if (given("silenced"))
    for (const emscripten::val& head : emscripten::vecFromJSArray<emscripten::val>(from["silenced"]))
      edits.silenced.push_back({whole(head["layer"]), whole(head["head"])});
  if (given("replaced"))
    for (const emscripten::val& row : emscripten::vecFromJSArray<emscripten::val>(from["replaced"]))
      edits.replaced.push_back({whole(row["layer"]), whole(row["head"]), whole(row["row"]),
                                emscripten::convertJSArrayToNumberVector<float>(row["shares"])});
  if (!all_whole)
    return fail(ErrorCode::bad_argument, "The seed, layers, heads and places of an edit are whole numbers from 0.");
  return edits;
}

// Without weights the head's output is null.
inline emscripten::val head_value(const Weights* weights, const Trace& trace, HeadIndex at) {
  emscripten::val out = emscripten::val::object();
  out.set("n", trace.n_tokens());
  out.set("raw", floats(scores_raw(trace, at)));
  out.set("scaled", floats(scores_scaled(trace, at)));
  out.set("pattern", floats(pattern(trace, at)));
  out.set("z", floats(blends(trace, at)));
  out.set("output", weights ? floats(head_output(*weights, trace, at)) : emscripten::val::null());
  return out;
}

inline emscripten::val cell_value(const CellArithmetic& c) {
  emscripten::val out = emscripten::val::object();
  out.set("query", floats(c.query));
  out.set("key", floats(c.key));
  out.set("products", floats(c.products));
  out.set("raw", c.raw);
  out.set("root", c.root);
  out.set("scaled", c.scaled);
  out.set("masked", c.masked);
  out.set("maximum", c.maximum);
  out.set("exponential", c.exponential);
  out.set("sum", c.sum);
  out.set("share", c.share);
  return out;
}

inline emscripten::val sum_value(const SumArithmetic& s) {
  emscripten::val out = emscripten::val::object();
  out.set("left", floats(s.left));
  out.set("right", floats(s.right));
  out.set("products", floats(s.products));
  out.set("sum", s.sum);
  return out;
}

// Scores are NaN where no look of the text could have the role.
inline emscripten::val gallery_value(const LayerGallery& gallery) {
  std::vector<float> scores;
  const auto add = [&](const Mean& mean) { scores.push_back(mean.n > 0 ? mean.value() : std::nanf("")); };
  for (const HeadCensus& head : gallery.heads) {
    for (const Role role : roles) add(head.of(role));
    add(head.entropy);
  }
  emscripten::val out = emscripten::val::object();
  out.set("block", gallery.block);
  out.set("side", gallery.side);
  out.set("grids", floats(gallery.grids));
  out.set("scores", floats(scores));
  return out;
}

inline emscripten::val activation_value(const Activation& activation) {
  emscripten::val shape = emscripten::val::array();
  for (const std::size_t side : activation.shape) shape.call<void>("push", side);
  emscripten::val out = emscripten::val::object();
  out.set("shape", shape);
  out.set("data", floats(activation.data));
  return out;
}

}  // namespace lookback
