#include "queued.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "tap.h"

enum {
  // Fifty samples a second, of two times 9 us, take 1 of 1,000 of the time.
  kApartNs = 20000000,
};

static uint64_t next_at __attribute__((aligned(64)));

// Reads what the calling thread waited for a CPU since it began. Returns
// whether the kernel tells it: "ON-CPU WAITED SLICES", in nanoseconds.
static int ReadQueued(uint64_t* ns) {
  char text[80];
  const long fd = syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/schedstat",
                          O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const long length = syscall(SYS_read, fd, text, sizeof(text) - 1);
  syscall(SYS_close, fd);
  if (length <= 0) return 0;
  text[length] = '\0';
  char* rest = NULL;
  strtoull(text, &rest, 10);
  if (*rest != ' ') return 0;
  *ns = strtoull(rest, NULL, 10);
  return 1;
}

struct tap_sample tap_sample_begin(void) {
  struct tap_sample sample = {0, 0};
  const uint64_t now = tap_now();
  uint64_t due = __atomic_load_n(&next_at, __ATOMIC_RELAXED);
  if (now < due ||
      !__atomic_compare_exchange_n(&next_at, &due, now + kApartNs, 0,
                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return sample;
  sample.taken = ReadQueued(&sample.queued_ns);
  return sample;
}

void tap_sample_end(struct tap_sample sample, uint64_t deadline, uint64_t end) {
  uint64_t after;
  if (!sample.taken || !ReadQueued(&after)) return;
  const uint64_t queued = after - sample.queued_ns;
  const uint64_t late = end > deadline ? end - deadline : 0;
  tap_add(&tap.page->sampled_syncs, 1);
  tap_add(&tap.page->sampled_queued_ns, queued < late ? queued : late);
}
