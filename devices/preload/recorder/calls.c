#include "calls.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
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

static void AddRoot(const char* text, size_t length) {
  char path[PATH_MAX];
  if (root_count == kRoots || length >= PATH_MAX)
    recorder_refuse("WALTAX_RECORDER_ROOTS", "too many or too long");
  memcpy(path, text, length);
  path[length] = '\0';
  if (preload_resolve(AT_FDCWD, path, roots[root_count]) == 0)
    recorder_refuse(path, "no directory whose path can be resolved");
  recorder_note(&(struct recorder_call){.head.kind = RECORDER_ROOT,
                                        .text = roots[root_count++]});
}

void recorder_start(const char* text, const char* acks) {
  while (*text != '\0') {
    const size_t length = strcspn(text, "\n");
    if (length > 0) AddRoot(text, length);
    text += length + (text[length] == '\n');
  }
  if (acks != NULL && preload_resolve_name(AT_FDCWD, acks, acks_path) == 0)
    recorder_refuse(acks, "its directory cannot be resolved");
}

// The path of a descriptor. A recorded directory is below itself.
static bool BelowOf(int fd, char real[PATH_MAX]) {
  return preload_path_of(fd, real) > 0 && IsBelow(real);
}

// The path without links, but for its last part.
static bool Below(int dir, const char* path, char real[PATH_MAX]) {
  return preload_resolve_name(dir, path, real) > 0 && IsBelow(real);
}

// Whether a file of this path is recorded.
static bool IsRecorded(const char* real) {
  return strcmp(real, acks_path) == 0 || IsBelow(real);
}

// What a descriptor or a path stands for: a regular file that has a name.
struct recorder_file {
  bool recorded;
  bool acks;  // the acknowledgement log
  uint64_t device, inode, size;
};

// The file of a descriptor, and its path.
static struct recorder_file FileOf(int fd, char real[PATH_MAX]) {
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink == 0 ||
      preload_path_of(fd, real) == 0 || !IsRecorded(real))
    return (struct recorder_file){0};
  return (struct recorder_file){true, strcmp(real, acks_path) == 0, info.st_dev,
                                info.st_ino, (uint64_t)info.st_size};
}

// The same of a name, followed as open does.
static struct recorder_file FileNamed(int dir, const char* path,
                                      char real[PATH_MAX]) {
  const long fd = syscall(SYS_openat, dir, path, O_PATH | O_CLOEXEC);
  if (fd < 0) return (struct recorder_file){0};
  const struct recorder_file file = FileOf((int)fd, real);
  syscall(SYS_close, (int)fd);
  return file;
}

static const struct recorder_pending kNotRecorded;

// Calls that change names are made one at a time, so that the log has them in
// the order in which the file system did. So are writes at the position of a
// descriptor: what that position is must still hold when the write is made.
static struct recorder_pending Alone(pthread_mutex_t* lock) {
  recorder_lock(lock);
  return (struct recorder_pending){.lock = lock};
}

static struct recorder_call Of(struct recorder_file file,
                               enum recorder_kind kind) {
  return (struct recorder_call){.head = {.kind = (uint16_t)kind,
                                         .device = file.device,
                                         .inode = file.inode}};
}

static struct recorder_pending Change(struct recorder_file file,
                                      enum recorder_kind kind, uint32_t flags,
                                      int64_t offset, int64_t length) {
  if (!file.recorded || file.acks) return kNotRecorded;
  struct recorder_call call = Of(file, kind);
  call.head.flags = flags;
  call.head.offset = (uint64_t)offset;
  call.head.length = (uint64_t)length;
  return (struct recorder_pending){.record = recorder_begin(&call)};
}

// The file that is at this name. It may have been there before anything was
// recorded, so that its path is noted.
static struct recorder_file Noted(int dir, const char* path) {
  char real[PATH_MAX];
  const struct recorder_file file = FileNamed(dir, path, real);
  if (!file.recorded || file.acks) return file;
  struct recorder_call call = Of(file, RECORDER_FILE);
  call.text = real;
  recorder_note(&call);
  return file;
}

struct recorder_pending recorder_open(int dir, const char* path, int flags) {
  char real[PATH_MAX];
  struct stat info;
  if (flags & O_PATH || (flags & O_TMPFILE) == O_TMPFILE) return kNotRecorded;
  struct recorder_pending pending = Alone(&recorder_shared->names);
  const struct recorder_file file = Noted(dir, path);
  const bool cuts = (flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY;
  if (file.recorded && cuts) {
    pending.record = Change(file, RECORDER_TRUNCATE, 0, 0, 0).record;
  } else if ((flags & O_CREAT) && Below(dir, path, real) &&
             fstatat(dir, path, &info, 0) != 0) {
    pending.record = recorder_begin(
        &(struct recorder_call){.head.kind = RECORDER_CREATE, .text = real});
  } else if (!file.recorded) {  // opening it may take long
    pthread_mutex_unlock(pending.lock);
    return kNotRecorded;
  }
  return pending;
}

struct recorder_pending recorder_name(enum recorder_kind kind, unsigned flags,
                                      int from_dir, const char* from,
                                      int to_dir, const char* to) {
  char real_from[PATH_MAX], real_to[PATH_MAX];
  const bool leaves = Below(from_dir, from, real_from);
  const bool enters = to != NULL && Below(to_dir, to, real_to);
  if (!enters && (!leaves || kind == RECORDER_LINK)) return kNotRecorded;
  struct recorder_pending pending = Alone(&recorder_shared->names);
  pending.record = recorder_begin(
      &(struct recorder_call){.head = {.kind = (uint16_t)kind, .flags = flags},
                              .text = leaves ? real_from : NULL,
                              .other = enters ? real_to : NULL});
  return pending;
}

struct recorder_pending recorder_write(int fd, const struct iovec* parts,
                                       int count, int64_t offset, int how) {
  char real[PATH_MAX];
  if (count < 0) return kNotRecorded;
  struct recorder_file file = FileOf(fd, real);
  if (!file.recorded) return kNotRecorded;
  struct recorder_pending pending = {0};
  const int flags = (int)syscall(SYS_fcntl, fd, F_GETFL);
  if (offset < 0 || (flags & O_APPEND)) {
    pending = Alone(&recorder_shared->positions);
    file = FileOf(fd, real);
    offset = flags & O_APPEND ? (int64_t)file.size : lseek(fd, 0, SEEK_CUR);
  }
  const bool durable = (flags & O_DSYNC) || (how & (RWF_SYNC | RWF_DSYNC));
  struct recorder_call call =
      Of(file, file.acks ? RECORDER_ACK : RECORDER_WRITE);
  call.head.flags = durable;
  call.head.offset = (uint64_t)offset;
  call.parts = parts;
  call.count = count;
  pending.record = recorder_begin(&call);
  return pending;
}

struct recorder_pending recorder_change(int fd, enum recorder_kind kind,
                                        uint32_t flags, int64_t offset,
                                        int64_t length) {
  char real[PATH_MAX];
  return Change(FileOf(fd, real), kind, flags, offset, length);
}

struct recorder_pending recorder_truncate(const char* path, int64_t length) {
  return Change(Noted(AT_FDCWD, path), RECORDER_TRUNCATE, 0, length, 0);
}

struct recorder_pending recorder_sync(int fd, uint32_t flags) {
  char real[PATH_MAX];
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISDIR(info.st_mode))
    return recorder_change(fd, RECORDER_SYNC, flags, 0, 0);
  if (!BelowOf(fd, real)) return kNotRecorded;
  return (struct recorder_pending){
      .record = recorder_begin(&(struct recorder_call){
          .head.kind = RECORDER_SYNC_DIR, .text = real})};
}

struct recorder_pending recorder_sync_all(int fd) {
  char real[PATH_MAX];
  if (fd >= 0 && !BelowOf(fd, real)) return kNotRecorded;
  return (struct recorder_pending){
      .record = recorder_begin(
          &(struct recorder_call){.head.kind = RECORDER_SYNC_ALL})};
}

bool recorder_follows(int fd) {
  char real[PATH_MAX];
  return recorder_on && FileOf(fd, real).recorded;
}

long recorder_returned(struct recorder_pending pending, long result) {
  struct recorder_record* record = pending.record;
  struct stat info;
  if (record != NULL && record->kind == RECORDER_CREATE && result >= 0 &&
      fstat((int)result, &info) == 0) {
    record->device = info.st_dev;
    record->inode = info.st_ino;
  }
  recorder_end(record, result);
  if (pending.lock != NULL) pthread_mutex_unlock(pending.lock);
  return result;
}
