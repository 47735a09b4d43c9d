// The calls behind the hooks: those of the library that is preloaded next, so
// that the tap sees what the program does, else the C library's.
#ifndef WALTAX_RECEIPTS_RECORDER_NEXT_H_
#define WALTAX_RECEIPTS_RECORDER_NEXT_H_

#include <stdio.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "devices/preload/hook.h"

struct recorder_next {
  int (*openat)(int, const char*, int, ...);
  ssize_t (*write)(int, const void*, size_t);
  ssize_t (*pwrite)(int, const void*, size_t, off_t);
  ssize_t (*writev)(int, const struct iovec*, int);
  ssize_t (*pwritev)(int, const struct iovec*, int, off_t);
  ssize_t (*pwritev2)(int, const struct iovec*, int, off_t, int);
  int (*ftruncate)(int, off_t);
  int (*fallocate)(int, int, off_t, off_t);
  int (*unlinkat)(int, const char*, int);
  int (*renameat2)(int, const char*, int, const char*, unsigned);
  int (*fsync)(int);
  int (*fdatasync)(int);
  int (*sync_file_range)(int, off_t, off_t, unsigned);
  void* (*mmap)(void*, size_t, int, int, int, off_t);
};

// System calls until the constructor has run: looking a symbol up may allocate,
// and an allocator that opens files while it starts would come back here.
extern struct recorder_next recorder_next;
void recorder_next_start(void);
// The next `name`, of a call that nobody makes that early.
void* recorder_next_named(const char* name);

#endif  // WALTAX_RECEIPTS_RECORDER_NEXT_H_
