// A trace as a safetensors file, for other programs: every intermediate of the pass under the field's names
// (activations.hpp), all F32. The file is planned first, so that its size is known; then its pieces follow one by one, each
// worked out when it is written, so that no more than one of them is in memory beside the trace.
//
// __metadata__ holds "text", "token_ids" (a JSON list) and "normalized": what is said there of the normalised rows.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lens/activations.hpp"

namespace lookback {

struct SavedTrace {
  std::string header;               // the file's beginning: 8 bytes of length and the JSON
  std::vector<std::string> pieces;  // names for activation(), whose data follow in this order
  std::uint64_t bytes = 0;          // of the whole file
};

// Every intermediate but the heads' grids, which grow with n²: attn.hook_attn_scores and attn.hook_pattern come with
// `grids`. "logits" is [n, d_vocab]. `text` may hold any bytes; what is no UTF-8 is replaced.
SavedTrace plan_saved_trace(const Trace& trace, std::string_view text, bool grids);

// Hands the file's bytes to `write` in order, until that says false. Error out_of_memory.
Result<> save_trace(const Weights& weights, const Trace& trace, const SavedTrace& plan, Pool& pool,
                    const std::function<bool(std::string_view)>& write);

}  // namespace lookback
