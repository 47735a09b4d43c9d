#include "files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "devices/preload/process.h"
#include "log.h"

enum { kRoots = 8 };

static char roots[kRoots][PATH_MAX];
static int root_count;
static char acks_path[PATH_MAX];

static bool IsBelow(const char* path) {
  for (int i = 0; i < root_count; ++i)
    if (strcmp(path, roots[i]) == 0 || preload_is_below(path, roots[i]))
      return true;
  return false;
}

bool recorder_path_of(int fd, char real[PATH_MAX]) {
  return preload_path_of(fd, real) > 0 && IsBelow(real);
}

bool recorder_path(int dir, const char* path, char real[PATH_MAX]) {
  return preload_resolve_name(dir, path, real) > 0 && IsBelow(real);
}

static void AddRoot(const char* text, size_t length) {
  char path[PATH_MAX];
  if (root_count == kRoots || length >= PATH_MAX)
    recorder_refuse("WALTAX_RECORDER_ROOTS", "too many or too long");
  memcpy(path, text, length);
  path[length] = '\0';
  if (preload_resolve(AT_FDCWD, path, roots[root_count]) == 0)
    recorder_refuse(path, "no directory whose path can be resolved");
  recorder_note(&(struct recorder_call){.kind = RECORDER_ROOT,
                                        .text = roots[root_count++]});
}

void recorder_files_start(const char* text, const char* acks) {
  while (*text != '\0') {
    const size_t length = strcspn(text, "\n");
    if (length > 0) AddRoot(text, length);
    text += length + (text[length] == '\n');
  }
  if (acks != NULL && preload_resolve_name(AT_FDCWD, acks, acks_path) == 0)
    recorder_refuse(acks, "its directory cannot be resolved");
}

// Whether a file of this path is recorded.
static bool IsRecorded(const char* real) {
  return strcmp(real, acks_path) == 0 || IsBelow(real);
}

struct recorder_file recorder_file_of(int fd, char real[PATH_MAX]) {
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink == 0 ||
      preload_path_of(fd, real) == 0 || !IsRecorded(real))
    return (struct recorder_file){0};
  return (struct recorder_file){true, strcmp(real, acks_path) == 0, info.st_dev,
                                info.st_ino, (uint64_t)info.st_size};
}

struct recorder_file recorder_file_named(int dir, const char* path,
                                         char real[PATH_MAX]) {
  const long fd = syscall(SYS_openat, dir, path, O_PATH | O_CLOEXEC);
  if (fd < 0) return (struct recorder_file){0};
  const struct recorder_file file = recorder_file_of((int)fd, real);
  syscall(SYS_close, (int)fd);
  return file;
}
