// Takes a checkpoint's bytes, in any chunks and any order, straight to their packed place in memory.
//
// plan() checks the headers of its files against the config and lists what to fetch; allocate() takes all memory at
// once; write() takes the bytes as they come; finish() gives the weights. Beyond the weights themselves a loader needs
// memory for the list of tensors, and under int8 for the matrix that is arriving, so the peak is the weights plus the
// chunk at hand. What has come can be computed with before the rest is there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/checkpoint/byte_ranges.hpp"
#include "core/checkpoint/matching.hpp"
#include "core/checkpoint/pack.hpp"
#include "core/checkpoint/safetensors.hpp"
#include "core/checkpoint/tensor_table.hpp"
#include "core/model/weights.hpp"
#include "core/result.hpp"

namespace lookback {

struct LoadOptions {
  Precision precision = Precision::f32;  // of the matrices; biases, norms and the position table stay f32
  std::uint64_t memory = address_space;  // bytes that the weights and the trace of a full window may take together
};

class Loader {
 public:
  // `headers`: one for each file. lm_head.weight, when a file holds it, is the read-out, even where config.tied_head
  // says that the token table is; when none does, config must be tied. Errors: those of match(); bad_argument for a
  // config out of range; out_of_memory for what would not fit, which names a precision that would, if there is one.
  static Result<Loader> plan(std::span<const Header> headers, const Config& config, const LoadOptions& options = {});
  static Result<Loader> plan(const Header& header, const Config& config, const LoadOptions& options = {}) {
    return plan(std::span(&header, 1), config, options);
  }

  const std::vector<TensorPlan>& tensors() const { return tensors_; }  // file by file, in file order
  std::uint64_t bytes_to_read() const;                      // of the files, without skipped tensors and headers
  std::uint64_t kept_bytes() const { return kept_bytes_; }  // memory of the packed weights
  std::uint64_t peak_bytes() const;                         // the same and what waits to be packed

  // Takes all memory, zeros. Error out_of_memory; nothing is kept then, and it may be tried again.
  Result<> allocate();
  bool allocated() const { return allocated_; }

  // `bytes` stand in file number `file` from byte `begin` on; each part goes to its tensor, all other bytes are dropped,
  // and so are those that came before. A chunk may begin and end within an element. Error bad_argument for a file that
  // is not there, and nothing changes; out_of_memory, after which the loader is of no use.
  Result<> write(std::size_t file, std::uint64_t begin, std::span<const std::byte> bytes);

  // What has come. weights() stays at its address, also through finish(); only what is there may be read from it.
  const Weights& weights() const { return *weights_; }
  std::size_t half_steps_ready() const;  // of a pass, from the first layer on (core/model/transformer.hpp)
  bool part_ready(Part part, int layer = -1) const;
  // Whether the rows of wte of all these ids, and of wpe for their positions, are there. Error not_yet names one that is
  // not. Ids and positions that do not exist are passed over.
  Result<> rows_ready(std::span<const int> ids) const;

  // Hands the weights over; the loader is of no use then. Error bad_file, and the loader can go on, when bytes are
  // missing: the sentence names the first incomplete tensor.
  Result<std::unique_ptr<Weights>> finish();

  // What a reader should know, one sentence each: tensors with NaN or infinite values among the bytes that came, a head
  // other than the config says.
  std::vector<std::string> notes() const;

 private:
  struct Target {
    ByteRanges came;
    NotFinite not_finite;
    Waiting waiting;
  };
  struct PartElement {
    std::array<std::byte, 4> bytes;
    std::size_t count = 0;  // bytes that are there
  };

  Loader() = default;
  Result<> check_complete() const;
  bool row_ready(Part part, std::uint64_t row) const;
  std::span<TensorPlan> tensors_of(std::size_t file);
  void take(std::size_t tensor, std::uint64_t offset, std::span<const std::byte> bytes);
  void take_fresh(std::size_t tensor, std::uint64_t offset, std::span<const std::byte> bytes);
  void take_part(std::size_t tensor, std::uint64_t offset, std::span<const std::byte> bytes);
  void take_whole(std::size_t tensor, std::uint64_t element, std::span<const std::byte> bytes);

  std::vector<TensorPlan> tensors_;
  std::vector<Target> targets_;  // one for each of tensors_
  std::size_t n_files_ = 0;
  Precision precision_ = Precision::f32;
  std::unique_ptr<Weights> weights_;
  std::vector<Slot> slots_;  // point into *weights_
  // Elements of which some bytes have not come yet, by tensor and element: at most two a chunk.
  std::map<std::pair<std::size_t, std::uint64_t>, PartElement> parts_;
  std::map<std::pair<int, Part>, std::uint64_t> missing_;  // bytes, by layer and part
  std::uint64_t kept_bytes_ = 0;
  bool allocated_ = false;
  bool head_against_config_ = false;
};

// The sentence for a pass that waits for the weights of this half step. Code not_yet.
Error awaits_half_step(std::size_t half_step);

// A whole file at once: the first 8 bytes, the header, the data. Errors as above. Adds the loader's notes to *notes.
Result<Weights> load(std::string_view file_bytes, const Config& config, std::vector<std::string>* notes = nullptr,
                     Precision precision = Precision::f32);

}  // namespace lookback
