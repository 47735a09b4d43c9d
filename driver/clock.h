// Clocks of the kernel. The timed loop reads one twice per operation, so its
// own cost is part of every figure: some 16 ns by the vDSO.
#pragma once

#include <cstdint>
#include <ctime>

#include "driver/reactor.h"

namespace waltax {

inline int64_t ReadClock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}
// CLOCK_MONOTONIC in nanoseconds.
inline int64_t MonotonicNs() { return ReadClock(CLOCK_MONOTONIC); }
// CPU time of the calling thread, nanoseconds.
inline int64_t ThreadCpuNs() { return ReadClock(CLOCK_THREAD_CPUTIME_ID); }
// Seconds since the epoch.
inline double UnixSeconds() {
  return 1e-9 * static_cast<double>(ReadClock(CLOCK_REALTIME));
}

// What the timed loop reads and waits by. Thread-safe.
struct LoopClock {
  [[nodiscard]] int64_t NowNs() const { return MonotonicNs(); }
  // Sleeps for about so long, and never spins. Lets the other requesters of the
  // thread go on.
  void Sleep(int64_t ns) const { SleepFor(ns); }
};

}  // namespace waltax
