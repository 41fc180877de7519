#include "core/numerics/pool.hpp"

#ifdef LOOKBACK_THREADS
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>
#endif

namespace lookback {

#ifdef LOOKBACK_THREADS

namespace {

// Splits of a pass follow each other within microseconds, and waking a sleeper takes tens of them: whoever waits looks
// this often before it sleeps.
constexpr int looks = 20'000;

template <class Condition>
bool seen_soon(Condition condition) {
  for (int i = 0; i < looks; ++i)
    if (condition()) return true;
  return false;
}

}  // namespace

struct Pool::Crew {
  std::mutex mutex;
  std::condition_variable started, finished;
  const std::function<void(std::size_t, std::size_t)>* work = nullptr;
  std::size_t count = 0;
  std::atomic<std::size_t> round = 0;    // grows with every split, written under the mutex; a helper works once a round
  std::atomic<std::size_t> pending = 0;  // helpers still at work in this round
  std::atomic<bool> closing = false;
  std::vector<std::thread> helpers;

  std::size_t n_threads() const { return helpers.size() + 1; }

  void run_share(std::size_t index) const {
    const std::size_t begin = count * index / n_threads(), end = count * (index + 1) / n_threads();
    if (begin < end) (*work)(begin, end);
  }

  void help(std::size_t index) {
    { const std::lock_guard complete(mutex); }
    for (std::size_t seen = 0;;) {
      const auto called = [&] { return closing || round != seen; };
      if (!seen_soon(called)) {
        std::unique_lock lock(mutex);
        started.wait(lock, called);
      }
      if (closing) return;
      seen = round;
      run_share(index);
      if (--pending > 0) continue;
      const std::lock_guard lock(mutex);  // the caller is either before its last look or asleep
      finished.notify_one();
    }
  }
};

Pool::Pool(std::size_t n_threads) {
  if (n_threads <= 1) return;
  crew_ = std::make_unique<Crew>();
  crew_->helpers.reserve(n_threads - 1);
  const std::lock_guard lock(crew_->mutex);  // helpers wait until the list of them is complete
  try {
    for (std::size_t i = 1; i < n_threads; ++i) crew_->helpers.emplace_back([crew = crew_.get(), i] { crew->help(i); });
  } catch (...) {
    // The system has no more threads: go on with those there are. The bits are the same.
  }
}

Pool::~Pool() {
  if (!crew_) return;
  {
    const std::lock_guard lock(crew_->mutex);
    crew_->closing = true;
  }
  crew_->started.notify_all();
  for (std::thread& helper : crew_->helpers) helper.join();
}

std::size_t Pool::n_threads() const { return crew_ ? crew_->n_threads() : 1; }

void Pool::split(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  if (!crew_ || count < 2) {
    if (count > 0) work(0, count);
    return;
  }
  {
    const std::lock_guard lock(crew_->mutex);
    crew_->work = &work;
    crew_->count = count;
    crew_->pending = crew_->helpers.size();
    ++crew_->round;
  }
  crew_->started.notify_all();
  crew_->run_share(0);
  const auto done = [&] { return crew_->pending == 0; };
  if (seen_soon(done)) return;
  std::unique_lock lock(crew_->mutex);
  crew_->finished.wait(lock, done);
}

#else

struct Pool::Crew {};
Pool::Pool(std::size_t) {}
Pool::~Pool() = default;
std::size_t Pool::n_threads() const { return 1; }
void Pool::split(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  if (count > 0) work(0, count);
}

#endif

}  // namespace lookback
