#include "mariadb/parallel_load.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace waltax::mariadb {
namespace {

// What the threads of a load share.
class Workers {
 public:
  explicit Workers(const ParallelLoad& load)
      : load_(load), running_(load.threads) {}

  Status Run() {
    std::vector<std::thread> threads;
    for (int i = 0; i < load_.threads; ++i) {
      threads.emplace_back(&Workers::Work, this);
    }
    Await();
    for (std::thread& thread : threads) thread.join();
    return status_;
  }

 private:
  Status DoSteps() {
    std::unique_ptr<Connection> connection;
    Status status = Connection::Open(load_.server, &connection);
    for (uint64_t i = next_++; status.ok() && i < load_.steps && !failed_;
         i = next_++) {
      status = load_.load(i, *connection);
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
      load_.report();
      lock.lock();
    }
  }

  const ParallelLoad& load_;
  std::atomic<uint64_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  // guards the rest
  std::condition_variable ended_;
  int running_;
  Status status_;
};

}  // namespace

Status RunParallelLoad(const ParallelLoad& load) { return Workers(load).Run(); }

}  // namespace waltax::mariadb
