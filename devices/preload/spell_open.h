// Every spelling of a call that opens a file, by way of one function that each
// library has above: static int OpenAt(int dir, const char* path, int flags,
// mode_t mode).
#include <fcntl.h>
#include <stdarg.h>

#include "devices/preload/hook.h"

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
HOOK int open64(const char* path, int flags, ...) {
  READ_MODE(flags, mode)
  return OpenAt(AT_FDCWD, path, flags, mode);
}
HOOK int openat(int dir, const char* path, int flags, ...) {
  READ_MODE(flags, mode)
  return OpenAt(dir, path, flags, mode);
}
HOOK int openat64(int dir, const char* path, int flags, ...) {
  READ_MODE(flags, mode)
  return OpenAt(dir, path, flags, mode);
}

// What programs built with _FORTIFY_SOURCE call instead.
HOOK int __open_2(const char* path, int flags) {
  return OpenAt(AT_FDCWD, path, flags, 0);
}
HOOK int __open64_2(const char* path, int flags) {
  return OpenAt(AT_FDCWD, path, flags, 0);
}
HOOK int __openat_2(int dir, const char* path, int flags) {
  return OpenAt(dir, path, flags, 0);
}
HOOK int __openat64_2(int dir, const char* path, int flags) {
  return OpenAt(dir, path, flags, 0);
}

HOOK int creat(const char* path, mode_t mode) {
  return OpenAt(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
HOOK int creat64(const char* path, mode_t mode) {
  return OpenAt(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
