// Which descriptors and files the tap follows. A table maps descriptors to
// files; a file is known by its path, and has a slot in the page.
//
// A process of a foreign program that forks hands its files on.
//
// Blind spots: descriptors from TAP_FDS up, raw system calls and io_uring are
// not seen, and of an engine's log other processes. The engine's own sync
// counter exposes them, or that of the kernel.
#ifndef WALTAX_DEVICES_PRELOAD_TAP_FILES_H_
#define WALTAX_DEVICES_PRELOAD_TAP_FILES_H_

#include <stdbool.h>
#include <stdint.h>

#include "tap.h"

#define TAP_FDS 65536
#define TAP_NOT_FOLLOWED 0
#define TAP_DIRECTORY 0xffff
// Numbers of the binlog's files begin here, and end where the bit does.
#define TAP_BINLOG_FILES 0x2000

// For each descriptor: one of those above, or the number of a WAL file.
extern uint16_t tap_fds[TAP_FDS];

static inline enum tap_log tap_log_of(unsigned followed) {
  return followed / TAP_BINLOG_FILES == 1 ? TAP_BINLOG : TAP_WAL;
}

// All that a hook on an unfollowed descriptor costs. A followed one makes `tap`
// its log's.
static inline unsigned tap_followed(int fd) {
  if ((unsigned)fd >= TAP_FDS) return TAP_NOT_FOLLOWED;
  const unsigned followed = __atomic_load_n(&tap_fds[fd], __ATOMIC_RELAXED);
  if (followed != TAP_NOT_FOLLOWED)
    tap_of_call = &tap_logs[tap_log_of(followed)];
  return followed;
}

// True for the number of a log's file.
static inline bool tap_is_file(unsigned followed) {
  return followed - 1u < TAP_DIRECTORY - 1u;
}

// After `fd` was opened: starts to follow it when it is a log's file, of an
// engine's opened for writing, or a directory of the WAL. `path` and `flags`
// are those of the open; `has_link`: a link may be on the way.
void tap_files_opened(int fd, const char* path, int flags, bool has_link);
void tap_files_duplicated(int from, int to);
void tap_files_closed(int fd);

// After a file got another name, paths as they were written: it keeps its slot.
void tap_files_renamed(int from_dir, const char* from, int to_dir,
                       const char* to);

// After a write of `bytes`.
void tap_files_wrote(unsigned file, uint64_t bytes);

// For each descriptor of a log: whether it was opened with O_DSYNC, which
// O_SYNC has in it, so that each write is a sync, too. A program may open a
// file both ways.
extern bool tap_writes_through[TAP_FDS];
static inline bool tap_files_writes_through(int fd) {
  return tap_writes_through[fd];
}

// Answers a sync at once or as the emulated device does; false when it is the
// kernel's to carry out.
bool tap_files_answer_sync(unsigned file);
// After a successful sync that began at `start`.
void tap_files_synced(unsigned file, uint64_t start);
// Lets the emulated device write at most `limit` of the unsynced bytes back.
void tap_files_write_back(unsigned file, uint64_t limit);

// After a foreign program mapped a log's file to write it; and whether
// `address` lies in such a mapping, of which the last ones are known.
void tap_files_mapped(const void* address, size_t length);
bool tap_files_is_mapped(const void* address);

// In a child, right after the fork.
void tap_files_forked(void);

#endif  // WALTAX_DEVICES_PRELOAD_TAP_FILES_H_
