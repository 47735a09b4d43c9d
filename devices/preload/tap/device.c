#include "device.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"

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

// CPU time of the calling thread.
static uint64_t ThreadCpu(void) {
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
    const uint64_t before = ThreadCpu();
    Sleep(deadline);
    now = tap_now();
    overshoot[count++] = now - deadline;
    cpu += ThreadCpu() - before;
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

// Uses `ns` of CPU time, not counting time in which the thread did not run,
// but stops at `deadline`. Returns what was used.
static uint64_t UseCpu(uint64_t ns, uint64_t deadline) {
  uint64_t used = 0;
  uint64_t last = tap_now();
  while (used < ns && last < deadline) {
    const uint64_t now = tap_now();
    if (now - last < kInterruptedNs) used += now - last;
    last = now;
  }
  return used;
}

// What short sleeps are like on this machine, and the CPU time that a sleep
// took of late.
static struct tap_wake wake;
static uint64_t sleep_cpu;

// Calibrates, in 100 ms at most, unless `known` is what another process
// measured; sets it.
static void StartWaits(struct tap_wake* known) {
  if (wake.margin != 0) return;
  if (known->margin == 0) *known = Calibrate();
  wake = *known;
  sleep_cpu = known->cpu;
}

static uint64_t SleepCpu(void) {
  return __atomic_load_n(&sleep_cpu, __ATOMIC_RELAXED);
}

// Returns when the spin ended, at `deadline` or later.
static uint64_t Spin(uint64_t deadline) {
  uint64_t now = tap_now();
  while (now < deadline) now = tap_now();
  return now;
}

// Sleeps until about `deadline`, which the kernel misses by `ahead`. Returns
// when it woke.
static uint64_t SleepAhead(uint64_t deadline, uint64_t ahead) {
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

// How early sleeps aim, and what a late and an early wake-up change in that.
struct aim {
  uint64_t ahead;
  uint64_t later;
  uint64_t earlier;
} __attribute__((aligned(64)));

// Of a turn's sleeps one in three is early. Of those that a spin to the
// deadline follows nine in ten are, since being late cannot be made up for.
static struct aim turn_aim = {.later = 100, .earlier = 200};
static struct aim last_aim = {.later = 900, .earlier = 100};

// Sleeps until about `deadline`, if a sleep fits: it aims as much ahead as most
// of the last sleeps were late by. That is a wake-up of the CPU where CPUs
// idle, and nearly nothing where they are awake. Threads that waited for a busy
// CPU were later, which is not made up for.
static void SleepUntil(uint64_t deadline, struct aim* aim) {
  const uint64_t ahead = __atomic_load_n(&aim->ahead, __ATOMIC_RELAXED);
  uint64_t cpu = 0;
  uint64_t next;
  if (tap_now() + ahead >= deadline) {
    next = ahead > kRetryNs ? ahead - kRetryNs : 0;
  } else {
    const uint64_t before = ThreadCpu();
    const uint64_t awake = SleepAhead(deadline, ahead);
    cpu = ThreadCpu() - before;
    const uint64_t usual = SleepCpu();
    __atomic_store_n(&sleep_cpu, usual - usual / 16 + cpu / 16,
                     __ATOMIC_RELAXED);
    next = ahead < wake.margin ? ahead + aim->later : ahead;
    if (awake <= deadline)
      next = ahead > aim->earlier ? ahead - aim->earlier : 0;
  }
  // Races lose a step, no more.
  __atomic_store_n(&aim->ahead, next, __ATOMIC_RELAXED);
  tap_add(&tap.page->sleep_cpu_ns, cpu);
}

static struct {
  const struct tap_model* model;
  uint64_t cache_capacity;  // ns that a full cache takes to drain
  struct tap_state* state;  // in the page
} devices[TAP_LOGS];

// Of the log whose call this thread is in.
#define device (devices[tap_log()])

// What spins to a deadline took of late.
static uint64_t usual_spin;

void tap_device_start(void) {
  const struct tap_model* model = &tap.page->model;
  device.model = model;
  device.state = &tap.device_page->state;
  StartWaits(&device.state->wake);
  turn_aim.ahead = wake.typical;
  last_aim.ahead = wake.typical;
  device.cache_capacity = tap_model_transfer(model, model->cache_bytes);
  tap.page->emulated = 1;
  tap.page->spin_margin_ns = wake.margin;
}

uint64_t* tap_device_unsynced(void) {
  return &tap.device_page->state.unsynced.value;
}

// Adds a job of `service` ns to the device's queue; returns when it ends.
static uint64_t Reserve(uint64_t now, uint64_t service) {
  return tap_queue_reserve(&device.state->server_free_at.value, now, service);
}

static void Burn(uint64_t ns, uint64_t deadline) {
  if (ns > 0) tap_add(&tap.page->burn_ns, UseCpu(ns, deadline));
}

// Waits in calls that are no sync: what they spin is not a sync's.
static void PassUntil(uint64_t deadline) {
  SleepAhead(deadline, wake.margin);
  Spin(deadline);
}

static uint64_t UsualSpin(void) {
  return __atomic_load_n(&usual_spin, __ATOMIC_RELAXED);
}

// The end of a sync: sleeps, if a sleep fits, and spins up to the deadline, so
// that no sync ends before it. Returns when it ended.
static uint64_t EndAt(uint64_t deadline) {
  SleepUntil(deadline, &last_aim);
  const uint64_t awake = tap_now();
  const uint64_t end = Spin(deadline);
  const uint64_t spin = end - awake;
  tap_add(&tap.page->spin_ns, spin);
  const uint64_t usual = UsualSpin();
  if (spin < wake.margin)  // a longer one waited for a CPU
    __atomic_store_n(&usual_spin, usual - usual / 16 + spin / 16,
                     __ATOMIC_RELAXED);
  return end;
}

// Waits until `deadline` and returns when that was. Uses `cpu` ns of CPU time
// on the way: a sleep and the spin after it use some of it, so only what lacks
// is burnt, and a wait that only spins uses all of its time anyway.
static uint64_t WaitUntil(uint64_t deadline, uint64_t cpu) {
  const uint64_t ahead = __atomic_load_n(&last_aim.ahead, __ATOMIC_RELAXED);
  const uint64_t used = SleepCpu() + UsualSpin();
  if (tap_now() + ahead < deadline && cpu > used)
    Burn(cpu - used, deadline - ahead);
  return EndAt(deadline);
}

// Waits for a sync that takes `latency` from `begin` as the caller of a real
// one does: by turns it uses CPU time to hand over a command and sleeps until
// the device is done with it. With more threads than CPUs two things follow
// that a spin to the deadline spoils: others run meanwhile, so that their
// commits gather for the next sync; and each turn may have to wait for a CPU,
// which no device makes up for, since it is told to go on only then.
// A sync too short to sleep in is spun through.
static uint64_t WaitByTurns(uint64_t begin, uint64_t latency, uint64_t cpu) {
  const uint64_t least = wake.typical * 3 / 2;
  const uint64_t fit = least > 0 ? latency / least : 0;
  const uint64_t wanted = device.model->sync_sleeps;
  const uint64_t turns = wanted < fit ? wanted : fit;
  if (turns == 0) return WaitUntil(begin + latency, cpu);
  SleepUntil(begin, &turn_aim);
  const uint64_t spin = UsualSpin();
  const uint64_t before = ThreadCpu();
  uint64_t deadline = begin;
  for (uint64_t turn = 0; turn < turns; ++turn) {
    if (turn > 0) SleepUntil(deadline, &turn_aim);
    deadline = tap_now() + latency / turns;
    // The sleep to come takes CPU time, too: less where CPUs are awake. So does
    // the spin at the end.
    const uint64_t used = ThreadCpu() - before + SleepCpu() + spin;
    const uint64_t due = cpu * (turn + 1) / turns;
    const uint64_t room = latency / turns - least;
    if (used < due) Burn(due - used < room ? due - used : room, UINT64_MAX);
  }
  // Turns that began early do not make a sync that ends early.
  const uint64_t whole = begin + latency;
  return EndAt(deadline > whole ? deadline : whole);
}

// CPU time of a sync that takes `latency`: its caller's, and what the kernel's
// workers use beside it on the device. A thread for that would be woken at each
// sync, which takes as long as most of the work, wakes up an idle CPU for the
// threads of the engine, and is absent where no log is (docs/devices.md). So
// the caller does it, within its wait.
static uint64_t Work(uint64_t latency) {
  const uint64_t caller = device.model->cpu_caller_ns;
  if (caller >= latency) return latency;
  const uint64_t room = latency - caller;
  const uint64_t wants = device.model->cpu_kernel_ns;
  const uint64_t kernel = wants < room ? wants : room;
  if (kernel > 0) tap_add(&tap.page->kernel_wanted_ns, kernel);
  return caller + kernel;
}

void tap_device_sync(uint64_t bytes) {
  const struct tap_model* model = device.model;
  const uint64_t start = tap_now();
  const uint64_t percent = tap_model_draw(model, &device.state->draws.value);
  const uint64_t latency = tap_model_sync(model, bytes, percent);
  const uint64_t deadline = Reserve(start, latency);
  const uint64_t cpu = tap_rung_burns_nothing() ? 0 : Work(latency);
  const uint64_t end = model->sync_sleeps > 0
                           ? WaitByTurns(deadline - latency, latency, cpu)
                           : WaitUntil(deadline, cpu);
  struct tap_page* page = tap.page;
  tap_add(&page->wanted_ns, deadline - start);
  tap_add(&page->achieved_ns, end - start);
  tap_add(&page->sync_wanted[tap_bucket(deadline - start)], 1);
}

void tap_device_dir_sync(void) {
  const uint64_t service = device.model->dir_sync_ns;
  PassUntil(Reserve(tap_now(), service));
}

void tap_device_write_back(uint64_t bytes) {
  Reserve(tap_now(), tap_model_transfer(device.model, bytes));
}

void tap_device_write(uint64_t bytes, uint64_t start) {
  const uint64_t returns = start + tap_model_write(device.model, bytes);
  const uint64_t now = tap_now();
  const uint64_t fits = tap_cache_admit(
      &device.state->cache_drained_at.value, now,
      tap_model_transfer(device.model, bytes), device.cache_capacity);
  const uint64_t deadline = fits > returns ? fits : returns;
  if (deadline > now) PassUntil(deadline);
}

#undef device
