// Hooks on calls that make and end descriptors. All hooks issue the system call
// themselves and never look up the next symbol (dlsym may allocate, and an
// allocator that opens files while it starts would come back here). They are
// therefore no cancellation points.
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files.h"
#include "tap.h"

static int OpenAt(int dir, const char* path, int flags, mode_t mode) {
  const int fd = (int)syscall(SYS_openat, dir, path, flags, mode);
  if (fd >= 0 && tap.page != NULL) tap_files_opened(fd, path, flags);
  return fd;
}

#include "devices/preload/spell_open.inc"

// Forgets the descriptor first: once it is closed, another thread may get the
// same number.
HOOK int close(int fd) {
  if (tap_followed(fd) != TAP_NOT_FOLLOWED) tap_files_closed(fd);
  return (int)syscall(SYS_close, fd);
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

static int Fcntl(int fd, int command, long argument) {
  const int result = (int)syscall(SYS_fcntl, fd, command, argument);
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
    return Duplicated(fd, result);
  return result;
}

// Reading an argument that a command does not have gives a value that the
// kernel ignores; the C library does the same.
#define READ_ARGUMENT(after, argument)     \
  va_list arguments;                       \
  va_start(arguments, after);              \
  long argument = va_arg(arguments, long); \
  va_end(arguments);

HOOK int fcntl(int fd, int command, ...) {
  READ_ARGUMENT(command, argument)
  return Fcntl(fd, command, argument);
}
HOOK int fcntl64(int fd, int command, ...) {
  READ_ARGUMENT(command, argument)
  return Fcntl(fd, command, argument);
}
