#include "wait.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  kLongWaitNs = 800000,
  kLastSleepNs = 400000,
  // What a wait that no sleep fits into changes: after some hundred of them
  // one tries again whether sleeps have become better.
  kRetryNs = 1,
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

static void Sleep(uint64_t deadline) {
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

uint64_t tap_wait_cpu(void) {
  struct timespec t;
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct tap_wake Calibrate(void) {
  uint64_t overshoot[kProbes];
  uint64_t cpu = 0;
  int count = 0;
  const uint64_t start = tap_now();
  uint64_t now = start;
  do {
    const uint64_t deadline = now + (count % 2 ? kLongProbeNs : kShortProbeNs);
    const uint64_t before = tap_wait_cpu();
    Sleep(deadline);
    now = tap_now();
    overshoot[count++] = now - deadline;
    cpu += tap_wait_cpu() - before;
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

uint64_t tap_wait_burn(uint64_t ns, uint64_t deadline) {
  uint64_t used = 0;
  uint64_t last = tap_now();
  while (used < ns && last < deadline) {
    const uint64_t now = tap_now();
    if (now - last < kInterruptedNs) used += now - last;
    last = now;
  }
  return used;
}

struct tap_wake tap_wait_wake;
static uint64_t sleep_cpu;

void tap_wait_start(struct tap_wake* known) {
  if (tap_wait_wake.margin != 0) return;
  if (known->margin == 0) *known = Calibrate();
  tap_wait_wake = *known;
  sleep_cpu = known->cpu;
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
    Sleep(deadline - kLastSleepNs);
    now = tap_now();
  }
  while (now + ahead < deadline) {
    Sleep(deadline - ahead);
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
    const uint64_t before = tap_wait_cpu();
    const uint64_t awake = tap_wait_sleep(deadline, ahead);
    cpu = tap_wait_cpu() - before;
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
