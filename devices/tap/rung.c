#include "rung.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "clock.h"

enum {
  kFirstLatenessNs = 30000,
  // What a late and an early wake-up change: one in four is early then. Those
  // that are latest had to wait for a CPU, which a device's caller has to, too.
  kLaterNs = 100,
  kEarlierNs = 300,
  kForget = 64,
};

// By how much sleeps of late woke up after they should.
static uint64_t lateness __attribute__((aligned(64))) = kFirstLatenessNs;

static const char* const kWords[] = {
    [TAP_RUNG_ENCODE] = "encode",
    [TAP_RUNG_SYNC_FREE] = "sync-free",
    [TAP_RUNG_WAIT] = "wait",
};

const char* tap_rung_start(const char* word) {
  if (word == NULL) return NULL;
  for (unsigned rung = TAP_RUNG_ENCODE; rung <= TAP_RUNG_WAIT; ++rung)
    if (strcmp(word, kWords[rung]) == 0) tap.rung = rung;
  if (tap.rung == TAP_RUNG_NONE) return "no rung of this tap";
  if (tap.rung == TAP_RUNG_WAIT && !tap.emulate)
    return "to wait as long as a device takes one must be emulated";
  if (tap.rung == TAP_RUNG_ENCODE && tap.emulate)
    return "what keeps nothing has no device to emulate";
  tap.page->rung = tap.rung;
  return NULL;
}

ssize_t tap_rung_bytes(const struct iovec* parts, int count) {
  size_t bytes = 0;
  for (int part = 0; part < count; ++part) bytes += parts[part].iov_len;
  if (count >= 0 && count <= IOV_MAX && bytes <= SSIZE_MAX)
    return (ssize_t)bytes;
  errno = EINVAL;
  return -1;
}

ssize_t tap_rung_take(ssize_t bytes) {
  if (bytes > 0) tap_add(&tap.page->bytes_not_kept, (uint64_t)bytes);
  return bytes;
}

// A CPU that is busy wakes a sleeper within microseconds, and there others
// want the time that a spin would take. One that idles takes tens, and there
// nobody does: then the sleep is left out, and tried again before long.
static uint64_t Sleep(uint64_t now, uint64_t deadline) {
  const uint64_t ahead = __atomic_load_n(&lateness, __ATOMIC_RELAXED);
  // Races lose a step, no more.
  if (now + ahead >= deadline) {
    __atomic_store_n(&lateness, ahead - ahead / kForget, __ATOMIC_RELAXED);
    return now;
  }
  tap_clock_sleep(deadline - ahead);
  const uint64_t awake = tap_now();
  uint64_t next = ahead + kLaterNs;
  if (awake <= deadline) next = ahead > kEarlierNs ? ahead - kEarlierNs : 0;
  __atomic_store_n(&lateness, next, __ATOMIC_RELAXED);
  return awake;
}

uint64_t tap_rung_wait(uint64_t deadline) {
  const uint64_t awake = Sleep(tap_now(), deadline);
  uint64_t now = awake;
  while (now < deadline) now = tap_now();
  tap_add(&tap.page->spin_ns, now - awake);
  return now;
}
