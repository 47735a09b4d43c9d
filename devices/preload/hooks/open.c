// Hooks on calls that make and end descriptors.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "devices/preload/tap/files.h"
#include "hook.h"

// The tap wants to know where a path leads. One without links says so itself,
// which the kernel checks while it opens it (since Linux 5.6).
static int OpenFollowed(int dir, const char* path, int flags, mode_t mode) {
  const struct open_how how = {
      .flags = (unsigned)flags, .mode = mode, .resolve = RESOLVE_NO_SYMLINKS};
  int fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
  const bool has_link = fd < 0 && errno != ENOENT;
  if (has_link) fd = (int)syscall(SYS_openat, dir, path, flags, mode);
  if (fd >= 0) tap_files_opened(fd, path, flags, has_link);
  return fd;
}

static int Open(int dir, const char* path, int flags, mode_t mode) {
  if (tap_logs[TAP_WAL].page != NULL)
    return OpenFollowed(dir, path, flags, mode);
  return (int)syscall(SYS_openat, dir, path, flags, mode);
}

static int OpenAt(int dir, const char* path, int flags, mode_t mode) {
  RECORDED(recorder_open(dir, path, flags), Open(dir, path, flags, mode));
}

// The mode argument is there only when the flags may create a file.
#define READ_MODE(flags, mode)                                     \
  mode_t mode = 0;                                                 \
  if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) { \
    va_list arguments;                                             \
    va_start(arguments, flags);                                    \
    mode = va_arg(arguments, mode_t);                              \
    va_end(arguments);                                             \
  }

HOOK int open(const char* path, int flags, ...) {
  READ_MODE(flags, mode)
  return OpenAt(AT_FDCWD, path, flags, mode);
}
ALSO(open64, open);
HOOK int openat(int dir, const char* path, int flags, ...) {
  READ_MODE(flags, mode)
  return OpenAt(dir, path, flags, mode);
}
ALSO(openat64, openat);

// What programs built with _FORTIFY_SOURCE call instead.
HOOK int __open_2(const char* path, int flags) {
  return OpenAt(AT_FDCWD, path, flags, 0);
}
ALSO(__open64_2, __open_2);
HOOK int __openat_2(int dir, const char* path, int flags) {
  return OpenAt(dir, path, flags, 0);
}
ALSO(__openat64_2, __openat_2);

HOOK int creat(const char* path, mode_t mode) {
  return OpenAt(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
ALSO(creat64, creat);

// Forgets the descriptor first: once it is closed, another thread may get the
// same number.
HOOK int close(int fd) {
  if (tap_followed(fd) != TAP_NOT_FOLLOWED) tap_files_closed(fd);
  return (int)syscall(SYS_close, fd);
}

HOOK int close_range(unsigned first, unsigned last, int flags) {
  const bool closes = !(flags & CLOSE_RANGE_CLOEXEC);
  for (unsigned fd = first; closes && fd <= last && fd < TAP_FDS; ++fd)
    if (tap_followed((int)fd) != TAP_NOT_FOLLOWED) tap_files_closed((int)fd);
  return (int)syscall(SYS_close_range, first, last, flags);
}
HOOK void closefrom(int first) {
  close_range(first < 0 ? 0 : (unsigned)first, UINT_MAX, 0);
}

static int Duplicated(int from, int to) {
  if (to >= 0 && tap.page != NULL) tap_files_duplicated(from, to);
  return to;
}

HOOK int dup(int fd) { return Duplicated(fd, (int)syscall(SYS_dup, fd)); }

HOOK int dup2(int from, int to) {
  // There is no dup2 on newer machines, and dup3 refuses equal descriptors.
  if (from == to) return syscall(SYS_fcntl, from, F_GETFD) < 0 ? -1 : to;
  return Duplicated(from, (int)syscall(SYS_dup3, from, to, 0));
}

HOOK int dup3(int from, int to, int flags) {
  return Duplicated(from, (int)syscall(SYS_dup3, from, to, flags));
}

// Its argument is passed as if it were always there, where a list of arguments
// would be laid out in memory at each call. One that a command does not have is
// a value that the kernel ignores; the C library does the same.
HOOK int Fcntl(int fd, int command, long argument) __asm__("fcntl");
int Fcntl(int fd, int command, long argument) {
  const int result = (int)syscall(SYS_fcntl, fd, command, argument);
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
    return Duplicated(fd, result);
  return result;
}
HOOK int Fcntl64(int fd, int command, long argument) __asm__("fcntl64")
    __attribute__((alias("fcntl")));
