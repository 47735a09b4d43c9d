// The arithmetic of an emulated device, in which nothing waits. First its
// latency model, which says what WAL system calls cost: parsed from the text
// that devices/tap_model.py renders (its docstring shows the form). Then its
// queues. All times are nanoseconds.
#ifndef WALTAX_DEVICES_PRELOAD_TAP_MODEL_H_
#define WALTAX_DEVICES_PRELOAD_TAP_MODEL_H_

#include <stdint.h>

#define TAP_SYNC_ROWS 32
#define TAP_QUANTILES 64
#define TAP_MODEL_BYTES 131072  // longest text accepted
#define TAP_FLOOR_NS 500  // fastest sync that can be emulated; tap_model.py
#define TAP_ALL 100000    // percents are in thousandths
#define TAP_LONGEST_RUN 1000000000  // of slow syncs, in thousandths

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
  int count;
  struct tap_quantile quantiles[TAP_QUANTILES];
};

struct tap_sync_table {
  int rows;
  struct tap_sync_row row[TAP_SYNC_ROWS];
};

// What the blocks of a file were before the write that a sync makes durable.
enum tap_file_state {
  TAP_PREALLOCATED,  // allocated and never written
  TAP_GROWING,       // not allocated
  TAP_RECYCLED,      // written before
  TAP_FILE_STATES
};

// Every number of a model, by its key in the text; an OPTIONAL one is zero when
// its key is missing.
#define TAP_MODEL_NUMBERS(NUMBER)                                            \
  NUMBER(seed, REQUIRED)                                                     \
  NUMBER(write_ns, REQUIRED)                                                 \
  NUMBER(write_ns_per_kib, REQUIRED)                                         \
  NUMBER(bandwidth_bytes_per_s, REQUIRED) /* 0: no limit */                  \
  NUMBER(cache_bytes, REQUIRED)                                              \
  NUMBER(cpu_caller_ns, REQUIRED)                                            \
  NUMBER(cpu_kernel_ns, REQUIRED)                                            \
  NUMBER(dir_sync_ns, REQUIRED)                                              \
  NUMBER(cpu_caller_ns_per_kib, OPTIONAL)                                    \
  NUMBER(sync_sleeps, OPTIONAL)  /* of the caller in one sync; 0: unknown */ \
  NUMBER(slow_percent, OPTIONAL) /* in thousandths: of syncs, the slowest */ \
  NUMBER(slow_run, OPTIONAL)     /* that follow each other, in thousandths */

struct tap_model {
#define MEMBER(name, need) uint64_t name;
  TAP_MODEL_NUMBERS(MEMBER)
#undef MEMBER
  struct tap_sync_table sync[TAP_FILE_STATES];  // once parsed, all have rows
};

// Fills `model` from `text`, which it modifies. Returns NULL, or a constant
// string that says what is wrong.
const char* tap_model_parse(char* text, struct tap_model* model);

// Says why `model` cannot be emulated, or returns NULL.
const char* tap_model_refusal(const struct tap_model* model);

// Latency of a sync of `bytes` at `percent` (in thousandths).
uint64_t tap_model_sync(const struct tap_model* model,
                        enum tap_file_state state, uint64_t bytes,
                        uint64_t percent);

// A random `percent` for tap_model_sync: the next of the model's stream. *word
// says where in the stream that is, and whether the last was slow; 0 at the
// start. Any thread may ask, by compare-and-swap.
//
// The slowest `slow_percent` come in runs of `slow_run` in the mean, and as
// often in all as if each were drawn alone, as they are without the two.
uint64_t tap_model_draw(const struct tap_model* model, uint64_t* word);

// CPU time that a sync of `bytes` takes on its caller.
uint64_t tap_model_cpu(const struct tap_model* model, uint64_t bytes);

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
