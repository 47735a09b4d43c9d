#include "driver/steps.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace waltax {
namespace {

// What the threads share.
class StepRunner {
 public:
  explicit StepRunner(const Steps& steps)
      : steps_(steps), running_(steps.threads) {}

  Status Run() {
    std::vector<std::thread> threads;
    for (int i = 0; i < steps_.threads; ++i) {
      threads.emplace_back(&StepRunner::Work, this);
    }
    Await();
    for (std::thread& thread : threads) thread.join();
    return status_;
  }

 private:
  Status DoSteps() {
    Step step;
    Status status = steps_.begin(&step);
    for (uint64_t i = next_++; status.ok() && i < steps_.count && !failed_;
         i = next_++) {
      status = step(i);
    }
    return status;
  }

  void Work() {
    const Status status = DoSteps();
    const std::scoped_lock lock(mutex_);
    if (!status.ok() && !failed_.exchange(true)) status_ = status;
    --running_;
    ended_.notify_all();
  }

  void Await() {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, std::chrono::seconds(1),
                            [this] { return running_ == 0; })) {
      // Reporting writes to a pipe, which nobody may hurry to read.
      lock.unlock();
      steps_.report();
      lock.lock();
    }
  }

  const Steps& steps_;
  std::atomic<uint64_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  // guards the rest
  std::condition_variable ended_;
  int running_;
  Status status_;
};

}  // namespace

Status RunSteps(const Steps& steps) { return StepRunner(steps).Run(); }

}  // namespace waltax
