// Which descriptors and files the tap follows. A table maps descriptors to
// files; a file keeps its slot in the page from its first open for writing
// until it is unlinked and closed and another file needs the slot.
//
// A foreign program's log is named by patterns of paths, and a process of it
// that forks hands its files on.
//
// Blind spots: descriptors from TAP_FDS up, raw system calls and io_uring are
// not seen, and of an engine's log other processes. The engine's own sync
// counter exposes them, or that of the kernel.
#ifndef WALTAX_DEVICES_PRELOAD_TAP_FILES_H_
#define WALTAX_DEVICES_PRELOAD_TAP_FILES_H_

#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "model.h"
#include "tap.h"

#define TAP_FDS 65536
#define TAP_NOT_FOLLOWED 0
#define TAP_DIRECTORY 0xffff
// Numbers of the binlog's files begin here, and end where the bit does.
#define TAP_BINLOG_FILES 0x2000
#define TAP_DATA 0xfffe  // a data file whose reads are delayed

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
static inline int tap_is_file(unsigned followed) {
  return followed - 1u < TAP_DATA - 1u;
}

// True when the last part of `path` is a name that an engine gives its log.
int tap_is_wal_name(const char* path);

// After `fd` was opened: starts to follow it when it is a log's file opened for
// writing, the WAL directory, or a data file whose reads are delayed. `path`
// and `flags` are those of the open.
void tap_files_opened(int fd, const char* path, int flags);
// The same of a foreign program. With O_NOFOLLOW the last part of `path`, which
// begins at `dir`, is known to be no link. `names` is of before (paths.h), or
// 0 where that is not known.
void tap_files_opened_foreign(int fd, int dir, const char* path, int flags,
                              uint64_t names);
void tap_files_duplicated(int from, int to);
void tap_files_closed(int fd);

// After a write of `bytes` at `offset`, or at the file's position when that is
// negative, which took `ns`.
void tap_files_wrote(unsigned file, int64_t offset, uint64_t bytes,
                     uint64_t ns);
// Where a seek from `whence` leads to: from the start, the position or the end
// of what was written; of another `whence` the offset as it is.
int64_t tap_files_seek(unsigned file, int64_t offset, int whence);
void tap_files_sought(unsigned file, int64_t position);
void tap_files_truncated(unsigned file, int64_t length);
// After space was preallocated up to `end`.
void tap_files_allocated(unsigned file, int64_t end);

// True when each write by the descriptor of a log is a sync, too.
int tap_files_writes_through(int fd);

// What the blocks under the last write were before it.
enum tap_file_state tap_files_state(unsigned file);

// Length of the file now: what a sync that begins now makes durable.
uint64_t tap_files_length(unsigned file);
// After a successful sync that began at `length`, and at `start`.
void tap_files_synced(unsigned file, uint64_t length, uint64_t start);
// Takes at most `limit` of the file's unsynced bytes, which are then synced.
uint64_t tap_files_take_unsynced(unsigned file, uint64_t limit);

// After a foreign program mapped a log's file to write it; and whether
// `address` lies in such a mapping, of which the last ones are known.
void tap_files_mapped(const void* address, size_t length);
int tap_files_is_mapped(const void* address);

// In a child, right after the fork.
void tap_files_forked(void);

// After the file behind `info` lost its last name, or got the name `path`.
void tap_files_unlinked(const struct stat* info);
void tap_files_unlinked_path(const char* path);
void tap_files_renamed(const struct stat* info, const char* path);

#endif  // WALTAX_DEVICES_PRELOAD_TAP_FILES_H_
