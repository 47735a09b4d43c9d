// Hooks on calls after which a file changes without any that is recorded: the
// recorder's log names the file and the way, and its reader refuses what it
// must not miss. The tap follows the streams of foreign programs, and counts
// what it cannot follow as going around it. Calls of libraries, which no system
// call stands for, are carried out by the function behind the hook.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "devices/preload/tap/files.h"
#include "devices/preload/tap/pages.h"
#include "hook.h"

// The function `name` of the libraries behind this one, looked up once. One
// that was loaded later, and for its loader alone, is asked by its name.
static void* Next(void** next, const char* name) {
  void* function = __atomic_load_n(next, __ATOMIC_RELAXED);
  if (function != NULL) return function;
  function = dlsym(RTLD_NEXT, name);
  if (function == NULL) {
    void* uring = dlopen("liburing.so.2", RTLD_LAZY | RTLD_NOLOAD);
    if (uring != NULL) function = dlsym(uring, name);
  }
  __atomic_store_n(next, function, __ATOMIC_RELAXED);
  return function;
}

static bool Writes(const char* mode) { return strpbrk(mode, "wa+") != NULL; }

// Has the tap follow a foreign program's stream: the C library opened it.
static void FollowStream(FILE* stream, const char* path, const char* mode) {
  tap_of_call = &tap_logs[TAP_WAL];
  if (stream == NULL || tap.page == NULL || !tap_is_foreign()) return;
  const int flags = !Writes(mode)    ? O_RDONLY
                    : mode[0] == 'a' ? O_RDWR | O_APPEND
                                     : O_RDWR;
  tap_files_opened(fileno(stream), path, flags);
  tap_files_streamed(fileno(stream));
}

static void CountAround(void) {
  tap_of_call = &tap_logs[TAP_WAL];
  if (tap.page == NULL || !tap_is_foreign()) return;
  tap_pages_need();
  tap_add(&tap.page->bypasses, 1);
}

// The C library's streams write by calls of its own, which no hook sees: such a
// file is recorded as made, and its content is said to be unknown.
HOOK FILE* fopen(const char* path, const char* mode) {
  static void* behind;
  FILE* (*next)(const char*, const char*) =
      (FILE * (*)(const char*, const char*)) Next(&behind, "fopen");
  char real[PATH_MAX];
  FILE* stream;
  if (!recorder_on || !Writes(mode) || !recorder_path(AT_FDCWD, path, real)) {
    stream = next(path, mode);
    FollowStream(stream, path, mode);
    return stream;
  }
  const struct recorder_pending pending =
      recorder_open(AT_FDCWD, path, O_CREAT);
  stream = next(path, mode);
  FollowStream(stream, path, mode);
  recorder_returned(pending, stream == NULL ? -1 : fileno(stream));
  if (stream != NULL) recorder_blind(real, "a stream of C");
  return stream;
}
ALSO(fopen64, fopen);
HOOK FILE* fdopen(int fd, const char* mode) {
  static void* next;
  char real[PATH_MAX];
  if (recorder_on && Writes(mode) && recorder_path_of(fd, real))
    recorder_blind(real, "a stream of C");
  tap_files_streamed(fd);
  return ((FILE * (*)(int, const char*)) Next(&next, "fdopen"))(fd, mode);
}

// The C library closes it by a call of its own.
HOOK int fclose(FILE* stream) {
  static void* next;
  const int fd = fileno(stream);
  if (tap_followed(fd) != TAP_NOT_FOLLOWED) tap_files_closed(fd);
  return ((int (*)(FILE*))Next(&next, "fclose"))(stream);
}

HOOK ssize_t copy_file_range(int from, off64_t* from_offset, int to,
                             off64_t* to_offset, size_t length,
                             unsigned flags) {
  if (recorder_on) recorder_unseen(to, "copy_file_range");
  return syscall(SYS_copy_file_range, from, from_offset, to, to_offset, length,
                 flags);
}

HOOK ssize_t sendfile(int to, int from, off_t* offset, size_t count) {
  if (recorder_on) recorder_unseen(to, "sendfile");
  return syscall(SYS_sendfile, to, from, offset, count);
}
ALSO(sendfile64, sendfile);

// Which files it is asked to write is in memory that the kernel reads.
HOOK int io_submit(void* context, long count, void* blocks) {
  if (recorder_on) recorder_blind("", "libaio");
  const long result = syscall(SYS_io_submit, context, count, blocks);
  return result < 0 ? -errno : (int)result;  // the way libaio returns it
}
// Whose liburing cannot be found has none.
HOOK int io_uring_queue_init(unsigned entries, void* ring, unsigned flags) {
  static void* next;
  if (recorder_on) recorder_blind("", "io_uring");
  CountAround();
  int (*init)(unsigned, void*, unsigned) =
      (int (*)(unsigned, void*, unsigned))Next(&next, "io_uring_queue_init");
  return init == NULL ? -ENOSYS : init(entries, ring, flags);
}
HOOK int io_uring_queue_init_params(unsigned entries, void* ring,
                                    void* parameters) {
  static void* next;
  if (recorder_on) recorder_blind("", "io_uring");
  CountAround();
  int (*init)(unsigned, void*, void*) = (int (*)(unsigned, void*, void*))Next(
      &next, "io_uring_queue_init_params");
  return init == NULL ? -ENOSYS : init(entries, ring, parameters);
}
