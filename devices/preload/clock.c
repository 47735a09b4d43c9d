#include "clock.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  // Long sleeps let the CPU idle deeper and wake later, so probes of both
  // lengths alternate.
  kProbes = 300,
  kShortProbeNs = 60000,
  kLongProbeNs = 400000,
  kProbesBudgetNs = 100000000,
  kMarginPercentile = 99,
  kMarginExtraNs = 5000,
  kMarginCapNs = 200000,
  // On a quiet machine the latest of 100 wake-ups is under twice the median.
  // What lies far above it waited for a busy CPU, which says nothing of the
  // wake-ups to come; spinning for that long would.
  kUndisturbed = 2,
  kUndisturbedExtraNs = 10000,
  // Two clock reads of a running thread are 16 ns apart; this far apart, the
  // thread was interrupted.
  kInterruptedNs = 2000,
};

void tap_clock_sleep(uint64_t deadline) {
  // The default slack lets the kernel wake the thread 50 us late.
  static __thread int slack_is_set;
  if (!slack_is_set) {
    syscall(SYS_prctl, PR_SET_TIMERSLACK, 1, 0, 0, 0);
    slack_is_set = 1;
  }
  const struct timespec until = {.tv_sec = (time_t)(deadline / 1000000000u),
                                 .tv_nsec = (long)(deadline % 1000000000u)};
  syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static int Rising(const void* a, const void* b) {
  const uint64_t x = *(const uint64_t*)a;
  const uint64_t y = *(const uint64_t*)b;
  return (x > y) - (x < y);
}

uint64_t tap_clock_cpu(void) {
  struct timespec t;
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct tap_wake tap_clock_wake(void) {
  uint64_t overshoot[kProbes];
  uint64_t cpu = 0;
  int count = 0;
  const uint64_t start = tap_now();
  uint64_t now = start;
  do {
    const uint64_t deadline = now + (count % 2 ? kLongProbeNs : kShortProbeNs);
    const uint64_t before = tap_clock_cpu();
    tap_clock_sleep(deadline);
    now = tap_now();
    overshoot[count++] = now - deadline;
    cpu += tap_clock_cpu() - before;
  } while (count < kProbes && now < start + kProbesBudgetNs);
  qsort(overshoot, (size_t)count, sizeof(overshoot[0]), Rising);
  // A program that is busy just now must not shorten the syncs of later: the
  // median counts only as far as calm moments bear it out.
  const uint64_t calm = kUndisturbed * overshoot[count / 10];
  uint64_t typical = overshoot[count / 2];
  if (typical > calm) typical = calm;
  const uint64_t latest = overshoot[count * kMarginPercentile / 100];
  const uint64_t undisturbed = kUndisturbed * typical + kUndisturbedExtraNs;
  uint64_t margin =
      (latest < undisturbed ? latest : undisturbed) + kMarginExtraNs;
  if (margin > kMarginCapNs) margin = kMarginCapNs;
  if (typical > margin - kMarginExtraNs) typical = margin - kMarginExtraNs;
  return (struct tap_wake){typical, margin, cpu / (uint64_t)count};
}

uint64_t tap_clock_burn(uint64_t ns, uint64_t deadline) {
  uint64_t used = 0;
  uint64_t last = tap_now();
  while (used < ns && last < deadline) {
    const uint64_t now = tap_now();
    if (now - last < kInterruptedNs) used += now - last;
    last = now;
  }
  return used;
}
