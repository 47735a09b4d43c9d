// The emulated device: makes the calling thread wait as the model says. One
// first-in first-out server, because a WAL is a stream with one writer; all
// threads of all processes with the same page share it.
#ifndef WALTAX_DEVICES_PRELOAD_TAP_DEVICE_H_
#define WALTAX_DEVICES_PRELOAD_TAP_DEVICE_H_

#include <stdint.h>

// Lets the log of the call (tap.h) be on the device whose model its page holds,
// and calibrates the margin.
void tap_device_start(void);

// The bytes on it that no process of a foreign program synced yet.
uint64_t* tap_device_unsynced(void);

// Waits as long as a sync of `bytes` unsynced bytes takes.
void tap_device_sync(uint64_t bytes);

// Waits as long as a sync of the directory takes.
void tap_device_dir_sync(void);

// Lets the device write `bytes` back; the caller does not wait.
void tap_device_write_back(uint64_t bytes);

// Waits for the rest of a write of `bytes` that began at `start`: the modelled
// cost of the call, then room in the cache.
void tap_device_write(uint64_t bytes, uint64_t start);

#endif  // WALTAX_DEVICES_PRELOAD_TAP_DEVICE_H_
