// Hooks on streams of C, which write by calls of the C library's own, and on
// the set-up of io_uring, which the tap of a foreign program counts as going
// around it. These are calls of libraries, which no system call stands for, so
// that the function behind the hook carries them out.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "devices/preload/tap/files.h"
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

static bool FollowsForeign(void) {
  tap_of_call = &tap_logs[TAP_WAL];
  return tap.page != NULL && tap_is_foreign();
}

static void CountAround(void) {
  if (!FollowsForeign()) return;
  tap_pages_need();
  tap_add(&tap.page->bypasses, 1);
}

// The C library's streams write by calls of its own, which no hook sees. So the
// stream of a followed file has the hooks themselves as its calls.
static ssize_t ReadStream(void* fd, char* data, size_t size) {
  return read((int)(intptr_t)fd, data, size);
}
static ssize_t WriteStream(void* fd, const char* data, size_t size) {
  size_t written = 0;
  while (written < size) {
    const ssize_t more =
        write((int)(intptr_t)fd, data + written, size - written);
    if (more < 0) break;
    written += (size_t)more;
  }
  return (ssize_t)written;
}
static int SeekStream(void* fd, off64_t* offset, int whence) {
  *offset = lseek((int)(intptr_t)fd, *offset, whence);
  return *offset < 0 ? -1 : 0;
}
static int CloseStream(void* fd) { return close((int)(intptr_t)fd); }

static FILE* HookedStream(int fd, const char* mode) {
  static const cookie_io_functions_t kHooks = {ReadStream, WriteStream,
                                               SeekStream, CloseStream};
  FILE* stream = fopencookie((void*)(intptr_t)fd, mode, kHooks);
  if (stream != NULL) stream->_fileno = fd;
  return stream;
}

// The C library knows the descriptor of its own streams alone, by this flag.
HOOK int fileno(FILE* stream) {
  static void* next;
  enum { kOfTheLibrary = 0x2000 };
  if (!(stream->_flags & kOfTheLibrary) && stream->_fileno >= 0)
    return stream->_fileno;
  return ((int (*)(FILE*))Next(&next, "fileno"))(stream);
}
ALSO(fileno_unlocked, fileno);

static int FlagsOf(const char* mode) {
  int flags = strchr(mode, '+') ? O_RDWR : O_WRONLY;
  if (mode[0] == 'w') flags |= O_CREAT | O_TRUNC;
  if (mode[0] == 'a') flags |= O_CREAT | O_APPEND;
  if (strchr(mode, 'x')) flags |= O_EXCL;
  return strchr(mode, 'e') ? flags | O_CLOEXEC : flags;
}

HOOK FILE* fopen(const char* path, const char* mode) {
  static void* next;
  if (!Writes(mode) || !(recorder_on || FollowsForeign()))
    return ((FILE * (*)(const char*, const char*)) Next(&next, "fopen"))(path,
                                                                         mode);
  const int fd = open(path, FlagsOf(mode), 0666);
  return fd < 0 ? NULL : fdopen(fd, mode);
}
ALSO(fopen64, fopen);
HOOK FILE* fdopen(int fd, const char* mode) {
  static void* next;
  if (recorder_follows(fd) ||
      (FollowsForeign() && tap_is_file(tap_followed(fd))))
    return HookedStream(fd, mode);
  return ((FILE * (*)(int, const char*)) Next(&next, "fdopen"))(fd, mode);
}

// Whose liburing cannot be found has none.
HOOK int io_uring_queue_init(unsigned entries, void* ring, unsigned flags) {
  static void* next;
  CountAround();
  int (*init)(unsigned, void*, unsigned) =
      (int (*)(unsigned, void*, unsigned))Next(&next, "io_uring_queue_init");
  return init == NULL ? -ENOSYS : init(entries, ring, flags);
}
HOOK int io_uring_queue_init_params(unsigned entries, void* ring,
                                    void* parameters) {
  static void* next;
  CountAround();
  int (*init)(unsigned, void*, void*) = (int (*)(unsigned, void*, void*))Next(
      &next, "io_uring_queue_init_params");
  return init == NULL ? -ENOSYS : init(entries, ring, parameters);
}
