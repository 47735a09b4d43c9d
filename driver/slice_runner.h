// Worker threads that run slices on command and sleep between them.
//
// Each requester (--threads) is a closed loop, or an open one, of its own: it
// sends a request, waits for its answer and takes the time. In an engine each
// has a thread. Where requests wait for sockets there are at most half as many
// threads as CPUs, and each carries its share of the requesters
// (driver/reactor.h).
#pragma once

#include <barrier>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <vector>

#include "driver/clock.h"
#include "driver/engine.h"
#include "driver/flags.h"
#include "driver/recorder.h"
#include "driver/slice_loop.h"
#include "driver/workload.h"

namespace waltax {

struct SliceRequest {
  double warmup_s = 0;
  // 0 with `requests` > 0: no limit in time.
  double measure_s = 0;
  // Each thread stops after this many measured requests, failed ones included;
  // 0: no limit.
  uint64_t requests = 0;
};

// Not thread-safe: one thread constructs, runs and destroys it.
class SliceRunner {
 public:
  // Starts the threads, which create flags.threads workers and park. The
  // workload and the engines must outlive the runner.
  SliceRunner(Workload& workload, Engines engines, const RunFlags& flags);
  // Ends the threads.
  ~SliceRunner();
  SliceRunner(const SliceRunner&) = delete;
  SliceRunner& operator=(const SliceRunner&) = delete;

  // Wakes all threads, lets them start together, and returns when all are
  // parked again: what they did, as the `slice` event. Operations that did not
  // occur are left out of its "operations". Requests, throughput, operations
  // and measure_s are of the measured interval; all else is of the whole slice
  // with its warm-up: workers are parked at both of its ends, so that these
  // compare exactly.
  nlohmann::json Run(const SliceRequest& request);
  // Whether a failed request stopped the threads.
  [[nodiscard]] bool failed() const { return failure_.Happened(); }

 private:
  // A requester. Touched by its thread during a slice, by Run() outside; so are
  // the threads.
  struct Seat {
    explicit Seat(size_t operations) : recorder(operations) {}
    Recorder recorder;
    std::unique_ptr<Worker> worker;
    std::optional<Arrivals> arrivals;  // empty: closed loop
    int64_t end_ns = 0;                // of the last slice
  };
  struct Carrier {
    std::vector<int> seats;  // by their numbers
    std::thread thread;
  };
  // Reads the clock once for all threads, when the last of them is ready.
  struct Begin {
    SliceRunner* runner;
    void operator()() noexcept;
  };

  void AddSeats();
  void ThreadMain(Carrier* carrier);
  // Blocks; false when the thread must end.
  bool AwaitSlice(uint64_t* slice);
  void RunSeats(Carrier* carrier);
  void RunSeat(Seat* seat);
  void Park();
  // Wakes the threads, and waits until all are parked again.
  void RunThreads();
  // Each adds to the event of a slice.
  void AddTimes(nlohmann::json* event) const;
  void AddWork(nlohmann::json* event) const;
  void AddUnserved(nlohmann::json* event) const;
  // How long a thread took for its measured requests. In a closed loop it
  // begins and ends with a request, whatever that waits for: a wait weighs the
  // same wherever the window's ends lie in it. Of an open loop, and of clients
  // that pause, as many begin in any window as are due.
  [[nodiscard]] int64_t MeasuredNs(const Seat& seat) const;

  Workload& workload_;
  const Engines engines_;
  const RunFlags flags_;
  LoopClock clock_;
  Failure failure_;
  std::vector<std::unique_ptr<Seat>> seats_;
  std::vector<Carrier> carriers_;
  std::barrier<Begin> begin_;

  // Written while all workers are parked, or by the last one to arrive.
  SliceRequest request_;
  Window window_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable parked_changed_;
  uint64_t slice_ = 0;  // guarded by mutex_, as are the next two
  size_t parked_ = 0;
  bool quit_ = false;
};

}  // namespace waltax
