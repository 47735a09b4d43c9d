// Hooks on calls after which a file changes without any that is recorded: the
// log names the file and the way, and its reader refuses what it must not miss.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files.h"
#include "log.h"
#include "next.h"

static void Unseen(const char* path, const char* how) {
  recorder_note(&(struct recorder_call){
      .kind = RECORDER_BLIND, .text = path, .other = how});
}

static void UnseenAt(int fd, const char* how) {
  char real[PATH_MAX];
  const struct recorder_file file = recorder_file_of(fd);
  if (file.number != 0 && !file.acks && recorder_path_of(fd, real))
    Unseen(real, how);
}

static void* Map(void* address, size_t length, int protection, int flags,
                 int fd, off_t offset) {
  void* mapped =
      recorder_next.mmap(address, length, protection, flags, fd, offset);
  if (fd >= 0 && (protection & PROT_WRITE) && (flags & MAP_SHARED) &&
      mapped != MAP_FAILED && recorder_on())
    UnseenAt(fd, "a writable mapping");
  return mapped;
}
HOOK void* mmap(void* address, size_t length, int protection, int flags, int fd,
                off_t offset) {
  return Map(address, length, protection, flags, fd, offset);
}
HOOK void* mmap64(void* address, size_t length, int protection, int flags,
                  int fd, off64_t offset) {
  return Map(address, length, protection, flags, fd, offset);
}

HOOK ssize_t copy_file_range(int from, off64_t* from_offset, int to,
                             off64_t* to_offset, size_t length,
                             unsigned flags) {
  UnseenAt(to, "copy_file_range");
  return syscall(SYS_copy_file_range, from, from_offset, to, to_offset, length,
                 flags);
}

static ssize_t SendFile(int to, int from, off_t* offset, size_t count) {
  UnseenAt(to, "sendfile");
  return syscall(SYS_sendfile, to, from, offset, count);
}
HOOK ssize_t sendfile(int to, int from, off_t* offset, size_t count) {
  return SendFile(to, from, offset, count);
}
HOOK ssize_t sendfile64(int to, int from, off64_t* offset, size_t count) {
  return SendFile(to, from, offset, count);
}

// Which files it is asked to write is in memory that the kernel reads.
HOOK int io_submit(void* context, long count, void* blocks) {
  if (recorder_on()) Unseen("", "libaio");
  const long result = syscall(SYS_io_submit, context, count, blocks);
  return result < 0 ? -errno : (int)result;  // as libaio has it
}
HOOK int io_uring_queue_init(unsigned entries, void* ring, unsigned flags) {
  int (*next)(unsigned, void*, unsigned) = (int (*)(
      unsigned, void*, unsigned))recorder_next_named("io_uring_queue_init");
  if (recorder_on()) Unseen("", "io_uring");
  return next(entries, ring, flags);
}
HOOK int io_uring_queue_init_params(unsigned entries, void* ring,
                                    void* parameters) {
  int (*next)(unsigned, void*, void*) = (int (*)(
      unsigned, void*, void*))recorder_next_named("io_uring_queue_init_params");
  if (recorder_on()) Unseen("", "io_uring");
  return next(entries, ring, parameters);
}
