// How long threads in a sync waited for a CPU, which they would wait on the
// device, too: the tap is late by the rest only. The kernel tells it of the
// calling thread in a file, which takes some microseconds to read, so that few
// syncs are asked.
#ifndef WALTAX_DEVICES_TAP_QUEUED_H_
#define WALTAX_DEVICES_TAP_QUEUED_H_

#include <stdint.h>

// A sync that is asked, or not: then it is all zero.
struct tap_sample {
  int taken;
  uint64_t queued_ns;  // what the thread had waited before it
};

// Before a sync: asks this one when enough were not.
struct tap_sample tap_sample_begin(void);

// After a sync that began at `start`, should have ended at `deadline` and ended
// at `end`: counts by how much it was late beyond what its thread waited for a
// CPU, and whether it then took more than `tail` ns.
void tap_sample_end(struct tap_sample sample, uint64_t start, uint64_t deadline,
                    uint64_t end, uint64_t tail);

#endif  // WALTAX_DEVICES_TAP_QUEUED_H_
