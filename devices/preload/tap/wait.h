// How the callers of emulated devices wait: sleeps that aim at a deadline, and
// spins up to it.
#ifndef WALTAX_DEVICES_PRELOAD_TAP_WAIT_H_
#define WALTAX_DEVICES_PRELOAD_TAP_WAIT_H_

#include <stdint.h>

#include "devices/preload/process.h"
#include "page.h"

// What short sleeps are like on this machine, once `tap_wait_start` asked.
extern struct tap_wake tap_wait_wake;

// Calibrates, in 100 ms at most, unless `known` is what another process
// measured; sets it.
void tap_wait_start(struct tap_wake* known);

// CPU time of the calling thread.
uint64_t tap_wait_cpu(void);

// Uses `ns` of CPU time, not counting time in which the thread did not run,
// but stops at `deadline`. Returns what was used.
uint64_t tap_wait_burn(uint64_t ns, uint64_t deadline);

// How early sleeps aim, and what a late and an early wake-up change in that.
struct tap_aim {
  uint64_t ahead;
  uint64_t later;
  uint64_t earlier;
} __attribute__((aligned(64)));

// CPU time that a sleep took of late.
uint64_t tap_wait_sleep_cpu(void);

// Sleeps until about `deadline`, if a sleep fits: it aims as much ahead as most
// of the last sleeps were late by. That is a wake-up of the CPU where CPUs
// idle, and nearly nothing where they are awake. Threads that waited for a busy
// CPU were later, which is not made up for. Returns the CPU time of that sleep.
uint64_t tap_wait_about(uint64_t deadline, struct tap_aim* aim);

// Sleeps until about `deadline`, which the kernel misses by `ahead`. Returns
// when it woke.
uint64_t tap_wait_sleep(uint64_t deadline, uint64_t ahead);

// Returns when the spin ended, at `deadline` or later.
uint64_t tap_wait_spin(uint64_t deadline);

#endif  // WALTAX_DEVICES_PRELOAD_TAP_WAIT_H_
