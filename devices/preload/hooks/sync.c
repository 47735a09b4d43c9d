// Hooks on calls that make content durable. When emulating, the system call
// itself is left out: the files are in memory, where it does nothing.
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "devices/preload/tap/device.h"
#include "devices/preload/tap/files.h"
#include "hook.h"

static long Marked(long call, long first, long second, long third,
                   unsigned fourth) {
  return syscall(call, first, second, third, fourth, 0L, PRELOAD_MARK);
}

static int SyncFile(unsigned file, int fd, long call) {
  const uint64_t start = tap_now();
  if (!tap_files_answer_sync(file) && Marked(call, fd, 0, 0, 0) != 0) return -1;
  tap_files_synced(file, start);
  return 0;
}

static int SyncDirectory(int fd, long call) {
  const uint64_t start = tap_now();
  const int at_once = tap_rung_syncs_at_once();
  if (tap.emulate && !at_once)
    tap_device_dir_sync();
  else if (!at_once && Marked(call, fd, 0, 0, 0) != 0)
    return -1;
  tap_count_directory(start, tap_now());
  return 0;
}

static int SyncFollowed(int fd, long call) {
  const unsigned followed = tap_followed(fd);
  if (followed == TAP_DIRECTORY) return SyncDirectory(fd, call);
  if (tap_is_file(followed)) return SyncFile(followed, fd, call);
  return (int)Marked(call, fd, 0, 0, 0);
}

HOOK int fsync(int fd) {
  RECORDED(recorder_sync(fd, 0), SyncFollowed(fd, SYS_fsync));
}
HOOK int fdatasync(int fd) {
  RECORDED(recorder_sync(fd, 1), SyncFollowed(fd, SYS_fdatasync));
}

// Starts write-back and makes nothing durable. Emulated, what it covers is the
// device's to do before the next sync, and no longer that sync's.
static int WriteBack(int fd, off64_t offset, off64_t bytes, unsigned flags) {
  const unsigned followed = tap_followed(fd);
  if (!tap_is_file(followed))
    return (int)Marked(SYS_sync_file_range, fd, offset, bytes, flags);
  if (tap_rung_keeps_nothing()) return 0;  // nothing is there to write back
  if (!tap.emulate)
    return (int)Marked(SYS_sync_file_range, fd, offset, bytes, flags);
  // No bytes means to the end of the file. No flags is RocksDB's probe.
  const uint64_t limit = bytes > 0 ? (uint64_t)bytes : UINT64_MAX;
  if (flags & SYNC_FILE_RANGE_WRITE) tap_files_write_back(followed, limit);
  return 0;
}

HOOK int sync_file_range(int fd, off64_t offset, off64_t bytes,
                         unsigned flags) {
  RECORDED(recorder_change(fd, RECORDER_SYNC_RANGE, flags, offset, bytes),
           WriteBack(fd, offset, bytes, flags));
}

// Of a mapping no file is known here, so it is not emulated.
HOOK int msync(void* address, size_t length, int flags) {
  if ((flags & MS_SYNC) && tap_files_is_mapped(address))
    tap_add(&tap.page->bypasses, 1);
  return (int)Marked(SYS_msync, (long)address, (long)length, flags, 0);
}

HOOK int syncfs(int fd) {
  RECORDED(recorder_sync_all(fd), (int)Marked(SYS_syncfs, fd, 0, 0, 0));
}
static long SyncAll(void) {
  RECORDED(recorder_sync_all(-1), Marked(SYS_sync, 0, 0, 0, 0));
}
HOOK void sync(void) { SyncAll(); }
