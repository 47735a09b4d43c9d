// Arithmetic of the emulated device's queues: absolute deadlines on one clock,
// shared by all threads by compare-and-swap. Nothing waits here.
#ifndef WALTAX_DEVICES_TAP_QUEUE_H_
#define WALTAX_DEVICES_TAP_QUEUE_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// One first-in first-out server. *free_at is when its last job ends. Adds a job
// of `service` ns that arrives at `now` and returns when it ends.
uint64_t tap_queue_reserve(uint64_t* free_at, uint64_t now, uint64_t service);

// A write cache that drains all the time. *drained_at is when it is empty if
// nothing more comes; it holds what drains in `capacity` ns. Adds a write that
// takes `service` ns to drain and returns when it fits, at the earliest `now`.
uint64_t tap_cache_admit(uint64_t* drained_at, uint64_t now, uint64_t service,
                         uint64_t capacity);

#ifdef __cplusplus
}
#endif

#endif  // WALTAX_DEVICES_TAP_QUEUE_H_
