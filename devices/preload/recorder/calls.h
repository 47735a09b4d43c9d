// What the hooks tell the recorder: that a call begins, by the function of its
// family, and how it ended. They do so while `recorder_on` alone. Recorded are
// the files below the recorded directories, by the path that the kernel knows,
// and the acknowledgement log.
//
// Blind spots: raw system calls, files without a name (O_TMPFILE), stores into
// mappings, asynchronous I/O, and copies that the kernel makes by itself.
#ifndef WALTAX_DEVICES_PRELOAD_RECORDER_CALLS_H_
#define WALTAX_DEVICES_PRELOAD_RECORDER_CALLS_H_

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "log.h"

// Directories one a line, and the acknowledgement log's path or NULL.
void recorder_start(const char* roots, const char* acks);

// Whether the file behind `fd` is recorded.
bool recorder_follows(int fd);

// A call from when it began until it ended. All zero: it is not recorded.
struct recorder_pending {
  struct recorder_record* record;
  pthread_mutex_t* lock;  // held meanwhile, or NULL
};

// An open of this name, which may make the file or cut it to nothing.
struct recorder_pending recorder_open(int dir, const char* path, int flags);

// A call that changes names. Of a RENAME and a LINK `to` is the new one; of
// others it is NULL.
struct recorder_pending recorder_name(enum recorder_kind kind, unsigned flags,
                                      int from_dir, const char* from,
                                      int to_dir, const char* to);

// A write at `offset`, or at the position when that is -1; `how` are its RWF_*.
// A negative `count` is refused by the kernel.
struct recorder_pending recorder_write(int fd, const struct iovec* parts,
                                       int count, int64_t offset, int how);

// Another call on the content of the file behind `fd`.
struct recorder_pending recorder_change(int fd, enum recorder_kind kind,
                                        uint32_t flags, int64_t offset,
                                        int64_t length);

// A truncation of the file at `path`.
struct recorder_pending recorder_truncate(const char* path, int64_t length);

// A sync of a file or a directory; `flags` is 1 for fdatasync.
struct recorder_pending recorder_sync(int fd, uint32_t flags);

// A sync of all files of the file system that `fd` is on, or of all, for -1.
struct recorder_pending recorder_sync_all(int fd);

// After the call returned `result`: negative when it failed, with errno, which
// stays as it is. Of a write it is its length, of an open the descriptor.
// Returns it.
long recorder_returned(struct recorder_pending pending, long result);

#endif  // WALTAX_DEVICES_PRELOAD_RECORDER_CALLS_H_
