// Hooks on calls that change a file's content or size.
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "devices/preload/hook.h"
#include "files.h"
#include "rung.h"
#include "tap.h"

// A write that the kernel carries through to the device is a sync as well. In
// memory it carried nothing anywhere, so that the device's time follows it.
static void SyncWrite(unsigned file, uint64_t ticks) {
  const uint64_t length = tap_files_length(file);
  const uint64_t bytes = tap_files_take_unsynced(file, UINT64_MAX);
  if (tap.emulate) ticks = tap_ticks();
  if (tap_rung_syncs_at_once())
    tap_add(&tap.page->syncs_at_once, 1);
  else if (tap.emulate)
    tap_device_sync(tap_files_state(file), bytes);
  tap_add(&tap.page->synced_writes, 1);
  tap_files_synced(file, length, ticks);
}

static ssize_t Wrote(unsigned file, int64_t offset, ssize_t bytes,
                     uint64_t ticks) {
  if (bytes < 0) return bytes;
  if (tap.emulate) tap_device_write((uint64_t)bytes, ticks);
  tap_files_wrote(file, offset, (uint64_t)bytes, tap_ns_since(ticks));
  if (tap_files_writes_through(file)) SyncWrite(file, ticks);
  return bytes;
}

// The call as it is, followed when its descriptor is that of a WAL file; there
// it is not made where nothing is to be kept of its `bytes`.
#define FOLLOW_WRITE(fd, offset, bytes, call)                      \
  do {                                                             \
    const unsigned followed = tap_followed(fd);                    \
    if (!tap_is_file(followed)) return (call);                     \
    const uint64_t ticks = tap_ticks();                            \
    if (tap_rung_keeps_nothing())                                  \
      return Wrote(followed, offset, tap_rung_take(bytes), ticks); \
    return Wrote(followed, offset, (call), ticks);                 \
  } while (0)

static ssize_t Write(int fd, const void* data, size_t size) {
  FOLLOW_WRITE(fd, kAtPosition, (ssize_t)size,
               syscall(SYS_write, fd, data, size));
}
static ssize_t WriteAt(int fd, const void* data, size_t size, off64_t offset) {
  FOLLOW_WRITE(fd, offset, (ssize_t)size,
               syscall(SYS_pwrite64, fd, data, size, offset));
}
static ssize_t WriteParts(int fd, const struct iovec* parts, int count) {
  FOLLOW_WRITE(fd, kAtPosition, tap_rung_bytes(parts, count),
               syscall(SYS_writev, fd, parts, count));
}
// The kernel takes the offset in two halves; on 64 bits the first is all of it.
static ssize_t WritePartsAt(int fd, const struct iovec* parts, int count,
                            off64_t offset) {
  FOLLOW_WRITE(fd, offset, tap_rung_bytes(parts, count),
               syscall(SYS_pwritev, fd, parts, count, offset, 0L));
}
static ssize_t WritePartsAt2(int fd, const struct iovec* parts, int count,
                             off64_t offset, int flags) {
  if (tap_is_file(tap_followed(fd)) && (flags & (RWF_SYNC | RWF_DSYNC)))
    tap_add(&tap.page->bypasses, 1);
  FOLLOW_WRITE(fd, offset, tap_rung_bytes(parts, count),
               syscall(SYS_pwritev2, fd, parts, count, offset, 0L, flags));
}

static off64_t Seek(int fd, off64_t offset, int whence) {
  const unsigned followed = tap_followed(fd);
  // The kernel does not know of bytes that were taken and not kept.
  if (tap_is_file(followed) && tap_rung_keeps_nothing()) {
    offset = tap_files_seek(followed, offset, whence);
    whence = whence <= SEEK_END ? SEEK_SET : whence;
  }
  const off64_t position = syscall(SYS_lseek, fd, offset, whence);
  if (tap_is_file(followed) && position >= 0)
    tap_files_sought(followed, position);
  return position;
}
HOOK off_t lseek(int fd, off_t offset, int whence) {
  return Seek(fd, offset, whence);
}
HOOK off64_t lseek64(int fd, off64_t offset, int whence) {
  return Seek(fd, offset, whence);
}

static int Truncate(int fd, off64_t length) {
  const int result = (int)syscall(SYS_ftruncate, fd, length);
  const unsigned followed = tap_followed(fd);
  if (tap_is_file(followed) && result == 0)
    tap_files_truncated(followed, length);
  return result;
}

// A memory file system fills preallocated space with zeroes on the spot (70 MB
// take tens of milliseconds), which no disk does; so emulation leaves it out.
static int Allocate(int fd, int mode, off64_t offset, off64_t length) {
  const unsigned followed = tap_followed(fd);
  if (!tap_is_file(followed))
    return (int)syscall(SYS_fallocate, fd, mode, offset, length);
  const uint64_t ticks = tap_ticks();
  int result = 0;
  if (tap.emulate || tap_rung_keeps_nothing())
    tap_add(&tap.page->fallocates_skipped, 1);
  else
    result = (int)syscall(SYS_fallocate, fd, mode, offset, length);
  if (result == 0) {
    if ((mode & ~FALLOC_FL_KEEP_SIZE) == 0)
      tap_files_allocated(followed, offset + length);
    tap_add(&tap.page->fallocates, 1);
    tap_add(&tap.page->fallocate_ns, tap_ns_since(ticks));
  }
  return result;
}

#include "devices/preload/spell_write.inc"

// Stores into a mapping are not seen, so a writable one is only counted. When
// emulating it is refused: InnoDB takes a memory file system for persistent
// memory and maps its log there, which the device that is emulated would not
// let it do; refused, it writes and syncs as on a disk. A data file's mapping
// is refused when its reads are delayed, since what is read of it is not seen.
static void* Map(void* address, size_t length, int protection, int flags,
                 int fd, off64_t offset) {
  const unsigned followed = tap_followed(fd);
  const int escapes = (protection & PROT_WRITE) && (flags & MAP_SHARED) &&
                      tap_is_file(followed);
  if (followed == TAP_DATA || (escapes && tap.emulate)) {
    errno = ENODEV;
    return MAP_FAILED;
  }
  void* mapped =
      (void*)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
  if (escapes && mapped != MAP_FAILED) tap_add(&tap.page->bypasses, 1);
  return mapped;
}
HOOK void* mmap(void* address, size_t length, int protection, int flags, int fd,
                off_t offset) {
  return Map(address, length, protection, flags, fd, offset);
}
HOOK void* mmap64(void* address, size_t length, int protection, int flags,
                  int fd, off64_t offset) {
  return Map(address, length, protection, flags, fd, offset);
}
