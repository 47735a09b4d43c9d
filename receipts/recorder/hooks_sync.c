// Hooks on calls that make content durable.
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files.h"
#include "log.h"
#include "next.h"

static bool IsDirectory(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 && S_ISDIR(info.st_mode);
}

static struct recorder_record* BeginSync(int fd, uint32_t flags) {
  if (!recorder_on()) return NULL;
  char real[PATH_MAX];
  if (IsDirectory(fd)) {
    if (!recorder_path_of(fd, real)) return NULL;
    return recorder_begin(
        &(struct recorder_call){.kind = RECORDER_SYNC_DIR, .text = real});
  }
  const struct recorder_file file = recorder_file_of(fd);
  if (file.number == 0 || file.acks) return NULL;
  return recorder_begin(&(struct recorder_call){
      .kind = RECORDER_SYNC, .file = file.number, .flags = flags});
}

HOOK int fsync(int fd) {
  struct recorder_record* record = BeginSync(fd, 0);
  const int result = recorder_next.fsync(fd);
  recorder_end(record, result);
  return result;
}
HOOK int fdatasync(int fd) {
  struct recorder_record* record = BeginSync(fd, 1);
  const int result = recorder_next.fdatasync(fd);
  recorder_end(record, result);
  return result;
}

HOOK int sync_file_range(int fd, off64_t offset, off64_t bytes,
                         unsigned flags) {
  const struct recorder_file file = recorder_file_of(fd);
  struct recorder_record* record = NULL;
  if (file.number != 0 && !file.acks)
    record = recorder_begin(&(struct recorder_call){.kind = RECORDER_SYNC_RANGE,
                                                    .file = file.number,
                                                    .flags = flags,
                                                    .offset = (uint64_t)offset,
                                                    .length = (uint64_t)bytes});
  const int result = recorder_next.sync_file_range(fd, offset, bytes, flags);
  recorder_end(record, result);
  return result;
}

HOOK int syncfs(int fd) {
  char real[PATH_MAX];
  struct recorder_record* record = NULL;
  if (recorder_on() && recorder_path_of(fd, real))
    record = recorder_begin(&(struct recorder_call){.kind = RECORDER_SYNC_ALL});
  const int result = (int)syscall(SYS_syncfs, fd);
  recorder_end(record, result);
  return result;
}
HOOK void sync(void) {
  struct recorder_record* record =
      recorder_begin(&(struct recorder_call){.kind = RECORDER_SYNC_ALL});
  syscall(SYS_sync);
  recorder_end(record, 0);
}
