// Hooks on calls that change names.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "devices/preload/tap/files.h"
#include "hook.h"

HOOK int unlinkat(int dir, const char* path, int flags) {
  RECORDED(
      recorder_name(flags & AT_REMOVEDIR ? RECORDER_RMDIR : RECORDER_UNLINK, 0,
                    dir, path, dir, NULL),
      (int)syscall(SYS_unlinkat, dir, path, flags));
}
HOOK int unlink(const char* path) { return unlinkat(AT_FDCWD, path, 0); }
HOOK int rmdir(const char* path) {
  return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}
HOOK int remove(const char* path) {
  struct stat info;
  if (lstat(path, &info) != 0) return -1;
  return S_ISDIR(info.st_mode) ? rmdir(path) : unlink(path);
}

static int RenameFollowed(int from_dir, const char* from, int to_dir,
                          const char* to, unsigned flags) {
  const int result =
      (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
  if (result == 0) tap_files_renamed(from_dir, from, to_dir, to);
  return result;
}

HOOK int renameat2(int from_dir, const char* from, int to_dir, const char* to,
                   unsigned flags) {
  RECORDED(recorder_name(RECORDER_RENAME, flags, from_dir, from, to_dir, to),
           RenameFollowed(from_dir, from, to_dir, to, flags));
}
HOOK int renameat(int from_dir, const char* from, int to_dir, const char* to) {
  return renameat2(from_dir, from, to_dir, to, 0);
}
HOOK int rename(const char* from, const char* to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

HOOK int linkat(int from_dir, const char* from, int to_dir, const char* to,
                int flags) {
  RECORDED(recorder_name(RECORDER_LINK, 0, from_dir, from, to_dir, to),
           (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags));
}
HOOK int link(const char* from, const char* to) {
  return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

HOOK int mkdirat(int dir, const char* path, mode_t mode) {
  RECORDED(recorder_name(RECORDER_MKDIR, 0, dir, path, dir, NULL),
           (int)syscall(SYS_mkdirat, dir, path, mode));
}
HOOK int mkdir(const char* path, mode_t mode) {
  return mkdirat(AT_FDCWD, path, mode);
}
