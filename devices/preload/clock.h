// The clock by which the kernel sleeps. All times are nanoseconds.
#ifndef WALTAX_DEVICES_PRELOAD_CLOCK_H_
#define WALTAX_DEVICES_PRELOAD_CLOCK_H_

#include <stdint.h>
#include <time.h>

static inline uint64_t tap_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif  // WALTAX_DEVICES_PRELOAD_CLOCK_H_
