// Hooks on calls that change a file's content or size.
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "devices/preload/tap/device.h"
#include "devices/preload/tap/files.h"
#include "hook.h"

// What `call` is decides much in these, which is known where they are called.
#define INLINE static inline __attribute__((always_inline))

// In place of an offset: the call is made where the file's position is.
enum { kAtPosition = -1 };

// Of an offset the kernel takes two halves; on 64 bits the first is all of it.
INLINE ssize_t Call(long call, int fd, const struct iovec* parts, int count,
                    off_t offset, int flags) {
  if (call == SYS_write || call == SYS_pwrite64)
    return syscall(call, fd, parts->iov_base, parts->iov_len, offset);
  return syscall(call, fd, parts, count, offset, 0L, flags);
}

// A write that the kernel carries through to the device is a sync as well. In
// memory it carried nothing anywhere, so that the device's time follows it.
static void SyncWrite(unsigned file, uint64_t start) {
  if (tap.emulate) start = tap_now();
  tap_files_answer_sync(file);
  tap_add(&tap.page->synced_writes, 1);
  tap_files_synced(file, start);
}

// On a WAL file it is not made where nothing is to be kept of its bytes.
INLINE ssize_t WriteFollowed(long call, int fd, const struct iovec* parts,
                             int count, off_t offset, int flags) {
  const unsigned followed = tap_followed(fd);
  if (!tap_is_file(followed))
    return Call(call, fd, parts, count, offset, flags);
  // Two readings of the clock would be half of what a counted write costs.
  const bool through = tap_files_writes_through(fd);
  const uint64_t start = tap.emulate || through ? tap_now() : 0;
  const ssize_t bytes = tap_rung_keeps_nothing()
                            ? (ssize_t)tap_rung_take(parts, count)
                            : Call(call, fd, parts, count, offset, flags);
  if (bytes < 0) return bytes;
  if (tap.emulate) tap_device_write((uint64_t)bytes, start);
  tap_files_wrote(followed, (uint64_t)bytes);
  if (through) SyncWrite(followed, start);
  return bytes;
}

// Apart, so that a program that is not recorded does not pay for it.
static __attribute__((noinline)) ssize_t
WriteRecorded(long call, int fd, const struct iovec* parts, int count,
              off_t offset, int flags) {
  // These take no position, so that the kernel refuses them.
  const bool places = call == SYS_pwrite64 || call == SYS_pwritev;
  RECORDED(recorder_write(fd, parts, places && offset < 0 ? -1 : count, offset,
                          flags),
           WriteFollowed(call, fd, parts, count, offset, flags));
}

INLINE ssize_t Write(long call, int fd, const struct iovec* parts, int count,
                     off_t offset, int flags) {
  if (__builtin_expect(recorder_on, 0))
    return WriteRecorded(call, fd, parts, count, offset, flags);
  return WriteFollowed(call, fd, parts, count, offset, flags);
}

HOOK ssize_t write(int fd, const void* data, size_t size) {
  const struct iovec part = {(void*)data, size};
  return Write(SYS_write, fd, &part, 1, kAtPosition, 0);
}
HOOK ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
  const struct iovec part = {(void*)data, size};
  return Write(SYS_pwrite64, fd, &part, 1, offset, 0);
}
ALSO(pwrite64, pwrite);
HOOK ssize_t writev(int fd, const struct iovec* parts, int count) {
  return Write(SYS_writev, fd, parts, count, kAtPosition, 0);
}
HOOK ssize_t pwritev(int fd, const struct iovec* parts, int count,
                     off_t offset) {
  return Write(SYS_pwritev, fd, parts, count, offset, 0);
}
ALSO(pwritev64, pwritev);
// Here an offset of -1 is the position.
HOOK ssize_t pwritev2(int fd, const struct iovec* parts, int count,
                      off_t offset, int flags) {
  if (tap_is_file(tap_followed(fd)) && (flags & (RWF_SYNC | RWF_DSYNC)))
    tap_add(&tap.page->bypasses, 1);
  return Write(SYS_pwritev2, fd, parts, count, offset, flags);
}
ALSO(pwritev64v2, pwritev2);

HOOK int ftruncate(int fd, off_t length) {
  RECORDED(recorder_change(fd, RECORDER_TRUNCATE, 0, length, 0),
           (int)syscall(SYS_ftruncate, fd, length));
}
ALSO(ftruncate64, ftruncate);
HOOK int truncate(const char* path, off_t length) {
  RECORDED(recorder_truncate(path, length),
           (int)syscall(SYS_truncate, path, length));
}
ALSO(truncate64, truncate);

// A memory file system fills preallocated space with zeroes on the spot (70 MB
// take tens of milliseconds), which no disk does; so emulation leaves it out.
static int AllocateFollowed(int fd, int mode, off_t offset, off_t length) {
  if (tap_is_file(tap_followed(fd)) &&
      (tap.emulate || tap_rung_keeps_nothing()))
    return 0;
  return (int)syscall(SYS_fallocate, fd, mode, offset, length);
}

HOOK int fallocate(int fd, int mode, off_t offset, off_t length) {
  RECORDED(
      recorder_change(fd, RECORDER_ALLOCATE, (uint32_t)mode, offset, length),
      AllocateFollowed(fd, mode, offset, length));
}
ALSO(fallocate64, fallocate);

// Returns the error, as POSIX asks. Where the file system cannot allocate
// this says so, which POSIX allows, and does not write zeroes as glibc would.
HOOK int posix_fallocate(int fd, off_t offset, off_t length) {
  const int before = errno;
  const int error = fallocate(fd, 0, offset, length) == 0 ? 0 : errno;
  errno = before;
  return error;
}
ALSO(posix_fallocate64, posix_fallocate);

// Stores into a mapping are not seen, so a writable one is only counted. When
// emulating it is refused: InnoDB takes a memory file system for persistent
// memory and maps its log there, which the device that is emulated would not
// let it do; refused, it writes and syncs as on a disk. A foreign program might
// end at a refusal, and what it maps need not be synced; but one that has just
// asked for persistent memory in vain, as InnoDB does, goes on without it.
HOOK void* mmap(void* address, size_t length, int protection, int flags, int fd,
                off_t offset) {
  const unsigned followed = tap_followed(fd);
  const int writes = (protection & PROT_WRITE) && (flags & MAP_SHARED);
  const int escapes = writes && tap_is_file(followed);
  static _Thread_local int asked_in_vain = -1;
  const bool keeps_out =
      tap_is_foreign() ? asked_in_vain == fd : tap.emulate != 0;
  asked_in_vain = -1;
  if (escapes && keeps_out) {
    errno = ENODEV;
    return MAP_FAILED;
  }
  void* mapped =
      (void*)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
  if (mapped == MAP_FAILED) {
    if (flags & MAP_SYNC) asked_in_vain = fd;
    return mapped;
  }
  if (escapes && !tap_is_foreign()) tap_add(&tap.page->bypasses, 1);
  if (escapes && tap_is_foreign()) tap_files_mapped(mapped, length);
  return mapped;
}
ALSO(mmap64, mmap);
