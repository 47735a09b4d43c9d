#include "wait.h"

enum {
  kLongWaitNs = 800000,
  kLastSleepNs = 400000,
  // What a wait that no sleep fits into changes: after some hundred of them
  // one tries again whether sleeps have become better.
  kRetryNs = 1,
};

struct tap_wake tap_wait_wake;
static uint64_t sleep_cpu;

void tap_wait_start(void) {
  if (tap_wait_wake.margin != 0) return;
  tap_wait_wake = tap_clock_wake();
  sleep_cpu = tap_wait_wake.cpu;
}

uint64_t tap_wait_sleep_cpu(void) {
  return __atomic_load_n(&sleep_cpu, __ATOMIC_RELAXED);
}

uint64_t tap_wait_spin(uint64_t deadline) {
  uint64_t now = tap_now();
  while (now < deadline) now = tap_now();
  return now;
}

uint64_t tap_wait_sleep(uint64_t deadline, uint64_t ahead) {
  uint64_t now = tap_now();
  // After a long sleep the CPU idles deeper and wakes later than any probe, so
  // the last sleep is a short one.
  if (now + kLongWaitNs < deadline) {
    tap_clock_sleep(deadline - kLastSleepNs);
    now = tap_now();
  }
  while (now + ahead < deadline) {
    tap_clock_sleep(deadline - ahead);
    now = tap_now();
  }
  return now;
}

uint64_t tap_wait_about(uint64_t deadline, struct tap_aim* aim) {
  const uint64_t ahead = __atomic_load_n(&aim->ahead, __ATOMIC_RELAXED);
  uint64_t cpu = 0;
  uint64_t next;
  if (tap_now() + ahead >= deadline) {
    next = ahead > kRetryNs ? ahead - kRetryNs : 0;
  } else {
    const uint64_t before = tap_clock_cpu();
    const uint64_t awake = tap_wait_sleep(deadline, ahead);
    cpu = tap_clock_cpu() - before;
    const uint64_t usual = tap_wait_sleep_cpu();
    __atomic_store_n(&sleep_cpu, usual - usual / 16 + cpu / 16,
                     __ATOMIC_RELAXED);
    next = ahead < tap_wait_wake.margin ? ahead + aim->later : ahead;
    if (awake <= deadline)
      next = ahead > aim->earlier ? ahead - aim->earlier : 0;
  }
  // Races lose a step, no more.
  __atomic_store_n(&aim->ahead, next, __ATOMIC_RELAXED);
  return cpu;
}
