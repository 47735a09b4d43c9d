// Hooks on calls that read a file's content. Those of data files last as long
// as on the data device that is emulated; all others are as they are.
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "devices/preload/clock.h"
#include "devices/preload/tap/device.h"
#include "devices/preload/tap/files.h"
#include "hook.h"

enum { kNone = -1 };

// The same number on every processor; headers of before Linux 6.5 lack it.
enum { kSysCachestat = 451 };

static ssize_t Wanted(const struct iovec* parts, int count) {
  size_t bytes = 0;
  for (int part = 0; part < count; ++part) bytes += parts[part].iov_len;
  return (ssize_t)bytes;
}

// How many pages of a range the page cache holds, or kNone where the kernel
// does not tell (before Linux 6.5, or somebody else's file).
static int64_t CachedPages(int fd, off64_t offset, ssize_t bytes) {
  const uint64_t range[2] = {(uint64_t)offset, (uint64_t)bytes};
  uint64_t found[5];  // cached, dirty, under writeback, evicted, lately so
  if (syscall(kSysCachestat, fd, range, found, 0) != 0) return kNone;
  return (int64_t)found[0];
}

static int64_t PagesOf(off64_t offset, ssize_t bytes) {
  const off64_t page = getpagesize();
  return (offset + bytes - 1) / page - offset / page + 1;
}

// Reads what the page cache holds and waits for no disk. Returns how much that
// was, or kNone. RWF_NOWAIT alone does not do: it begins to read ahead what it
// misses, and returns that, too, where the disk has answered before the kernel
// looks again, as a busy CPU lets it. So pages are counted first. Of a file
// opened with O_DIRECT nothing is cached, though the kernel would read it: it
// is asked each time, as fcntl may change that.
static ssize_t ReadCached(int fd, const struct iovec* parts, int count,
                          off64_t offset, int flags) {
  const long mode = syscall(SYS_fcntl, fd, F_GETFL);
  if (mode < 0 || (mode & O_DIRECT)) return kNone;
  if (offset == kAtPosition) offset = syscall(SYS_lseek, fd, 0L, SEEK_CUR);
  if (offset < 0) return kNone;
  const int64_t pages = CachedPages(fd, offset, Wanted(parts, count));
  const ssize_t bytes =
      syscall(SYS_preadv2, fd, parts, count, offset, 0L, flags | RWF_NOWAIT);
  if (bytes < 0 && errno == EOPNOTSUPP)
    tap_add(&tap.page->data_reads_unasked, 1);
  if (bytes > 0 && pages != kNone && pages < PagesOf(offset, bytes))
    return kNone;
  return bytes < 0 ? kNone : bytes;
}

// A part that is cached does not help: the rest is waited for.
static __attribute__((noinline)) ssize_t ReadData(int fd,
                                                  const struct iovec* parts,
                                                  int count, off64_t offset,
                                                  int flags) {
  const uint64_t start = tap_now();
  const int before = errno;
  const ssize_t cached = ReadCached(fd, parts, count, offset, flags);
  ssize_t bytes = cached;
  if (cached < Wanted(parts, count) || offset == kAtPosition)
    bytes = syscall(SYS_preadv2, fd, parts, count, offset, 0L, flags);
  if (bytes < 0) return bytes;
  errno = before;
  if (bytes > 0 && bytes == cached)
    tap_add(&tap.page->data_reads_cached, 1);
  else if (bytes > 0)
    tap_reads_wait(start, (uint64_t)bytes);
  return bytes;
}

// An offset that no call takes is left to the kernel to refuse.
HOOK_INLINE ssize_t Read(long call, int fd, const struct iovec* parts,
                         int count, off64_t offset, int flags) {
  const bool places = call == SYS_pread64 || call == SYS_preadv;
  if (tap_followed(fd) != TAP_DATA || offset < (places ? 0 : kAtPosition))
    return hook_call(call, fd, parts, count, offset, flags);
  return ReadData(fd, parts, count, offset, flags);
}

HOOK ssize_t read(int fd, void* data, size_t size) {
  const struct iovec part = {data, size};
  return Read(SYS_read, fd, &part, 1, kAtPosition, 0);
}
HOOK ssize_t pread(int fd, void* data, size_t size, off_t offset) {
  const struct iovec part = {data, size};
  return Read(SYS_pread64, fd, &part, 1, offset, 0);
}
ALSO(pread64, pread);
HOOK ssize_t readv(int fd, const struct iovec* parts, int count) {
  return Read(SYS_readv, fd, parts, count, kAtPosition, 0);
}
HOOK ssize_t preadv(int fd, const struct iovec* parts, int count,
                    off_t offset) {
  return Read(SYS_preadv, fd, parts, count, offset, 0);
}
ALSO(preadv64, preadv);
// Alone of these it takes kAtPosition.
HOOK ssize_t preadv2(int fd, const struct iovec* parts, int count, off_t offset,
                     int flags) {
  return Read(SYS_preadv2, fd, parts, count, offset, flags);
}
ALSO(preadv64v2, preadv2);

// What programs built with _FORTIFY_SOURCE call instead. A read beyond its room
// ends the program there, and here.
static void Fit(size_t size, size_t room) {
  if (size > room) __builtin_trap();
}
HOOK ssize_t __read_chk(int fd, void* data, size_t size, size_t room) {
  Fit(size, room);
  return read(fd, data, size);
}
HOOK ssize_t __pread_chk(int fd, void* data, size_t size, off_t offset,
                         size_t room) {
  Fit(size, room);
  return pread(fd, data, size, offset);
}
ALSO(__pread64_chk, __pread_chk);
