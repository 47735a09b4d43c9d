// Hooks on calls that change names.
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files.h"
#include "log.h"
#include "names.h"
#include "next.h"

pthread_mutex_t recorder_names = PTHREAD_MUTEX_INITIALIZER;

static int Unlink(int dir, const char* path, int flags) {
  char real[PATH_MAX];
  if (!recorder_on() || !recorder_path(dir, path, real))
    return recorder_next.unlinkat(dir, path, flags);
  pthread_mutex_lock(&recorder_names);
  const struct recorder_last last = recorder_file_last(dir, path);
  struct recorder_record* record = recorder_begin(&(struct recorder_call){
      .kind = flags & AT_REMOVEDIR ? RECORDER_RMDIR : RECORDER_UNLINK,
      .text = real});
  const int result = recorder_next.unlinkat(dir, path, flags);
  recorder_end(record, result);
  if (result == 0) recorder_file_gone(last);
  pthread_mutex_unlock(&recorder_names);
  return result;
}
HOOK int rmdir(const char* path) {
  return Unlink(AT_FDCWD, path, AT_REMOVEDIR);
}

static int Rename(int from_dir, const char* from, int to_dir, const char* to,
                  unsigned flags) {
  char real_from[PATH_MAX], real_to[PATH_MAX];
  const bool leaves = recorder_on() && recorder_path(from_dir, from, real_from);
  const bool enters = recorder_on() && recorder_path(to_dir, to, real_to);
  if (!leaves && !enters)
    return recorder_next.renameat2(from_dir, from, to_dir, to, flags);
  pthread_mutex_lock(&recorder_names);
  const struct recorder_last replaced = recorder_file_last(to_dir, to);
  struct recorder_record* record =
      recorder_begin(&(struct recorder_call){.kind = RECORDER_RENAME,
                                             .flags = flags,
                                             .text = leaves ? real_from : NULL,
                                             .other = enters ? real_to : NULL});
  const int result = recorder_next.renameat2(from_dir, from, to_dir, to, flags);
  recorder_end(record, result);
  if (result == 0 && !(flags & RENAME_EXCHANGE)) recorder_file_gone(replaced);
  pthread_mutex_unlock(&recorder_names);
  return result;
}

#include "devices/preload/spell_names.inc"

static int Link(int from_dir, const char* from, int to_dir, const char* to,
                int flags) {
  char real_from[PATH_MAX], real_to[PATH_MAX];
  if (!recorder_on() || !recorder_path(to_dir, to, real_to))
    return (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
  const bool inside = recorder_path(from_dir, from, real_from);
  pthread_mutex_lock(&recorder_names);
  struct recorder_record* record =
      recorder_begin(&(struct recorder_call){.kind = RECORDER_LINK,
                                             .text = inside ? real_from : NULL,
                                             .other = real_to});
  const int result =
      (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags);
  recorder_end(record, result);
  pthread_mutex_unlock(&recorder_names);
  return result;
}
HOOK int link(const char* from, const char* to) {
  return Link(AT_FDCWD, from, AT_FDCWD, to, 0);
}
HOOK int linkat(int from_dir, const char* from, int to_dir, const char* to,
                int flags) {
  return Link(from_dir, from, to_dir, to, flags);
}

static int MakeDirectory(int dir, const char* path, mode_t mode) {
  char real[PATH_MAX];
  if (!recorder_on() || !recorder_path(dir, path, real))
    return (int)syscall(SYS_mkdirat, dir, path, mode);
  pthread_mutex_lock(&recorder_names);
  struct recorder_record* record = recorder_begin(
      &(struct recorder_call){.kind = RECORDER_MKDIR, .text = real});
  const int result = (int)syscall(SYS_mkdirat, dir, path, mode);
  recorder_end(record, result);
  pthread_mutex_unlock(&recorder_names);
  return result;
}
HOOK int mkdir(const char* path, mode_t mode) {
  return MakeDirectory(AT_FDCWD, path, mode);
}
HOOK int mkdirat(int dir, const char* path, mode_t mode) {
  return MakeDirectory(dir, path, mode);
}
