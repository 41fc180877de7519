#include "core/checkpoint/matching.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "core/checkpoint/wording.hpp"

namespace lookback {
namespace {

constexpr std::string_view prefix = "transformer.";
constexpr std::string_view head_name = "lm_head.weight";

Error misfit(std::string sentence) { return fail(ErrorCode::missing_tensor, std::move(sentence)); }

Error unknown_tensor(std::string_view name, const Config& config) {
  return misfit("The tensor " + in_quotes(name) + " is unknown; expected those of a GPT-2 model with " +
                std::to_string(config.n_layers) + " layers, h.0 to h." + std::to_string(config.n_layers - 1) + ".");
}

Result<> check_tensor(const TensorEntry& entry, const Slot& slot) {
  if (entry.shape != slot.shape) {
    return misfit("The tensor " + in_quotes(entry.name) + " has the shape " + shape_text(entry.shape) + "; expected " +
                  shape_text(slot.shape) + " by config.json.");
  }
  if (entry.dtype != Dtype::f32 && entry.dtype != Dtype::f16 && entry.dtype != Dtype::bf16) {
    return fail(ErrorCode::bad_file, "The tensor " + in_quotes(entry.name) + " has the dtype " +
                                         std::string(name_of(entry.dtype)) + "; expected F32, F16 or BF16.");
  }
  return Nothing{};
}

template <class Test>
bool any_tensor(std::span<const Header> headers, Test test) {
  return std::any_of(headers.begin(), headers.end(), [&](const Header& header) {
    return std::any_of(header.tensors.begin(), header.tensors.end(), test);
  });
}

// The name without the prefix, when the files use it as they should.
Result<std::string_view> bare_name(std::string_view name, bool prefixed, const Config& config,
                                   const std::unordered_map<std::string_view, std::size_t>& places) {
  if (!prefixed || name == head_name) return name;
  if (name.starts_with(prefix)) {
    const std::string_view bare = name.substr(prefix.size());
    if (bare == head_name) return unknown_tensor(name, config);  // the head lies outside of "transformer."
    return bare;
  }
  if (!places.contains(name) && !is_mask_buffer(name, config)) return unknown_tensor(name, config);
  return misfit("The tensor " + in_quotes(name) + " lacks the prefix “transformer.” that others of the checkpoint have.");
}

}  // namespace

bool has_head(std::span<const Header> headers) {
  return any_tensor(headers, [](const TensorEntry& entry) { return entry.name == head_name; });
}

Result<std::vector<TensorPlan>> match(std::span<const Header> headers, std::span<const Slot> slots, const Config& config) {
  const bool prefixed = any_tensor(headers, [](const TensorEntry& entry) { return entry.name.starts_with(prefix); });
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < slots.size(); ++i) places.emplace(slots[i].name, i);

  std::vector<TensorPlan> plans;
  std::unordered_map<std::string_view, std::size_t> files;  // by name: the number of the file that holds it
  for (std::size_t file = 0; file < headers.size(); ++file) {
    for (const TensorEntry& entry : headers[file].tensors) {
      const auto [seen, is_new] = files.emplace(entry.name, file);
      if (!is_new) {
        return misfit("The tensor " + in_quotes(entry.name) + " is in two files, number " + std::to_string(seen->second) +
                      " and " + std::to_string(file) + " counted from 0; expected it in one.");
      }
      const Result<std::string_view> name = bare_name(entry.name, prefixed, config, places);
      if (!name) return name.error();
      TensorPlan plan;
      plan.file = file;
      plan.name = entry.name;
      plan.begin = headers[file].data_start + entry.begin;
      plan.end = headers[file].data_start + entry.end;
      plan.skipped = is_mask_buffer(*name, config);
      if (!plan.skipped) {
        const auto place = places.find(*name);
        if (place == places.end()) return unknown_tensor(entry.name, config);
        const Slot& slot = slots[place->second];
        if (const Result<> fits = check_tensor(entry, slot); !fits) return fits.error();
        plan.dtype = entry.dtype;
        plan.slot = place->second;
        plan.part = slot.part;
        plan.layer = slot.layer;
        const bool has_rows = slot.layer < 0 && slot.shape.size() == 2;
        if (has_rows) plan.row_bytes = slot.shape[1] * bytes_of(entry.dtype);
      }
      plans.push_back(std::move(plan));
    }
  }
  for (const Slot& slot : slots) {
    const std::string name = (prefixed && slot.name != head_name ? std::string(prefix) : "") + slot.name;
    if (files.contains(name)) continue;
    return misfit("The tensor " + in_quotes(name) + " is missing; expected it with the shape " + shape_text(slot.shape) + ".");
  }
  return plans;
}

}  // namespace lookback
