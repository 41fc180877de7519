#include <filesystem>
#include <fstream>

#include "core/cli/trace_file.hpp"
#include "core/lens/saved_trace.hpp"

namespace lookback {

Result<std::uint64_t> write_trace(const std::string& path, const Weights& weights, const Trace& trace, std::string_view text,
                                  bool grids, Pool& pool) {
  const SavedTrace plan = plan_saved_trace(trace, text, grids);
  const std::string beside = path + ".new";
  const auto unwritten = [&] {
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
    return fail(ErrorCode::bad_argument, path + " could not be written.");
  };
  {
    std::ofstream out(beside, std::ios::binary);
    const auto write = [&](std::string_view bytes) -> bool {
      out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      return out.good();
    };
    if (const Result<> saved = save_trace(weights, trace, plan, pool, write); !saved) return saved.error();
    out.flush();
    if (!out) return unwritten();
  }
  std::error_code problem;
  std::filesystem::rename(beside, path, problem);
  if (problem) return unwritten();
  return plan.bytes;
}

}  // namespace lookback
