// The numbers of what a run writes, which are used only once it is
// there, and so are all before them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <queue>
#include <vector>

namespace waltax {

// Thread-safe.
class AcknowledgedCounter {
 public:
  // The first number to take. REQUIRES: first > 0.
  explicit AcknowledgedCounter(uint64_t first)
      : next_(first), last_(first - 1) {}

  uint64_t Take() { return next_.fetch_add(1, std::memory_order_relaxed); }

  // REQUIRES: `number` was taken, and is acknowledged once.
  void Acknowledge(uint64_t number) {
    const std::scoped_lock lock(mutex_);
    early_.push(number);
    uint64_t last = last_.load(std::memory_order_relaxed);
    while (!early_.empty() && early_.top() == last + 1) {
      early_.pop();
      ++last;
    }
    last_.store(last, std::memory_order_release);
  }

  // The numbers that were taken and are not acknowledged: nobody knows whether
  // their records are there. REQUIRES: nothing is under way.
  [[nodiscard]] std::vector<uint64_t> Doubtful() const {
    const std::scoped_lock lock(mutex_);
    std::priority_queue early = early_;
    std::vector<uint64_t> doubtful;
    for (uint64_t number = last() + 1; number < next(); ++number) {
      if (!early.empty() && early.top() == number) {
        early.pop();
      } else {
        doubtful.push_back(number);
      }
    }
    return doubtful;
  }

  // The number that is taken next.
  [[nodiscard]] uint64_t next() const {
    return next_.load(std::memory_order_relaxed);
  }

  // The highest number below which all were acknowledged, itself included.
  [[nodiscard]] uint64_t last() const {
    return last_.load(std::memory_order_acquire);
  }

 private:
  std::atomic<uint64_t> next_;
  std::atomic<uint64_t> last_;
  mutable std::mutex mutex_;
  std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> early_;
};

}  // namespace waltax
