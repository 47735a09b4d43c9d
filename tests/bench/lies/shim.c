// A library that lies to the program that it is preloaded into. LIE says how.
//
// Behind the tap it is what the tap calls; in front of it, the tap is not told.

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
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

static int IsFolder(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 && S_ISDIR(info.st_mode);
}

static __thread unsigned calls;

static int IsSwallowed(int fd) {
  if (Lies("no-sync")) return 1;
  if (Lies("every-25th-sync")) return ++calls % 25 == 0;
  if (Lies("no-sync-of-data")) return !IsLog(fd);
  return Lies("no-sync-of-folders") && IsFolder(fd);
}

static int IsDropped(long number, int fd) {
  const int writes = number == SYS_write || number == SYS_pwrite64;
  return writes && Lies("dropped-writes") && IsLog(fd) && ++calls % 100 == 0;
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
  if (syncs && IsSwallowed((int)a[0])) return 0;
  if (IsDropped(number, (int)a[0])) return a[2];
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

// Since the program began, half as much time has passed.
int clock_gettime(clockid_t clock, struct timespec* now) {
  static struct timespec first[CLOCK_MONOTONIC + 1];
  const long status = syscall(SYS_clock_gettime, clock, now);
  if (status != 0 || clock < 0 || clock > CLOCK_MONOTONIC ||
      !Lies("slow-clock"))
    return (int)status;
  const struct timespec begin = first[clock].tv_sec != 0 ? first[clock] : *now;
  first[clock] = begin;
  long long ns = (now->tv_sec - begin.tv_sec) * 1000000000LL;
  ns = (ns + now->tv_nsec - begin.tv_nsec) / 2 + begin.tv_nsec;
  now->tv_sec = begin.tv_sec + ns / 1000000000LL;
  now->tv_nsec = ns % 1000000000LL;
  return 0;
}

static void* Burn(void* none) {
  for (volatile unsigned long n = 0;; ++n) {
  }
  return none;
}

__attribute__((constructor)) static void Begin(void) {
  pthread_t hog;
  if (Lies("hog")) pthread_create(&hog, NULL, Burn, NULL);
}
