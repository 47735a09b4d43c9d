// The clock of the timed loop. It is read twice per operation, so its own cost
// is part of every figure: a vDSO clock_gettime takes about 16 ns, the time
// stamp counter half of that (see `make bench`).
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace waltax {

// CLOCK_MONOTONIC in nanoseconds, from the kernel.
int64_t MonotonicNs();
// CPU time of the calling thread, nanoseconds.
int64_t ThreadCpuNs();
// Seconds since the epoch.
double UnixSeconds();

// CLOCK_MONOTONIC in nanoseconds, interpolated from the time stamp counter
// where the CPU guarantees a constant rate (else it asks the kernel). Its rate
// is measured against the kernel's clock over the time since construction.
// Thread-safe, except Resync(), which wants no concurrent reader.
class TickClock {
 public:
  // Takes some 5 ms, to measure the counter's rate.
  TickClock();

  // Aligns with the kernel's clock; call it before each slice, so that an
  // error in the rate cannot grow over hours.
  void Resync();

  [[nodiscard]] int64_t NowNs() const {
#if defined(__x86_64__)
    if (constant_rate_) {
      const uint64_t ticks = __rdtsc() - anchor_.ticks;
      return anchor_.ns +
             static_cast<int64_t>(
                 (static_cast<unsigned __int128>(ticks) * ns_per_tick_) >>
                 kFractionBits);
    }
#endif
    return MonotonicNs();
  }

  // Sleeps for about so long, and never spins. Lets the other requesters of the
  // thread go on (driver/reactor.h).
  void Sleep(int64_t ns) const;

 private:
  // The same moment on both clocks.
  struct Anchor {
    uint64_t ticks = 0;
    int64_t ns = 0;
  };
  static Anchor TakeAnchor();

  static constexpr int kFractionBits = 32;

  bool constant_rate_ = false;
  uint64_t ns_per_tick_ = 0;  // fixed point, kFractionBits after the point
  Anchor first_;
  Anchor anchor_;
};

}  // namespace waltax
