// The arithmetic of an emulated device, in which nothing waits. First its
// latency model, which says what WAL system calls cost: devices/tap_model.py
// writes it into a file as it lies here. Then its queues. All times are
// nanoseconds.
#ifndef WALTAX_DEVICES_PRELOAD_TAP_MODEL_H_
#define WALTAX_DEVICES_PRELOAD_TAP_MODEL_H_

#include <stdint.h>

#define TAP_SYNC_ROWS 32
#define TAP_QUANTILES 64
#define TAP_MODEL_MAGIC 0x454d58544c41574cULL  // changes with the layout
#define TAP_ALL 100000                         // percents are in thousandths

#ifdef __cplusplus
extern "C" {
#endif

struct tap_quantile {
  uint64_t percent;  // 0 to TAP_ALL
  uint64_t ns;
};

// Latencies of a sync with `bytes` unsynced bytes, by rising percent.
struct tap_sync_row {
  uint64_t bytes;
  uint64_t count;
  struct tap_quantile quantiles[TAP_QUANTILES];
};

struct tap_sync_table {
  uint64_t rows;
  struct tap_sync_row row[TAP_SYNC_ROWS];
};

struct tap_model {
  uint64_t magic;
  uint64_t seed;
  uint64_t write_ns;
  uint64_t write_ns_per_kib;
  uint64_t bandwidth_bytes_per_s;  // 0: no limit
  uint64_t cache_bytes;
  uint64_t cpu_caller_ns;
  uint64_t cpu_kernel_ns;
  uint64_t dir_sync_ns;
  uint64_t sync_sleeps;  // of the caller in one sync; 0: unknown
  struct tap_sync_table sync;
};

// Latency of a sync of `bytes` at `percent` (in thousandths).
uint64_t tap_model_sync(const struct tap_model* model, uint64_t bytes,
                        uint64_t percent);

// A random `percent` for tap_model_sync: the next of the model's stream. *draws
// counts them. Any thread may ask.
uint64_t tap_model_draw(const struct tap_model* model, uint64_t* draws);

// Least time of a write call of `bytes`.
uint64_t tap_model_write(const struct tap_model* model, uint64_t bytes);

// Time that `bytes` take at the model's bandwidth.
uint64_t tap_model_transfer(const struct tap_model* model, uint64_t bytes);

// The queues are absolute deadlines on one clock, shared by all threads by
// compare-and-swap.

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

#endif  // WALTAX_DEVICES_PRELOAD_TAP_MODEL_H_
