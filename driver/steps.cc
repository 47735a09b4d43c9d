#include "driver/steps.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace waltax {

Status RunSteps(int threads, uint64_t count,
                const std::function<Status(uint64_t number, int thread)>& step,
                const std::function<void()>& report) {
  std::atomic<uint64_t> next = 0;
  std::atomic<bool> failed = false;
  std::mutex mutex;  // guards the rest
  std::condition_variable ended;
  int running = threads;
  Status first;
  const auto work = [&](int thread) {
    Status status;
    for (uint64_t i = next++; status.ok() && i < count && !failed; i = next++) {
      status = step(i, thread);
    }
    const std::scoped_lock lock(mutex);
    if (!status.ok() && !failed.exchange(true)) first = std::move(status);
    --running;
    ended.notify_all();
  };
  std::vector<std::jthread> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back(work, i);
  std::unique_lock lock(mutex);
  while (!ended.wait_for(lock, std::chrono::seconds(1),
                         [&running] { return running == 0; })) {
    // Reporting writes to a pipe, which nobody may hurry to read.
    lock.unlock();
    report();
    lock.lock();
  }
  return first;
}

}  // namespace waltax
