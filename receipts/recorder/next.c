#include "next.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static int RawOpenat(int dir, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  return (int)syscall(SYS_openat, dir, path, flags, mode);
}
static ssize_t RawWrite(int fd, const void* data, size_t size) {
  return syscall(SYS_write, fd, data, size);
}
static ssize_t RawPwrite(int fd, const void* data, size_t size, off_t offset) {
  return syscall(SYS_pwrite64, fd, data, size, offset);
}
static ssize_t RawWritev(int fd, const struct iovec* parts, int count) {
  return syscall(SYS_writev, fd, parts, count);
}
// The kernel takes the offset in two halves; on 64 bits the first is all of it.
static ssize_t RawPwritev(int fd, const struct iovec* parts, int count,
                          off_t offset) {
  return syscall(SYS_pwritev, fd, parts, count, offset, 0L);
}
static ssize_t RawPwritev2(int fd, const struct iovec* parts, int count,
                           off_t offset, int flags) {
  return syscall(SYS_pwritev2, fd, parts, count, offset, 0L, flags);
}
static int RawFtruncate(int fd, off_t length) {
  return (int)syscall(SYS_ftruncate, fd, length);
}
static int RawFallocate(int fd, int mode, off_t offset, off_t length) {
  return (int)syscall(SYS_fallocate, fd, mode, offset, length);
}
static int RawUnlinkat(int dir, const char* path, int flags) {
  return (int)syscall(SYS_unlinkat, dir, path, flags);
}
static int RawRenameat2(int from_dir, const char* from, int to_dir,
                        const char* to, unsigned flags) {
  return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}
static int RawFsync(int fd) { return (int)syscall(SYS_fsync, fd); }
static int RawFdatasync(int fd) { return (int)syscall(SYS_fdatasync, fd); }
static int RawSyncFileRange(int fd, off_t offset, off_t bytes, unsigned flags) {
  return (int)syscall(SYS_sync_file_range, fd, offset, bytes, flags);
}
static void* RawMmap(void* address, size_t length, int protection, int flags,
                     int fd, off_t offset) {
  return (void*)syscall(SYS_mmap, address, length, protection, flags, fd,
                        offset);
}

struct recorder_next recorder_next = {
    .openat = RawOpenat,
    .write = RawWrite,
    .pwrite = RawPwrite,
    .writev = RawWritev,
    .pwritev = RawPwritev,
    .pwritev2 = RawPwritev2,
    .ftruncate = RawFtruncate,
    .fallocate = RawFallocate,
    .unlinkat = RawUnlinkat,
    .renameat2 = RawRenameat2,
    .fsync = RawFsync,
    .fdatasync = RawFdatasync,
    .sync_file_range = RawSyncFileRange,
    .mmap = RawMmap,
};

void* recorder_next_named(const char* name) { return dlsym(RTLD_NEXT, name); }

#define FIND(name)                                                \
  do {                                                            \
    void* found = recorder_next_named(#name);                     \
    if (found != NULL)                                            \
      recorder_next.name = (__typeof__(recorder_next.name))found; \
  } while (0)

void recorder_next_start(void) {
  FIND(openat);
  FIND(write);
  FIND(pwrite);
  FIND(writev);
  FIND(pwritev);
  FIND(pwritev2);
  FIND(ftruncate);
  FIND(fallocate);
  FIND(unlinkat);
  FIND(renameat2);
  FIND(fsync);
  FIND(fdatasync);
  FIND(sync_file_range);
  FIND(mmap);
}
