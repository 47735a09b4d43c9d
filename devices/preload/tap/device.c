#include "device.h"

#include "tap.h"
#include "wait.h"

static struct {
  const struct tap_model* model;
  uint64_t cache_capacity;  // ns that a full cache takes to drain
  struct tap_state* state;  // in the page
} devices[TAP_LOGS];

// Of the log whose call this thread is in.
#define device (devices[tap_log()])

// Of a turn's sleeps one in three is early. Of those that a spin to the
// deadline follows nine in ten are, since being late cannot be made up for.
static struct tap_aim turn_aim = {.later = 100, .earlier = 200};
static struct tap_aim last_aim = {.later = 900, .earlier = 100};
// What spins to a deadline took of late.
static uint64_t usual_spin;

void tap_device_start(void) {
  const struct tap_model* model = &tap.page->model;
  device.model = model;
  device.state = &tap.device_page->state;
  tap_wait_start(&device.state->wake);
  turn_aim.ahead = tap_wait_wake.typical;
  last_aim.ahead = tap_wait_wake.typical;
  device.cache_capacity = tap_model_transfer(model, model->cache_bytes);
  tap.page->emulated = 1;
  tap.page->spin_margin_ns = tap_wait_wake.margin;
}

uint64_t* tap_device_unsynced(void) {
  return &tap.device_page->state.unsynced.value;
}

// Adds a job of `service` ns to the device's queue; returns when it ends.
static uint64_t Reserve(uint64_t now, uint64_t service) {
  return tap_queue_reserve(&device.state->server_free_at.value, now, service);
}

static void Burn(uint64_t ns, uint64_t deadline) {
  if (ns > 0) tap_add(&tap.page->burn_ns, tap_wait_burn(ns, deadline));
}

static void SleepUntil(uint64_t deadline, struct tap_aim* aim) {
  tap_add(&tap.page->sleep_cpu_ns, tap_wait_about(deadline, aim));
}

// The same for calls that are no sync: what they spin is not a sync's.
static void PassUntil(uint64_t deadline) {
  tap_wait_sleep(deadline, tap_wait_wake.margin);
  tap_wait_spin(deadline);
}

static uint64_t UsualSpin(void) {
  return __atomic_load_n(&usual_spin, __ATOMIC_RELAXED);
}

// The end of a sync: sleeps, if a sleep fits, and spins up to the deadline, so
// that no sync ends before it. Returns when it ended.
static uint64_t EndAt(uint64_t deadline) {
  SleepUntil(deadline, &last_aim);
  const uint64_t awake = tap_now();
  const uint64_t end = tap_wait_spin(deadline);
  const uint64_t spin = end - awake;
  tap_add(&tap.page->spin_ns, spin);
  const uint64_t usual = UsualSpin();
  if (spin < tap_wait_wake.margin)  // a longer one waited for a CPU
    __atomic_store_n(&usual_spin, usual - usual / 16 + spin / 16,
                     __ATOMIC_RELAXED);
  return end;
}

// Waits until `deadline` and returns when that was. Uses `cpu` ns of CPU time
// on the way: a sleep and the spin after it use some of it, so only what lacks
// is burnt, and a wait that only spins uses all of its time anyway.
static uint64_t WaitUntil(uint64_t deadline, uint64_t cpu) {
  const uint64_t ahead = __atomic_load_n(&last_aim.ahead, __ATOMIC_RELAXED);
  const uint64_t used = tap_wait_sleep_cpu() + UsualSpin();
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
  const uint64_t least = tap_wait_wake.typical * 3 / 2;
  const uint64_t fit = least > 0 ? latency / least : 0;
  const uint64_t wanted = device.model->sync_sleeps;
  const uint64_t turns = wanted < fit ? wanted : fit;
  if (turns == 0) return WaitUntil(begin + latency, cpu);
  SleepUntil(begin, &turn_aim);
  const uint64_t spin = UsualSpin();
  const uint64_t before = tap_wait_cpu();
  uint64_t deadline = begin;
  for (uint64_t turn = 0; turn < turns; ++turn) {
    if (turn > 0) SleepUntil(deadline, &turn_aim);
    deadline = tap_now() + latency / turns;
    // The sleep to come takes CPU time, too: less where CPUs are awake. So does
    // the spin at the end.
    const uint64_t used = tap_wait_cpu() - before + tap_wait_sleep_cpu() + spin;
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
