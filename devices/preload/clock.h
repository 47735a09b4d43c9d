// Clocks and waits. Durations that are only recorded come from the CPU's tick
// counter, which costs half of clock_gettime; deadlines from CLOCK_MONOTONIC,
// because the kernel sleeps by it.
#ifndef WALTAX_DEVICES_PRELOAD_CLOCK_H_
#define WALTAX_DEVICES_PRELOAD_CLOCK_H_

#include <stdint.h>
#include <time.h>

#ifdef __x86_64__
#include <x86intrin.h>
#endif

extern double tap_ns_per_tick;

static inline uint64_t tap_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t tap_ticks(void) {
#ifdef __x86_64__
  return __rdtsc();
#else
  return tap_now();
#endif
}

static inline uint64_t tap_ns_between(uint64_t begin, uint64_t end) {
  return (uint64_t)((double)(end - begin) * tap_ns_per_tick);
}

static inline uint64_t tap_ns_since(uint64_t ticks) {
  return tap_ns_between(ticks, tap_ticks());
}

// Measures tap_ns_per_tick (takes 5 ms).
void tap_clock_calibrate(void);

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
