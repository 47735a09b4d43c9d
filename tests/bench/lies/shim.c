// A library that lies to the program that it is preloaded into. LIE says how.
//
// Behind the tap it is what the tap calls; in front of it, the tap is not told.

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int Lies(const char* name) {
  const char* told = getenv("LIE");
  return told != NULL && strcmp(told, name) == 0;
}

static int IsLog(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, sizeof path);
  return length > 4 && memcmp(path + length - 4, ".log", 4) == 0;
}

static __thread unsigned calls;

static int IsSwallowed(void) {
  if (Lies("no-sync")) return 1;
  return Lies("every-25th-sync") && ++calls % 25 == 0;
}

// By which the tap asks the kernel.
long syscall(long number, ...) {
  static long (*next)(long, ...);
  if (next == NULL) next = dlsym(RTLD_NEXT, "syscall");
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; ++i) a[i] = va_arg(rest, long);
  va_end(rest);
  const int syncs = number == SYS_fsync || number == SYS_fdatasync;
  if (syncs && IsSwallowed()) return 0;
  return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// In front of the tap: it is not told of every hundredth write.
ssize_t write(int fd, const void* data, size_t size) {
  static ssize_t (*next)(int, const void*, size_t);
  if (next == NULL) next = dlsym(RTLD_NEXT, "write");
  if (Lies("hidden-writes") && IsLog(fd) && ++calls % 100 == 0)
    return syscall(SYS_write, fd, data, size);
  return next(fd, data, size);
}
