#include "reads.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "devices/preload/clock.h"
#include "tap.h"
#include "wait.h"

// Of all sleeps nine in ten are early, and a spin up to the deadline follows:
// being late cannot be made up for.
static struct tap_aim aim = {.later = 900, .earlier = 100};

const char* tap_reads_start(const char* data_dir, const char* ns) {
  char* end = NULL;
  errno = 0;
  const unsigned long long latency = strtoull(ns, &end, 10);
  if (errno != 0 || end == ns || *end != '\0' || latency == 0 ||
      latency > TAP_LONGEST_READ_NS)
    return "no time of a read";
  tap_resolve(data_dir, tap.data_dir);
  tap_wait_start(tap.page->device.wake);
  aim.ahead = tap_wait_wake.typical;
  tap.read_ns = latency;
  tap.page->data_read_latency_ns = latency;
  return NULL;
}

void tap_reads_wait(uint64_t start, uint64_t bytes) {
  struct tap_page* page = tap.page;
  const uint64_t deadline = start + tap.read_ns;
  uint64_t end = tap_now();
  if (end < deadline) {
    tap_wait_about(deadline, &aim);
    end = tap_wait_spin(deadline);
  } else {
    tap_add(&page->data_reads_slower, 1);
  }
  tap_add(&page->data_reads, 1);
  tap_add(&page->data_read_bytes, bytes);
  tap_add(&page->data_read_ns, end - start);
  tap_add(&page->data_read_achieved[tap_bucket(end - start)], 1);
}
