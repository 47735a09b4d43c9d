// A disk that fails once FAULT_WHEN exists: FAULT_CALL (open, write or sync) of
// files whose path contains FAULT_IN ends with FAULT_ERRNO. The first write is
// cut in half, as on a disk that fills.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int planted(const char* call, const char* path) {
  const char *when = getenv("FAULT_WHEN"), *asked = getenv("FAULT_CALL");
  if (!when || !asked || strcmp(asked, call) || access(when, F_OK)) return 0;
  return strstr(path, getenv("FAULT_IN")) ? atoi(getenv("FAULT_ERRNO")) : 0;
}

static int planted_fd(const char* call, int fd) {
  char link[64], path[4096];
  int before = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t size = readlink(link, path, sizeof path - 1);
  path[size < 0 ? 0 : size] = 0;
  int error = planted(call, path);
  errno = error ? error : before;
  return error;
}

ssize_t write(int fd, const void* bytes, size_t count) {
  static atomic_int halved;
  ssize_t (*next)(int, const void*, size_t) = dlsym(RTLD_NEXT, "write");
  if (planted_fd("write", fd)) {
    if (count < 2 || atomic_exchange(&halved, 1)) return -1;
    count /= 2;
  }
  return next(fd, bytes, count);
}

#define PWRITE(name, offset_t)                                         \
  ssize_t name(int fd, const void* bytes, size_t count, offset_t at) { \
    ssize_t (*next)(int, const void*, size_t, offset_t) =              \
        dlsym(RTLD_NEXT, #name);                                       \
    return planted_fd("write", fd) ? -1 : next(fd, bytes, count, at);  \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define SYNC(name)                                      \
  int name(int fd) {                                    \
    if (planted_fd("sync", fd)) return -1;              \
    return ((int (*)(int))dlsym(RTLD_NEXT, #name))(fd); \
  }
SYNC(fsync)
SYNC(fdatasync)

#define OPEN(name)                                                           \
  int name(const char* path, int flags, ...) {                               \
    va_list rest;                                                            \
    va_start(rest, flags);                                                   \
    int mode = va_arg(rest, int);                                            \
    va_end(rest);                                                            \
    int error = (flags & O_ACCMODE) == O_RDONLY ? 0 : planted("open", path); \
    if (error) return errno = error, -1;                                     \
    return ((int (*)(const char*, int, ...))dlsym(RTLD_NEXT, #name))(        \
        path, flags, mode);                                                  \
  }
OPEN(open)
OPEN(open64)
