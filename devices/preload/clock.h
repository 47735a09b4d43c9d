// Waits by CLOCK_MONOTONIC, by which the kernel sleeps. All times are
// nanoseconds.
#ifndef WALTAX_DEVICES_PRELOAD_CLOCK_H_
#define WALTAX_DEVICES_PRELOAD_CLOCK_H_

#include <stdint.h>
#include <time.h>

static inline uint64_t tap_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// CPU time of the calling thread.
uint64_t tap_clock_cpu(void);

// What short sleeps are like on this machine.
struct tap_wake {
  uint64_t typical;  // how late they wake the caller: the median, and
  uint64_t margin;   // what hardly any exceeds
  uint64_t cpu;      // CPU time that one takes
};

// Measures it: takes 100 ms at most.
struct tap_wake tap_clock_wake(void);

// Sleeps until `deadline` (tap_now's clock), or a signal.
void tap_clock_sleep(uint64_t deadline);

// Uses `ns` of CPU time, not counting time in which the thread did not run,
// but stops at `deadline`. Returns what was used.
uint64_t tap_clock_burn(uint64_t ns, uint64_t deadline);

#endif  // WALTAX_DEVICES_PRELOAD_CLOCK_H_
