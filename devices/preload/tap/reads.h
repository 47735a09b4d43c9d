// The emulated data device: how long a read of a data file takes at least. Each
// read waits for itself: a volume serves many at a time, unlike a log.
//
// Blind spots: reads of a stream (fread), of io_submit and io_uring, and what
// the kernel reads ahead. Mappings of such files are refused.
#ifndef WALTAX_DEVICES_PRELOAD_TAP_READS_H_
#define WALTAX_DEVICES_PRELOAD_TAP_READS_H_

#include <stdint.h>

#define TAP_LONGEST_READ_NS 10000000000ULL

// Lets reads of data files below `data_dir` take as many ns as the text `ns`
// says. Returns why not, or NULL.
const char* tap_reads_start(const char* data_dir, const char* ns);

// Waits for the rest of a read of `bytes` that began at `start` (tap_now's
// clock); one that took longer by itself has none.
void tap_reads_wait(uint64_t start, uint64_t bytes);

#endif  // WALTAX_DEVICES_PRELOAD_TAP_READS_H_
