// Clocks of the kernel. The timed loop reads one twice per operation, so its
// own cost is part of every figure: some 16 ns by the vDSO.
#pragma once

#include <cstdint>

#include "driver/reactor.h"

namespace waltax {

// CLOCK_MONOTONIC in nanoseconds.
int64_t MonotonicNs();
// CPU time of the calling thread, nanoseconds.
int64_t ThreadCpuNs();
// Seconds since the epoch.
double UnixSeconds();

// What the timed loop reads and waits by. Thread-safe.
struct LoopClock {
  [[nodiscard]] int64_t NowNs() const { return MonotonicNs(); }
  // Sleeps for about so long, and never spins. Lets the other requesters of the
  // thread go on.
  void Sleep(int64_t ns) const { SleepFor(ns); }
};

}  // namespace waltax
