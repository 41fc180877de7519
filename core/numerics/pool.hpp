// Threads made once and used for every pass. Without LOOKBACK_THREADS (the one-thread wasm build) everything runs on the
// caller.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace lookback {

class Pool {
 public:
  // n_threads counts the caller; 0 and 1 both mean the caller alone.
  explicit Pool(std::size_t n_threads = 1);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::size_t n_threads() const;

  // Splits [0, count) into one contiguous range a thread and calls work(begin, end) on each; returns when all are done.
  // work must not throw.
  void split(std::size_t count, const std::function<void(std::size_t begin, std::size_t end)>& work);

 private:
  struct Crew;
  std::unique_ptr<Crew> crew_;
};

}  // namespace lookback
