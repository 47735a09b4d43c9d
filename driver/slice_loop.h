// The loop that every figure comes from.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <optional>

#include "driver/random.h"
#include "driver/recorder.h"
#include "driver/workload.h"

namespace waltax {

// Requests of an open loop that were due and had not begun when the slice
// ended.
struct Unserved {
  uint64_t requests = 0;
  double oldest_s = 0;
};

// When one thread's requests of an open loop are due: by a Poisson process, so
// that those of all threads add up to one of the whole rate, or at even
// distances. Latency counts from here, not from when a thread that fell behind
// got to it: otherwise a stall of the engine would be counted once instead of
// for every request it delayed.
class Arrivals {
 public:
  // `rate` is this thread's, requests per second; at even distances, the first
  // one is due after `phase` of such a distance. REQUIRES: rate > 0.
  Arrivals(double rate, const Random& random,
           std::optional<double> phase = std::nullopt)
      : mean_gap_ns_(1e9 / rate), phase_(phase), random_(random) {}

  // Starts the schedule anew.
  void Restart(int64_t now_ns) {
    due_ns_ = static_cast<double>(now_ns);
    if (phase_) due_ns_ -= (1 - *phase_) * mean_gap_ns_;
    unserved_ = {};
  }

  // When the next request is due. Gaps of a Poisson process are exponential, by
  // inversion.
  int64_t NextNs() {
    const double gaps = phase_ ? 1 : -std::log1p(-random_.NextDouble());
    due_ns_ += gaps * mean_gap_ns_;
    return static_cast<int64_t>(due_ns_);
  }

  // The last that NextNs() said, and what is due after it, is not served before
  // `end_ns`; there may be billions, so that the rate says how many.
  void LeaveUntil(int64_t end_ns) {
    const double age_ns = static_cast<double>(end_ns) - due_ns_;
    if (age_ns <= 0) return;
    unserved_ = {1 + static_cast<uint64_t>(age_ns / mean_gap_ns_),
                 age_ns * 1e-9};
  }
  [[nodiscard]] const Unserved& unserved() const { return unserved_; }

 private:
  double mean_gap_ns_;
  std::optional<double> phase_;
  double due_ns_ = 0;
  Unserved unserved_;
  Random random_;
};

// Whether a request of any thread of a run failed, so that all stop.
class Failure {
 public:
  void Happen() { happened_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool Happened() const {
    return happened_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> happened_ = false;
};

struct LoopLimits {
  int64_t end_ns = 0;
  uint64_t requests = 0;  // measured attempts; 0: no limit
};

// Waits in stretches, so that a failure elsewhere is noticed, and never spins:
// that would be booked as the engine's time, and take the cores from those that
// work. A thread wakes up some microseconds late, which counts in the latency
// of what was due.
template <typename Clock>
void WaitUntil(const Clock& clock, int64_t due_ns, const Failure& failure) {
  constexpr int64_t kStretchNs = 50'000'000;
  while (!failure.Happened()) {
    const int64_t left_ns = due_ns - clock.NowNs();
    if (left_ns <= 0) return;
    clock.Sleep(std::min(left_ns, kStretchNs));
  }
}

// Waits for what is due at `due_ns`, which comes to nothing when the slice ends
// or fails before; returns whether it is to be done.
template <typename Clock>
bool WaitWithin(const Clock& clock, int64_t due_ns, int64_t end_ns,
                const Failure& failure) {
  WaitUntil(clock, std::min(due_ns, end_ns), failure);
  return due_ns < end_ns && !failure.Happened();
}

// Executes requests until a limit is reached. `arrivals` is null for a closed
// loop. The clock is read twice per request, and drawing is never timed.
// `Clock` has NowNs() and Sleep(ns), as LoopClock.
template <typename Clock>
void RunLoop(const Clock& clock, const LoopLimits& limits, Worker& worker,
             Arrivals* arrivals, Failure& failure, Recorder& recorder) {
  int64_t end_ns = clock.NowNs();
  while (!failure.Happened()) {
    int64_t due_ns = 0;
    if (arrivals != nullptr) {
      due_ns = arrivals->NextNs();
      if (std::max(due_ns, end_ns) >= limits.end_ns) {
        arrivals->LeaveUntil(limits.end_ns);
        WaitUntil(clock, limits.end_ns, failure);
        return;
      }
    }
    worker.Draw();
    if (arrivals != nullptr) {
      WaitUntil(clock, due_ns, failure);
      if (failure.Happened()) return;
    } else {
      const int64_t pause_ns = worker.PauseNs();
      if (pause_ns > 0) {
        recorder.SetPaced();
        if (!WaitWithin(clock, end_ns + pause_ns, limits.end_ns, failure)) {
          return;
        }
      }
      due_ns = clock.NowNs();
    }
    const int64_t begin_ns = std::max(due_ns, end_ns);
    const Outcome outcome = worker.Execute();
    end_ns = clock.NowNs();
    recorder.Add(outcome, due_ns, begin_ns, end_ns);
    if (outcome.error != nullptr) [[unlikely]]
      failure.Happen();
    if (arrivals == nullptr && end_ns >= limits.end_ns) return;
    if (limits.requests != 0 && recorder.Attempts() >= limits.requests) return;
  }
}

}  // namespace waltax
