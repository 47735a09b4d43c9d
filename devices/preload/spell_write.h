// Every spelling of a call that changes a file's content or size, by way of the
// functions that each library has above: Write, WriteAt, WriteParts,
// WritePartsAt, WritePartsAt2, Truncate and Allocate.
#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "devices/preload/hook.h"

HOOK ssize_t write(int fd, const void* data, size_t size) {
  return Write(fd, data, size);
}
HOOK ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
  return WriteAt(fd, data, size, offset);
}
HOOK ssize_t pwrite64(int fd, const void* data, size_t size, off64_t offset) {
  return WriteAt(fd, data, size, offset);
}
HOOK ssize_t writev(int fd, const struct iovec* parts, int count) {
  return WriteParts(fd, parts, count);
}
HOOK ssize_t pwritev(int fd, const struct iovec* parts, int count,
                     off_t offset) {
  return WritePartsAt(fd, parts, count, offset);
}
HOOK ssize_t pwritev64(int fd, const struct iovec* parts, int count,
                       off64_t offset) {
  return WritePartsAt(fd, parts, count, offset);
}
HOOK ssize_t pwritev2(int fd, const struct iovec* parts, int count,
                      off_t offset, int flags) {
  return WritePartsAt2(fd, parts, count, offset, flags);
}
HOOK ssize_t pwritev64v2(int fd, const struct iovec* parts, int count,
                         off64_t offset, int flags) {
  return WritePartsAt2(fd, parts, count, offset, flags);
}

HOOK int ftruncate(int fd, off_t length) { return Truncate(fd, length); }
HOOK int ftruncate64(int fd, off64_t length) { return Truncate(fd, length); }

HOOK int fallocate(int fd, int mode, off_t offset, off_t length) {
  return Allocate(fd, mode, offset, length);
}
HOOK int fallocate64(int fd, int mode, off64_t offset, off64_t length) {
  return Allocate(fd, mode, offset, length);
}

// Returns the error, as POSIX has it. Where the file system cannot allocate
// this says so, which POSIX allows, and does not write zeroes as glibc would.
static int PosixAllocate(int fd, off64_t offset, off64_t length) {
  const int before = errno;
  const int error = Allocate(fd, 0, offset, length) == 0 ? 0 : errno;
  errno = before;
  return error;
}
HOOK int posix_fallocate(int fd, off_t offset, off_t length) {
  return PosixAllocate(fd, offset, length);
}
HOOK int posix_fallocate64(int fd, off64_t offset, off64_t length) {
  return PosixAllocate(fd, offset, length);
}
