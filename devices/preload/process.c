#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void preload_refuse(const char* who, char* kept, size_t room,
                    const char* subject, const char* reason) {
  char line[512];
  const int length =
      snprintf(line, sizeof(line), "waltax %s: %s: %s\n", who, subject, reason);
  const size_t bytes =
      (size_t)length < sizeof(line) ? (size_t)length : sizeof(line) - 1;
  syscall(SYS_write, STDERR_FILENO, line, bytes);
  if (kept != NULL) snprintf(kept, room, "%s: %s", subject, reason);
  syscall(SYS_exit_group, 1);
  __builtin_unreachable();
}

size_t preload_path_of(int fd, char path[PATH_MAX]) {
  char link[32];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  path[length] = '\0';
  return (size_t)length;
}

size_t preload_resolve(int dir, const char* directory, char real[PATH_MAX]) {
  const int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  const int fd = (int)syscall(SYS_openat, dir, directory, flags);
  if (fd < 0) return 0;
  const size_t length = preload_path_of(fd, real);
  syscall(SYS_close, fd);
  errno = 0;
  return length;
}

size_t preload_resolve_name(int dir, const char* path, char real[PATH_MAX]) {
  char parent[PATH_MAX];
  size_t end = strnlen(path, PATH_MAX);
  while (end > 1 && path[end - 1] == '/') --end;
  size_t begin = end;
  while (begin > 0 && path[begin - 1] != '/') --begin;
  if (end == 0 || end >= PATH_MAX) return 0;
  memcpy(parent, path, begin);
  memcpy(parent + begin, ".", 2);
  const size_t length = preload_resolve(dir, parent, real);
  const size_t whole = length + 1 + (end - begin);
  if (length == 0 || whole >= PATH_MAX) return 0;
  real[length] = '/';
  memcpy(real + length + 1, path + begin, end - begin);
  real[whole] = '\0';
  return whole;
}

int preload_is_below(const char* path, const char* top) {
  const size_t length = strlen(top);
  return strncmp(path, top, length) == 0 && path[length] == '/' &&
         path[length + 1] != '\0';
}

void* preload_map(const char* path, int flags, size_t least, size_t* size) {
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  struct stat info;
  if (fd < 0 || fstat(fd, &info) != 0) return NULL;
  *size = (size_t)info.st_size;
  long address = -1;
  errno = 0;
  if (*size >= least)
    address = syscall(SYS_mmap, NULL, *size, PROT_READ | PROT_WRITE,
                      MAP_SHARED | flags, fd, 0);
  syscall(SYS_close, fd);
  return address == -1 ? NULL : (void*)address;
}
