// Every spelling of a call that takes a name away or changes it, by way of two
// functions that each library has above: static int Unlink(int dir, const char*
// path, int flags) and static int Rename(int from_dir, const char* from, int
// to_dir, const char* to, unsigned flags).
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "devices/preload/hook.h"

HOOK int unlink(const char* path) { return Unlink(AT_FDCWD, path, 0); }
HOOK int unlinkat(int dir, const char* path, int flags) {
  return Unlink(dir, path, flags);
}
HOOK int remove(const char* path) {
  struct stat info;
  if (lstat(path, &info) != 0) return -1;
  return Unlink(AT_FDCWD, path, S_ISDIR(info.st_mode) ? AT_REMOVEDIR : 0);
}
HOOK int rename(const char* from, const char* to) {
  return Rename(AT_FDCWD, from, AT_FDCWD, to, 0);
}
HOOK int renameat(int from_dir, const char* from, int to_dir, const char* to) {
  return Rename(from_dir, from, to_dir, to, 0);
}
HOOK int renameat2(int from_dir, const char* from, int to_dir, const char* to,
                   unsigned flags) {
  return Rename(from_dir, from, to_dir, to, flags);
}
