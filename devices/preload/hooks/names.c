// Hooks on calls that change names, or where they begin. The tap recognises a
// file by its inode, so any way to write its path will do.
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "devices/preload/tap/files.h"
#include "devices/preload/tap/paths.h"
#include "hook.h"

// True when `path` may name a WAL file; `info` is then what it names.
static bool Look(int dir, const char* path, struct stat* info) {
  tap_of_call = &tap_logs[TAP_WAL];  // no server renames its binlog
  return tap.page != NULL && tap_is_wal_name(path) &&
         fstatat(dir, path, info, AT_SYMLINK_NOFOLLOW) == 0;
}

// Of a foreign program. What is known of the path says which file it names.
static int UnlinkTold(int dir, const char* path, enum tap_told told,
                      const char* real) {
  const int result = (int)syscall(SYS_unlinkat, dir, path, 0);
  if (result == 0 && told == TAP_TOLD_FOLDER) tap_folders_changed();  // a link
  if (result == 0 && tap_is_of_pattern(real)) tap_files_unlinked_path(real);
  return result;
}

static int UnlinkFollowed(int dir, const char* path, int flags) {
  tap_of_call = &tap_logs[TAP_WAL];
  if (tap.page != NULL && tap_is_foreign() && !(flags & AT_REMOVEDIR)) {
    char real[PATH_MAX];
    const enum tap_told told =
        tap_folders_tell(dir, path, tap_folders_names(), real);
    if (told != TAP_UNTOLD) return UnlinkTold(dir, path, told, real);
  }
  struct stat info;
  const bool seen = !(flags & AT_REMOVEDIR) && Look(dir, path, &info);
  const int result = (int)syscall(SYS_unlinkat, dir, path, flags);
  if (result == 0 && (flags & AT_REMOVEDIR)) tap_folders_changed();
  if (result == 0 && seen && info.st_nlink == 1) tap_files_unlinked(&info);
  return result;
}

static int Unlink(int dir, const char* path, int flags) {
  RECORDED(
      recorder_name(flags & AT_REMOVEDIR ? RECORDER_RMDIR : RECORDER_UNLINK, 0,
                    dir, path, dir, NULL),
      UnlinkFollowed(dir, path, flags));
}
HOOK int unlink(const char* path) { return Unlink(AT_FDCWD, path, 0); }
HOOK int unlinkat(int dir, const char* path, int flags) {
  return Unlink(dir, path, flags);
}
HOOK int rmdir(const char* path) {
  return Unlink(AT_FDCWD, path, AT_REMOVEDIR);
}
HOOK int remove(const char* path) {
  struct stat info;
  if (lstat(path, &info) != 0) return -1;
  return Unlink(AT_FDCWD, path, S_ISDIR(info.st_mode) ? AT_REMOVEDIR : 0);
}

// A log that is renamed to another log is recycled; to anything else, it has
// left the WAL.
static int RenameFollowed(int from_dir, const char* from, int to_dir,
                          const char* to, unsigned flags) {
  struct stat moved, replaced;
  const bool moves = Look(from_dir, from, &moved);
  const bool replaces = !(flags & RENAME_EXCHANGE) &&
                        Look(to_dir, to, &replaced) && replaced.st_nlink == 1;
  const int result =
      (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
  if (result != 0) return result;
  tap_folders_changed();
  if (replaces) tap_files_unlinked(&replaced);
  char whole[PATH_MAX];
  if (moves && tap_is_wal_name(to))
    tap_files_renamed(&moved,
                      preload_resolve_name(to_dir, to, whole) > 0 ? whole : to);
  else if (moves)
    tap_files_unlinked(&moved);
  return 0;
}

static int Rename(int from_dir, const char* from, int to_dir, const char* to,
                  unsigned flags) {
  RECORDED(recorder_name(RECORDER_RENAME, flags, from_dir, from, to_dir, to),
           RenameFollowed(from_dir, from, to_dir, to, flags));
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

static int Link(int from_dir, const char* from, int to_dir, const char* to,
                int flags) {
  RECORDED(recorder_name(RECORDER_LINK, 0, from_dir, from, to_dir, to),
           (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags));
}
HOOK int link(const char* from, const char* to) {
  return Link(AT_FDCWD, from, AT_FDCWD, to, 0);
}
HOOK int linkat(int from_dir, const char* from, int to_dir, const char* to,
                int flags) {
  return Link(from_dir, from, to_dir, to, flags);
}

// Returns the result of a call after which a path may lead to another folder.
static int Changed(long result) {
  if (result == 0) tap_folders_changed();
  return (int)result;
}

static int MakeDirectory(int dir, const char* path, mode_t mode) {
  RECORDED(recorder_name(RECORDER_MKDIR, 0, dir, path, dir, NULL),
           Changed(syscall(SYS_mkdirat, dir, path, mode)));
}
HOOK int mkdir(const char* path, mode_t mode) {
  return MakeDirectory(AT_FDCWD, path, mode);
}
HOOK int mkdirat(int dir, const char* path, mode_t mode) {
  return MakeDirectory(dir, path, mode);
}

HOOK int symlink(const char* target, const char* path) {
  return Changed(syscall(SYS_symlinkat, target, AT_FDCWD, path));
}
HOOK int symlinkat(const char* target, int dir, const char* path) {
  return Changed(syscall(SYS_symlinkat, target, dir, path));
}
HOOK int chdir(const char* path) { return Changed(syscall(SYS_chdir, path)); }
HOOK int fchdir(int fd) { return Changed(syscall(SYS_fchdir, fd)); }
