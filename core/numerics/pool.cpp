#include "core/numerics/pool.hpp"

#ifdef LOOKBACK_THREADS
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>
#endif

namespace lookback {

#ifdef LOOKBACK_THREADS

struct Pool::Crew {
  std::mutex mutex;
  std::condition_variable started, finished;
  const std::function<void(std::size_t, std::size_t)>* work = nullptr;
  std::size_t count = 0;
  std::size_t round = 0;    // grows with every split; a helper works once a round
  std::size_t pending = 0;  // helpers still at work in this round
  bool closing = false;
  std::vector<std::thread> helpers;

  std::size_t n_threads() const { return helpers.size() + 1; }

  void run_share(std::size_t index) const {
    const std::size_t begin = count * index / n_threads(), end = count * (index + 1) / n_threads();
    if (begin < end) (*work)(begin, end);
  }

  void help(std::size_t index) {
    for (std::size_t seen = 0;;) {
      {
        std::unique_lock lock(mutex);
        started.wait(lock, [&] { return closing || round != seen; });
        if (closing) return;
        seen = round;
      }
      run_share(index);
      const std::lock_guard lock(mutex);
      if (--pending == 0) finished.notify_one();
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
  std::unique_lock lock(crew_->mutex);
  crew_->finished.wait(lock, [&] { return crew_->pending == 0; });
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
