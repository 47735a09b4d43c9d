// What both sinks stand on: the way out of the process, the clock, and what the
// kernel tells of a path. All by system calls, which no hook sees.
#ifndef WALTAX_DEVICES_PRELOAD_PROCESS_H_
#define WALTAX_DEVICES_PRELOAD_PROCESS_H_

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

// The sixth argument, which the kernel ignores, of each sync that the library
// makes: a supervisor beside it is not asked for these.
#define PRELOAD_MARK 0x57415854L

// The clock by which the kernel sleeps. All times are nanoseconds.
static inline uint64_t tap_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// Ends the process with status 1 after "waltax WHO: SUBJECT: REASON" on stderr;
// `kept`, if not NULL, takes the last two, cut to `room` bytes.
_Noreturn void preload_refuse(const char* who, char* kept, size_t room,
                              const char* subject, const char* reason);

// Puts the path behind a descriptor, as the kernel knows it, into `path`.
// Returns its length, or 0 when it is unknown.
size_t preload_path_of(int fd, char path[PATH_MAX]);

// The same of a directory, whose name begins at `dir` when it is relative.
// Returns 0 with errno when there is none, with 0 in it when it is unknown.
size_t preload_resolve(int dir, const char* directory, char real[PATH_MAX]);

// The same of a path whose last part stays as it is, and need not exist.
size_t preload_resolve_name(int dir, const char* path, char real[PATH_MAX]);

// True when `path` lies below the directory `top`, which has no slash at its
// end: "" is the root.
int preload_is_below(const char* path, const char* top);

// Maps a file, shared with its reader, and by `flags` besides. Returns NULL
// with errno when it cannot, with 0 in it when the file is shorter than
// `least`; else `size` is its length.
void* preload_map(const char* path, int flags, size_t least, size_t* size);

#endif  // WALTAX_DEVICES_PRELOAD_PROCESS_H_
