#include "calls.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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
  return (struct recorder_call){
      .kind = kind, .device = file.device, .inode = file.inode};
}

static struct recorder_pending Change(struct recorder_file file,
                                      enum recorder_kind kind, uint32_t flags,
                                      int64_t offset, int64_t length) {
  if (!file.recorded || file.acks) return kNotRecorded;
  struct recorder_call call = Of(file, kind);
  call.flags = flags;
  call.offset = (uint64_t)offset;
  call.length = (uint64_t)length;
  return (struct recorder_pending){.record = recorder_begin(&call)};
}

// The file that is at this name. It may have been there before anything was
// recorded, so that its path is noted.
static struct recorder_file Noted(int dir, const char* path) {
  char real[PATH_MAX];
  const struct recorder_file file = recorder_file_named(dir, path, real);
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
  } else if ((flags & O_CREAT) && recorder_path(dir, path, real) &&
             fstatat(dir, path, &info, 0) != 0) {
    pending.record = recorder_begin(
        &(struct recorder_call){.kind = RECORDER_CREATE, .text = real});
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
  const bool leaves = recorder_path(from_dir, from, real_from);
  const bool enters = to != NULL && recorder_path(to_dir, to, real_to);
  if (!enters && (!leaves || kind == RECORDER_LINK)) return kNotRecorded;
  struct recorder_pending pending = Alone(&recorder_shared->names);
  pending.record =
      recorder_begin(&(struct recorder_call){.kind = kind,
                                             .flags = flags,
                                             .text = leaves ? real_from : NULL,
                                             .other = enters ? real_to : NULL});
  return pending;
}

struct recorder_pending recorder_write(int fd, const struct iovec* parts,
                                       int count, int64_t offset, int how) {
  char real[PATH_MAX];
  if (count < 0) return kNotRecorded;
  struct recorder_file file = recorder_file_of(fd, real);
  if (!file.recorded) return kNotRecorded;
  struct recorder_pending pending = {0};
  const int flags = (int)syscall(SYS_fcntl, fd, F_GETFL);
  if (offset < 0 || (flags & O_APPEND)) {
    pending = Alone(&recorder_shared->positions);
    file = recorder_file_of(fd, real);
    offset = flags & O_APPEND ? (int64_t)file.size : lseek(fd, 0, SEEK_CUR);
  }
  const bool durable = (flags & O_DSYNC) || (how & (RWF_SYNC | RWF_DSYNC));
  struct recorder_call call =
      Of(file, file.acks ? RECORDER_ACK : RECORDER_WRITE);
  call.flags = durable;
  call.offset = (uint64_t)offset;
  call.parts = parts;
  call.count = count;
  pending.record = recorder_begin(&call);
  return pending;
}

struct recorder_pending recorder_change(int fd, enum recorder_kind kind,
                                        uint32_t flags, int64_t offset,
                                        int64_t length) {
  char real[PATH_MAX];
  return Change(recorder_file_of(fd, real), kind, flags, offset, length);
}

struct recorder_pending recorder_truncate(const char* path, int64_t length) {
  return Change(Noted(AT_FDCWD, path), RECORDER_TRUNCATE, 0, length, 0);
}

struct recorder_pending recorder_sync(int fd, uint32_t flags) {
  char real[PATH_MAX];
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISDIR(info.st_mode))
    return recorder_change(fd, RECORDER_SYNC, flags, 0, 0);
  if (!recorder_path_of(fd, real)) return kNotRecorded;
  return (struct recorder_pending){
      .record = recorder_begin(
          &(struct recorder_call){.kind = RECORDER_SYNC_DIR, .text = real})};
}

struct recorder_pending recorder_sync_all(int fd) {
  char real[PATH_MAX];
  if (fd >= 0 && !recorder_path_of(fd, real)) return kNotRecorded;
  return (struct recorder_pending){
      .record =
          recorder_begin(&(struct recorder_call){.kind = RECORDER_SYNC_ALL})};
}

void recorder_blind(const char* path, const char* how) {
  recorder_note(&(struct recorder_call){
      .kind = RECORDER_BLIND, .text = path, .other = how});
}

void recorder_unseen(int fd, const char* how) {
  char real[PATH_MAX];
  const struct recorder_file file = recorder_file_of(fd, real);
  if (file.recorded && !file.acks) recorder_blind(real, how);
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
