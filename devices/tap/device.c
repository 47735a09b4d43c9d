#include "device.h"

#include <sched.h>
#include <stddef.h>

#include "clock.h"
#include "helper.h"
#include "queue.h"
#include "tap.h"

enum { kLateNs = 5000, kLongWaitNs = 800000, kLastSleepNs = 400000 };

static struct {
  const struct tap_model* model;
  uint64_t margin;
  uint64_t cache_capacity;  // ns that a full cache takes to drain
} device;

// The two clocks and the draws are written at every sync by any thread.
static uint64_t server_free_at __attribute__((aligned(64)));
static uint64_t cache_drained_at __attribute__((aligned(64)));
static uint64_t draws __attribute__((aligned(64)));

const char* tap_device_start(const struct tap_model* model) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  sched_getaffinity(0, sizeof(cpus), &cpus);
  const char* refusal = tap_model_refusal(model, CPU_COUNT(&cpus));
  if (refusal != NULL) return refusal;
  device.model = model;
  device.margin = tap_clock_margin();
  device.cache_capacity = tap_model_transfer(model, model->cache_bytes);
  tap.page->emulated = 1;
  tap.page->spin_margin_ns = device.margin;
  return NULL;
}

static uint64_t SpinUntil(uint64_t deadline) {
  const uint64_t start = tap_now();
  uint64_t now = start;
  while (now < deadline) now = tap_now();
  tap_add(&tap.page->spin_ns, now - start);
  return now;
}

// Waits until `deadline` and returns when that was. Uses `cpu` ns of CPU time
// on the way: a sleep with its margin already uses about the margin, so only
// what lacks is burnt, and a wait that only spins uses all of its time anyway.
static uint64_t WaitUntil(uint64_t deadline, uint64_t cpu) {
  uint64_t now = tap_now();
  if (now + device.margin < deadline && cpu > device.margin) {
    const uint64_t used =
        tap_clock_burn(cpu - device.margin, deadline - device.margin);
    tap_add(&tap.page->burn_ns, used);
    now = tap_now();
  }
  // After a long sleep the CPU idles deeper and wakes later than any probe, so
  // the last sleep is a short one.
  if (now + kLongWaitNs < deadline) {
    tap_clock_sleep(deadline - kLastSleepNs);
    now = tap_now();
  }
  while (now + device.margin < deadline) {
    tap_clock_sleep(deadline - device.margin);
    now = tap_now();
  }
  return SpinUntil(deadline);
}

void tap_device_sync(uint64_t bytes) {
  const struct tap_model* model = device.model;
  const uint64_t start = tap_now();
  const uint64_t draw = __atomic_fetch_add(&draws, 1, __ATOMIC_RELAXED);
  const uint64_t latency =
      tap_model_sync(model, bytes, tap_model_percent(model, draw));
  const uint64_t deadline = tap_queue_reserve(&server_free_at, start, latency);
  const uint64_t cpu =
      model->cpu_caller_ns < latency ? model->cpu_caller_ns : latency;
  if (model->cpu_kernel_ns > 0) tap_helper_burn(model->cpu_kernel_ns);
  const uint64_t end = WaitUntil(deadline, cpu);
  struct tap_page* page = tap.page;
  tap_add(&page->wanted_ns, deadline - start);
  tap_add(&page->achieved_ns, end - start);
  tap_add(&page->sync_wanted[tap_bucket(deadline - start)], 1);
  if (end > deadline + kLateNs) tap_add(&page->late, 1);
}

void tap_device_dir_sync(void) {
  const uint64_t service = device.model->dir_sync_ns;
  const uint64_t end = tap_queue_reserve(&server_free_at, tap_now(), service);
  WaitUntil(end, 0);
}

void tap_device_write_back(uint64_t bytes) {
  tap_queue_reserve(&server_free_at, tap_now(),
                    tap_model_transfer(device.model, bytes));
}

void tap_device_write(uint64_t bytes, uint64_t ticks) {
  const uint64_t cost = tap_model_write(device.model, bytes);
  const uint64_t now = tap_now();
  const uint64_t taken = tap_ns_since(ticks);
  const uint64_t returns = taken < cost ? now + (cost - taken) : now;
  const uint64_t fits = tap_cache_admit(&cache_drained_at, now,
                                        tap_model_transfer(device.model, bytes),
                                        device.cache_capacity);
  const uint64_t deadline = fits > returns ? fits : returns;
  if (deadline > now) WaitUntil(deadline, 0);
}
