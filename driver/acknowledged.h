// The numbers of what a run writes, which are used only once it is
// there, and so are all before them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <queue>
#include <utility>
#include <vector>

namespace waltax {

// Thread-safe.
class AcknowledgedCounter {
 public:
  // The first number to take. REQUIRES: first > 0.
  explicit AcknowledgedCounter(uint64_t first)
      : next_(first), last_(first - 1) {}

  // The first of `count` numbers.
  uint64_t Take(uint64_t count = 1) {
    return next_.fetch_add(count, std::memory_order_relaxed);
  }

  // REQUIRES: `number` and those behind it were taken at once, and are
  // acknowledged once.
  void Acknowledge(uint64_t number, uint64_t count = 1) {
    const std::scoped_lock lock(mutex_);
    early_.emplace(number, count);
    uint64_t last = last_.load(std::memory_order_relaxed);
    while (!early_.empty() && early_.top().first == last + 1) {
      last += early_.top().second;
      early_.pop();
    }
    last_.store(last, std::memory_order_release);
  }

  // The numbers that were taken and are not acknowledged: nobody knows whether
  // their records are there. REQUIRES: nothing is under way.
  [[nodiscard]] std::vector<uint64_t> Doubtful() const {
    const std::scoped_lock lock(mutex_);
    std::priority_queue early = early_;
    std::vector<uint64_t> doubtful;
    for (uint64_t number = last() + 1; number < next();) {
      if (!early.empty() && early.top().first == number) {
        number += early.top().second;
        early.pop();
      } else {
        doubtful.push_back(number++);
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
  // Acknowledged behind one that is not: the first, and how many.
  using Numbers = std::pair<uint64_t, uint64_t>;
  std::priority_queue<Numbers, std::vector<Numbers>, std::greater<>> early_;
};

}  // namespace waltax
