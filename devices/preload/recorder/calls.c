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

struct recorder_pending recorder_open(int dir, const char* path, int flags) {
  char real[PATH_MAX];
  const bool changes =
      (flags & (O_CREAT | O_TRUNC)) && (flags & O_TMPFILE) != O_TMPFILE;
  if (!changes || !recorder_path(dir, path, real)) return kNotRecorded;
  struct recorder_pending pending = Alone(&recorder_shared->names);
  struct stat info;
  if ((flags & O_CREAT) && fstatat(dir, path, &info, 0) != 0)
    pending.record = recorder_begin(
        &(struct recorder_call){.kind = RECORDER_CREATE, .text = real});
  else if ((flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY)
    pending.record = recorder_change(recorder_file_named(dir, path),
                                     RECORDER_TRUNCATE, 0, 0, 0)
                         .record;
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
  if (kind == RECORDER_UNLINK)
    pending.gone = recorder_file_last(from_dir, from);
  if (kind == RECORDER_RENAME && !(flags & RENAME_EXCHANGE))
    pending.gone = recorder_file_last(to_dir, to);
  pending.record =
      recorder_begin(&(struct recorder_call){.kind = kind,
                                             .flags = flags,
                                             .text = leaves ? real_from : NULL,
                                             .other = enters ? real_to : NULL});
  return pending;
}

struct recorder_pending recorder_write(int fd, const struct iovec* parts,
                                       int count, int64_t offset, int how) {
  if (count < 0) return kNotRecorded;
  struct recorder_file file = recorder_file_of(fd);
  if (file.number == 0) return kNotRecorded;
  struct recorder_pending pending = {0};
  const int flags = (int)syscall(SYS_fcntl, fd, F_GETFL);
  if (offset < 0 || (flags & O_APPEND)) {
    pending = Alone(&recorder_shared->positions);
    file = recorder_file_of(fd);
    offset = flags & O_APPEND ? (int64_t)file.size : lseek(fd, 0, SEEK_CUR);
  }
  const bool durable = (flags & O_DSYNC) || (how & (RWF_SYNC | RWF_DSYNC));
  pending.record = recorder_begin(
      &(struct recorder_call){.kind = file.acks ? RECORDER_ACK : RECORDER_WRITE,
                              .file = file.number,
                              .flags = durable,
                              .offset = (uint64_t)offset,
                              .parts = parts,
                              .count = count});
  return pending;
}

struct recorder_pending recorder_change(struct recorder_file file,
                                        enum recorder_kind kind, uint32_t flags,
                                        int64_t offset, int64_t length) {
  if (file.number == 0 || file.acks) return kNotRecorded;
  return (struct recorder_pending){
      .record =
          recorder_begin(&(struct recorder_call){.kind = kind,
                                                 .file = file.number,
                                                 .flags = flags,
                                                 .offset = (uint64_t)offset,
                                                 .length = (uint64_t)length})};
}

struct recorder_pending recorder_sync(int fd, uint32_t flags) {
  char real[PATH_MAX];
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISDIR(info.st_mode))
    return recorder_change(recorder_file_of(fd), RECORDER_SYNC, flags, 0, 0);
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
  const struct recorder_file file = recorder_file_of(fd);
  if (file.number != 0 && !file.acks && recorder_path_of(fd, real))
    recorder_blind(real, how);
}

long recorder_returned(struct recorder_pending pending, long result) {
  struct recorder_record* record = pending.record;
  if (record != NULL && record->kind == RECORDER_CREATE && result >= 0)
    record->file = recorder_file_created((int)result);
  recorder_end(record, result);
  if (result == 0) recorder_file_gone(pending.gone);
  if (pending.lock != NULL) pthread_mutex_unlock(pending.lock);
  return result;
}
