#include "driver/steps.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace waltax {

Status RunSteps(const Steps& steps) {
  std::atomic<uint64_t> next = 0;
  std::atomic<bool> failed = false;
  std::mutex mutex;  // guards the rest
  std::condition_variable ended;
  int running = steps.threads;
  Status first;
  const auto work = [&] {
    Step step;
    Status status = steps.begin(&step);
    for (uint64_t i = next++; status.ok() && i < steps.count && !failed;
         i = next++) {
      status = step(i);
    }
    const std::scoped_lock lock(mutex);
    if (!status.ok() && !failed.exchange(true)) first = std::move(status);
    --running;
    ended.notify_all();
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < steps.threads; ++i) threads.emplace_back(work);
  std::unique_lock lock(mutex);
  while (!ended.wait_for(lock, std::chrono::seconds(1),
                         [&running] { return running == 0; })) {
    // Reporting writes to a pipe, which nobody may hurry to read.
    lock.unlock();
    steps.report();
    lock.lock();
  }
  return first;
}

}  // namespace waltax
