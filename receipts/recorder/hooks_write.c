// Hooks on calls that change a file's content or size.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "devices/preload/hook.h"
#include "files.h"
#include "log.h"
#include "next.h"

// Writes at the position of a descriptor are made one at a time: what that
// position is must still hold when the write is made.
static pthread_mutex_t positions = PTHREAD_MUTEX_INITIALIZER;

struct writing {
  struct recorder_record* record;
  bool locked;
};

static struct writing Begin(int fd, const struct iovec* parts, int count,
                            off_t offset, int how) {
  struct writing writing = {0};
  if (!recorder_on() || count < 0) return writing;
  struct recorder_file file = recorder_file_of(fd);
  if (file.number == 0) return writing;
  const int flags = (int)syscall(SYS_fcntl, fd, F_GETFL);
  writing.locked = offset == kAtPosition || (flags & O_APPEND);
  if (writing.locked) {
    pthread_mutex_lock(&positions);
    file = recorder_file_of(fd);
    offset = flags & O_APPEND ? (off_t)file.size : lseek(fd, 0, SEEK_CUR);
  }
  const bool durable = (flags & O_DSYNC) || (how & (RWF_SYNC | RWF_DSYNC));
  writing.record = recorder_begin(
      &(struct recorder_call){.kind = file.acks ? RECORDER_ACK : RECORDER_WRITE,
                              .file = file.number,
                              .flags = durable,
                              .offset = (uint64_t)offset,
                              .parts = parts,
                              .count = count});
  return writing;
}

static ssize_t End(struct writing writing, ssize_t written) {
  recorder_end(writing.record, written);
  if (writing.locked) pthread_mutex_unlock(&positions);
  return written;
}

static ssize_t Write(int fd, const void* data, size_t size) {
  const struct iovec part = {(void*)data, size};
  const struct writing writing = Begin(fd, &part, 1, kAtPosition, 0);
  return End(writing, recorder_next.write(fd, data, size));
}
static ssize_t WriteAt(int fd, const void* data, size_t size, off_t offset) {
  const struct iovec part = {(void*)data, size};
  const struct writing writing =
      Begin(fd, &part, offset < 0 ? -1 : 1, offset, 0);
  return End(writing, recorder_next.pwrite(fd, data, size, offset));
}
static ssize_t WriteParts(int fd, const struct iovec* parts, int count) {
  const struct writing writing = Begin(fd, parts, count, kAtPosition, 0);
  return End(writing, recorder_next.writev(fd, parts, count));
}
static ssize_t WritePartsAt(int fd, const struct iovec* parts, int count,
                            off_t offset) {
  const struct writing writing =
      Begin(fd, parts, offset < 0 ? -1 : count, offset, 0);
  return End(writing, recorder_next.pwritev(fd, parts, count, offset));
}
// Here an offset of -1 is the position.
static ssize_t WritePartsAt2(int fd, const struct iovec* parts, int count,
                             off_t offset, int flags) {
  const struct writing writing = Begin(fd, parts, count, offset, flags);
  return End(writing, recorder_next.pwritev2(fd, parts, count, offset, flags));
}

// What a call on a recorded file changes; NULL when it is none.
static struct recorder_record* BeginChange(struct recorder_file file,
                                           struct recorder_call call) {
  if (file.number == 0 || file.acks) return NULL;
  call.file = file.number;
  return recorder_begin(&call);
}

static int Truncate(int fd, off_t length) {
  struct recorder_record* record = BeginChange(
      recorder_file_of(fd), (struct recorder_call){.kind = RECORDER_TRUNCATE,
                                                   .offset = (uint64_t)length});
  const int result = recorder_next.ftruncate(fd, length);
  recorder_end(record, result);
  return result;
}

static int SetLengthOf(const char* path, off_t length) {
  struct recorder_record* record =
      BeginChange(recorder_file_named(AT_FDCWD, path),
                  (struct recorder_call){.kind = RECORDER_TRUNCATE,
                                         .offset = (uint64_t)length});
  const int result = (int)syscall(SYS_truncate, path, length);
  recorder_end(record, result);
  return result;
}
HOOK int truncate(const char* path, off_t length) {
  return SetLengthOf(path, length);
}
HOOK int truncate64(const char* path, off64_t length) {
  return SetLengthOf(path, length);
}

static int Allocate(int fd, int mode, off_t offset, off_t length) {
  struct recorder_record* record = BeginChange(
      recorder_file_of(fd), (struct recorder_call){.kind = RECORDER_ALLOCATE,
                                                   .flags = (uint32_t)mode,
                                                   .offset = (uint64_t)offset,
                                                   .length = (uint64_t)length});
  const int result = recorder_next.fallocate(fd, mode, offset, length);
  recorder_end(record, result);
  return result;
}

#include "devices/preload/spell_write.inc"
