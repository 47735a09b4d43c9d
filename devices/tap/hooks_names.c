// Hooks on calls that change names. A file is recognised by its inode, so any
// way to write its path will do.
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files.h"
#include "tap.h"

// True when `path` may name a WAL file; `info` is then what it names.
static bool Look(int dir, const char* path, struct stat* info) {
  tap_of_call = &tap_logs[TAP_WAL];  // no server renames its binlog
  return tap.page != NULL && tap_is_wal_name(path) &&
         fstatat(dir, path, info, AT_SYMLINK_NOFOLLOW) == 0;
}

static int Unlink(int dir, const char* path, int flags) {
  struct stat info;
  const bool seen = !(flags & AT_REMOVEDIR) && Look(dir, path, &info);
  const int result = (int)syscall(SYS_unlinkat, dir, path, flags);
  if (result == 0 && seen && info.st_nlink == 1) tap_files_unlinked(&info);
  return result;
}

// A log that is renamed to another log is recycled; to anything else, it has
// left the WAL.
static int Rename(int from_dir, const char* from, int to_dir, const char* to,
                  unsigned flags) {
  struct stat moved, replaced;
  const bool moves = Look(from_dir, from, &moved);
  const bool replaces = !(flags & RENAME_EXCHANGE) &&
                        Look(to_dir, to, &replaced) && replaced.st_nlink == 1;
  const int result =
      (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
  if (result != 0) return result;
  if (replaces) tap_files_unlinked(&replaced);
  if (moves && tap_is_wal_name(to))
    tap_files_renamed(&moved, to);
  else if (moves)
    tap_files_unlinked(&moved);
  return 0;
}

#include "devices/preload/spell_names.inc"
