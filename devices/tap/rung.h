// A rung of the ladder of `waltax why`: what of the device the tap leaves out,
// so that the difference of two rungs is the cost of what is between them.
#ifndef WALTAX_DEVICES_TAP_RUNG_H_
#define WALTAX_DEVICES_TAP_RUNG_H_

#include <stdint.h>
#include <sys/uio.h>

#include "tap.h"

// The numbers are those that the page shows, and devices/rungs.py knows.
enum tap_rung {
  TAP_RUNG_NONE,    // the device as it is
  TAP_RUNG_ENCODE,  // writes are taken and nothing is kept; syncs are answered
  TAP_RUNG_SYNC_FREE,  // writes as they are; syncs are answered at once
  TAP_RUNG_WAIT,       // syncs take the model's time, and none of its CPU time
};

// Takes the rung that `word` names; none for NULL. Returns why it cannot be
// stood on, or NULL.
const char* tap_rung_start(const char* word);

static inline int tap_rung_keeps_nothing(void) {
  return tap.rung == TAP_RUNG_ENCODE;
}

static inline int tap_rung_syncs_at_once(void) {
  return tap.rung == TAP_RUNG_ENCODE || tap.rung == TAP_RUNG_SYNC_FREE;
}

// The wait itself is the device's, so that it takes as long as there: what a
// sleep does not fit into is spun, and counted as the wait's.
static inline int tap_rung_burns_nothing(void) {
  return tap.rung == TAP_RUNG_WAIT;
}

// How many bytes a call with these parts writes; -1 with errno for parts that
// the kernel would refuse.
ssize_t tap_rung_bytes(const struct iovec* parts, int count);

// Takes `bytes` and keeps nothing. Returns them, as the call would.
ssize_t tap_rung_take(ssize_t bytes);

#endif  // WALTAX_DEVICES_TAP_RUNG_H_
