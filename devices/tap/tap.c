// What every part of the tap stands on: its settings, and the way out.
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct tap_settings tap_logs[TAP_LOGS];
_Thread_local struct tap_settings* tap_of_call = &tap_logs[TAP_WAL];

void tap_refuse(const char* subject, const char* reason) {
  char line[512];
  const int length =
      snprintf(line, sizeof(line), "waltax tap: %s: %s\n", subject, reason);
  const size_t bytes =
      (size_t)length < sizeof(line) ? (size_t)length : sizeof(line) - 1;
  syscall(SYS_write, STDERR_FILENO, line, bytes);
  if (tap.page != NULL)
    snprintf(tap.page->refused, TAP_REASON, "%s: %s", subject, reason);
  syscall(SYS_exit_group, 1);
  __builtin_unreachable();
}

size_t tap_path_of(int fd, char path[PATH_MAX]) {
  char link[32];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  path[length] = '\0';
  return (size_t)length;
}

int tap_open_or_refuse(const char* path, int flags) {
  const long fd = syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC);
  if (fd < 0) tap_refuse(path, strerror(errno));
  return (int)fd;
}

size_t tap_resolve(const char* directory, char canonical[PATH_MAX]) {
  const int fd = tap_open_or_refuse(directory, O_PATH | O_DIRECTORY);
  const size_t length = tap_path_of(fd, canonical);
  if (length == 0) tap_refuse(directory, "cannot resolve the path");
  syscall(SYS_close, fd);
  return length;
}
