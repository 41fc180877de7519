#include "core/checkpoint/loader.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

#include "core/checkpoint/config_json.hpp"
#include "core/checkpoint/wording.hpp"
#include "core/model/trace.hpp"
#include "core/model/transformer.hpp"

namespace lookback {
namespace {

std::uint64_t bytes_kept(std::span<const Slot> slots, Precision precision) {
  std::uint64_t bytes = 0;
  for (const Slot& slot : slots) bytes += slot.bytes_kept(precision);
  return bytes;
}

Error no_memory(std::uint64_t bytes) {
  return fail(ErrorCode::out_of_memory,
              "The weights need " + bytes_text(bytes) + " of memory, more than there is for this program.");
}

// Whether weights and a full window's trace fit.
Result<> check_memory(std::span<const Slot> slots, const Config& config, const LoadOptions& options) {
  const std::uint64_t trace = trace_bytes(config, config.n_positions);
  const auto fits = [&](Precision precision) {
    const std::uint64_t kept = bytes_kept(slots, precision);
    return kept <= options.memory && trace <= options.memory - kept;
  };
  if (fits(options.precision)) return Nothing{};
  std::string sentence = "As " + std::string(name_of(options.precision)) + " this model needs " +
                         bytes_text(bytes_kept(slots, options.precision)) + " for its weights and " + bytes_text(trace) +
                         " for a text that fills its window; this program has " + bytes_text(options.memory) + ".";
  for (const Precision other : {Precision::f16, Precision::int8}) {
    if (other <= options.precision || !fits(other)) continue;
    sentence += " As " + std::string(name_of(other)) + " it fits, with " + bytes_text(bytes_kept(slots, other)) +
                " for its weights.";
    break;
  }
  return fail(ErrorCode::out_of_memory, std::move(sentence));
}

}  // namespace

Result<Loader> Loader::plan(std::span<const Header> headers, const Config& config, const LoadOptions& options) try {
  if (const Result<> sane = check_config(config); !sane) return sane.error();
  Config effective = config;
  if (has_head(headers)) effective.tied_head = false;

  Loader loader;
  loader.head_against_config_ = !effective.tied_head && config.tied_head;
  loader.n_files_ = headers.size();
  loader.precision_ = options.precision;
  loader.weights_ = std::make_unique<Weights>();
  loader.slots_ = list_slots(effective, *loader.weights_);
  Result<std::vector<TensorPlan>> matched = match(headers, loader.slots_, effective);
  if (!matched) return matched.error();
  if (const Result<> fits = check_memory(loader.slots_, effective, options); !fits) return fits.error();
  loader.kept_bytes_ = bytes_kept(loader.slots_, options.precision);
  loader.tensors_ = std::move(*matched);
  loader.targets_.resize(loader.tensors_.size());
  for (const TensorPlan& tensor : loader.tensors_)
    if (!tensor.skipped) loader.missing_[{tensor.layer, tensor.part}] += tensor.size();
  return loader;
} catch (...) {
  return fail(ErrorCode::out_of_memory, "There is not enough memory for the list of the checkpoint's tensors.");
}

std::uint64_t Loader::bytes_to_read() const {
  std::uint64_t bytes = 0;
  for (const TensorPlan& tensor : tensors_) bytes += tensor.skipped ? 0 : tensor.size();
  return bytes;
}

std::uint64_t Loader::peak_bytes() const {
  std::uint64_t most = 0;
  for (const Slot& slot : slots_) most = std::max(most, waiting_bytes(slot, precision_));
  return kept_bytes_ + most;
}

Result<> Loader::allocate() {
  if (!weights_ || allocated_) return fail(ErrorCode::bad_argument, "The loader has its memory already.");
  try {
    for (const Slot& slot : slots_) {
      const auto rows = static_cast<std::size_t>(slot.shape.front()),
                 columns = static_cast<std::size_t>(slot.shape.back());
      switch (slot.layout) {
        case Layout::vector: slot.vector->resize(slot.shape.size() == 1 ? rows : rows * columns); break;
        case Layout::linear: *slot.matrix = PackedMatrix(rows, columns, precision_); break;
        case Layout::table: *slot.matrix = PackedMatrix(columns, rows, precision_); break;
      }
    }
  } catch (...) {  // std::bad_alloc, or std::length_error where a vector could never be that long
    for (const Slot& slot : slots_) {
      if (slot.vector) *slot.vector = std::vector<float>();  // "= {}" would keep the memory
      if (slot.matrix) *slot.matrix = {};
    }
    return no_memory(kept_bytes_);
  }
  allocated_ = true;
  return Nothing{};
}

std::span<TensorPlan> Loader::tensors_of(std::size_t file) {
  const auto begin = std::partition_point(tensors_.begin(), tensors_.end(), [&](const TensorPlan& t) { return t.file < file; });
  const auto end = std::partition_point(begin, tensors_.end(), [&](const TensorPlan& t) { return t.file == file; });
  return {tensors_.data() + (begin - tensors_.begin()), static_cast<std::size_t>(end - begin)};
}

Result<> Loader::write(std::size_t file, std::uint64_t begin, std::span<const std::byte> bytes) try {
  if (!allocated_) return fail(ErrorCode::bad_argument, "The loader has no memory to write to; allocate comes first.");
  if (file >= n_files_) {
    return fail(ErrorCode::bad_argument, "There is no file number " + std::to_string(file) + "; expected one below " +
                                             std::to_string(n_files_) + ".");
  }
  if (bytes.size() > std::numeric_limits<std::uint64_t>::max() - begin) {
    return fail(ErrorCode::bad_argument, "The chunk lies beyond any file.");
  }
  const std::uint64_t end = begin + bytes.size();
  const std::span<TensorPlan> tensors = tensors_of(file);
  auto tensor = std::partition_point(tensors.begin(), tensors.end(), [&](const TensorPlan& t) { return t.end <= begin; });
  for (; tensor != tensors.end() && tensor->begin < end; ++tensor) {
    if (tensor->skipped) continue;
    const std::uint64_t from = std::max(begin, tensor->begin), to = std::min(end, tensor->end);
    take(static_cast<std::size_t>(&*tensor - tensors_.data()), from - tensor->begin,
         bytes.subspan(static_cast<std::size_t>(from - begin), static_cast<std::size_t>(to - from)));
  }
  return Nothing{};
} catch (...) {
  return fail(ErrorCode::out_of_memory, "There is not enough memory to take in the checkpoint.");
}

// Bytes of one tensor, from its byte `offset` on: those that did not come before.
void Loader::take(std::size_t tensor, std::uint64_t offset, std::span<const std::byte> bytes) {
  for (const ByteRange& fresh : targets_[tensor].came.add(offset, offset + bytes.size())) {
    const auto size = static_cast<std::size_t>(fresh.end - fresh.begin);
    take_fresh(tensor, fresh.begin, bytes.subspan(static_cast<std::size_t>(fresh.begin - offset), size));
    missing_.at({tensors_[tensor].layer, tensors_[tensor].part}) -= size;
  }
}

// The rest of an element that began before, whole elements, the start of one that ends later.
void Loader::take_fresh(std::size_t tensor, std::uint64_t offset, std::span<const std::byte> bytes) {
  const std::size_t element_size = bytes_of(tensors_[tensor].dtype);
  const auto into_element = static_cast<std::size_t>(offset % element_size);
  const auto rest = bytes.first(into_element == 0 ? 0 : std::min(element_size - into_element, bytes.size()));
  take_part(tensor, offset, rest);
  bytes = bytes.subspan(rest.size()), offset += rest.size();

  const auto whole = bytes.first(bytes.size() / element_size * element_size);
  take_whole(tensor, offset / element_size, whole);
  take_part(tensor, offset + whole.size(), bytes.subspan(whole.size()));
}

void Loader::take_part(std::size_t tensor, std::uint64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const std::size_t element_size = bytes_of(tensors_[tensor].dtype);
  const std::uint64_t element = offset / element_size;
  const auto found = parts_.try_emplace({tensor, element}).first;
  PartElement& part = found->second;
  std::memcpy(part.bytes.data() + offset % element_size, bytes.data(), bytes.size());
  part.count += bytes.size();
  if (part.count < element_size) return;
  take_whole(tensor, element, std::span(part.bytes).first(element_size));
  parts_.erase(found);
}

void Loader::take_whole(std::size_t tensor, std::uint64_t element, std::span<const std::byte> bytes) {
  const TensorPlan& plan = tensors_[tensor];
  Target& target = targets_[tensor];
  const NotFinite count = pack_elements(slots_[plan.slot], plan.dtype, element, bytes, target.waiting);
  target.not_finite.nans += count.nans;
  target.not_finite.infinities += count.infinities;
  target.not_finite.too_large += count.too_large;
}

bool Loader::part_ready(Part part, int layer) const {
  const auto found = missing_.find({layer, part});
  return allocated_ && (found == missing_.end() || found->second == 0);
}

std::size_t Loader::half_steps_ready() const {
  constexpr Part parts[half_steps_a_layer] = {Part::attention_in, Part::attention_out, Part::mlp};
  const std::size_t in_all = half_steps_a_layer * (weights_ ? weights_->config.n_layers : 0);
  std::size_t ready = 0;
  while (ready < in_all && part_ready(parts[ready % half_steps_a_layer], static_cast<int>(ready / half_steps_a_layer)))
    ++ready;
  return ready;
}

bool Loader::row_ready(Part part, std::uint64_t row) const {
  if (part_ready(part)) return true;
  const auto found = std::find_if(tensors_.begin(), tensors_.end(), [&](const TensorPlan& t) { return !t.skipped && t.part == part; });
  if (!allocated_ || found == tensors_.end()) return false;
  const std::uint64_t begin = row * found->row_bytes, end = begin + found->row_bytes;
  return end > found->size() || targets_[static_cast<std::size_t>(found - tensors_.begin())].came.holds(begin, end);
}

Result<> Loader::rows_ready(std::span<const int> ids) const {
  for (std::size_t position = 0; position < ids.size(); ++position) {
    if (!row_ready(Part::wpe, position))
      return fail(ErrorCode::not_yet, "The row of position " + std::to_string(position) + " has not come yet.");
    if (ids[position] >= 0 && !row_ready(Part::wte, static_cast<std::uint64_t>(ids[position])))
      return fail(ErrorCode::not_yet, "The row of token " + std::to_string(ids[position]) + " has not come yet.");
  }
  return Nothing{};
}

Result<> Loader::check_complete() const {
  if (!allocated_) return fail(ErrorCode::bad_argument, "The loader holds no weights to hand over.");
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const std::uint64_t size = tensors_[i].size(), came = targets_[i].came.count();
    if (tensors_[i].skipped || came == size) continue;
    return fail(ErrorCode::bad_file, "The tensor " + in_quotes(tensors_[i].name) + " is incomplete: " +
                                         std::to_string(came) + " of its " + std::to_string(size) + " bytes came.");
  }
  return Nothing{};
}

Result<std::unique_ptr<Weights>> Loader::finish() {
  const Result<> complete = check_complete();
  if (!complete) return complete.error();
  slots_.clear();
  allocated_ = false;
  return std::move(weights_);
}

std::vector<std::string> Loader::notes() const {
  std::vector<std::string> notes;
  if (head_against_config_) {
    notes.push_back(
        "The file holds “lm_head.weight” although config.json ties the head to the token table; the file's "
        "matrix is used.");
  }
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const NotFinite& count = targets_[i].not_finite;
    if (count.nans > 0 || count.infinities > 0)
      notes.push_back("The tensor " + in_quotes(tensors_[i].name) + " holds " + std::to_string(count.nans) + " NaN and " +
                      std::to_string(count.infinities) + " infinite values.");
    if (count.too_large > 0)
      notes.push_back("The tensor " + in_quotes(tensors_[i].name) + " holds " + std::to_string(count.too_large) +
                      " values of 65,520 or more, too large for f16; they became infinite. As f32 they stay as they are.");
  }
  return notes;
}

Error awaits_half_step(std::size_t half_step) {
  constexpr std::string_view names[half_steps_a_layer] = {"queries, keys and values", "attention's output",
                                                          "feed-forward step"};
  return fail(ErrorCode::not_yet, "The weights of layer " + std::to_string(half_step / half_steps_a_layer) + "'s " +
                                      std::string(names[half_step % half_steps_a_layer]) + " have not come yet.");
}

Result<Weights> load(std::string_view file_bytes, const Config& config, std::vector<std::string>* notes,
                     Precision precision) {
  const auto bytes = std::as_bytes(std::span(file_bytes.data(), file_bytes.size()));
  const Result<std::uint64_t> length = header_length(bytes, bytes.size());
  if (!length) return length.error();
  const Result<Header> header = parse_header(file_bytes.substr(8, static_cast<std::size_t>(*length)), bytes.size());
  if (!header) return header.error();
  Result<Loader> loader = Loader::plan(*header, config, {precision, address_space});
  if (!loader) return loader.error();
  if (const Result<> memory = loader->allocate(); !memory) return memory.error();
  if (const Result<> written = loader->write(0, 0, bytes); !written) return written.error();
  if (notes) {
    for (std::string& note : loader->notes()) notes->push_back(std::move(note));
  }
  Result<std::unique_ptr<Weights>> weights = loader->finish();
  if (!weights) return weights.error();
  return std::move(**weights);
}

}  // namespace lookback
