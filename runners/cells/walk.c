// How fast memory is now: a walk from line to line of 1 MiB in random order,
// each step of which must wait for the one before. Beside it a neighbour shows
// that takes the host's caches or its memory's bandwidth, and no CPU of ours.
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { kLineBytes = 64, kLines = (1 << 20) / kLineBytes, kLaps = 3 };

typedef struct Line {
  struct Line* next;
  char rest[kLineBytes - sizeof(struct Line*)];
} Line;

static _Alignas(kLineBytes) Line lines[kLines];

// One cycle through all lines (Sattolo), the same in every process.
static void Link(void) {
  static uint32_t order[kLines];
  uint64_t state = 1;
  for (uint32_t i = 0; i < kLines; ++i) order[i] = i;
  for (uint32_t i = kLines - 1; i > 0; --i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const uint32_t j = (uint32_t)((state >> 33) % i);
    const uint32_t taken = order[i];
    order[i] = order[j];
    order[j] = taken;
  }
  for (uint32_t i = 0; i < kLines; ++i) {
    lines[order[i]].next = &lines[order[(i + 1) % kLines]];
  }
}

static double NowNs(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static const Line* Walk(const Line* line, size_t laps) {
  for (size_t step = 0; step < laps * kLines; ++step) line = line->next;
  return line;
}

// Nanoseconds a step, of a few laps after one that fetches what others have
// driven out. Use from one thread.
double waltax_walk_ns(void) {
  if (lines[0].next == NULL) Link();
  const Line* volatile end = Walk(lines, 1);
  const double start_ns = NowNs();
  end = Walk(end, kLaps);
  return (NowNs() - start_ns) / ((double)kLaps * kLines);
}
