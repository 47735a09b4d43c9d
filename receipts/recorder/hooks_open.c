// Hooks on calls that make files, or cut them to nothing, by opening them.
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "files.h"
#include "log.h"
#include "names.h"
#include "next.h"

static bool Exists(int dir, const char* path) {
  struct stat info;
  return fstatat(dir, path, &info, 0) == 0;
}

static int Create(int dir, const char* path, const char* real, int flags,
                  mode_t mode) {
  struct recorder_record* record = recorder_begin(
      &(struct recorder_call){.kind = RECORDER_CREATE, .text = real});
  const int fd = recorder_next.openat(dir, path, flags, mode);
  if (fd >= 0 && record != NULL) record->file = recorder_file_created(fd);
  recorder_end(record, fd);
  return fd;
}

static int Truncate(int dir, const char* path, int flags, mode_t mode) {
  const struct recorder_file file = recorder_file_named(dir, path);
  struct recorder_record* record = NULL;
  if (file.number != 0 && !file.acks)
    record = recorder_begin(&(struct recorder_call){.kind = RECORDER_TRUNCATE,
                                                    .file = file.number});
  const int fd = recorder_next.openat(dir, path, flags, mode);
  recorder_end(record, fd);
  return fd;
}

static int OpenRecorded(int dir, const char* path, const char* real, int flags,
                        mode_t mode) {
  if ((flags & O_CREAT) && !Exists(dir, path))
    return Create(dir, path, real, flags, mode);
  if ((flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY)
    return Truncate(dir, path, flags, mode);
  return recorder_next.openat(dir, path, flags, mode);
}

static int OpenAt(int dir, const char* path, int flags, mode_t mode) {
  char real[PATH_MAX];
  const bool changes =
      (flags & (O_CREAT | O_TRUNC)) && (flags & O_TMPFILE) != O_TMPFILE;
  if (!recorder_on() || !changes || !recorder_path(dir, path, real))
    return recorder_next.openat(dir, path, flags, mode);
  pthread_mutex_lock(&recorder_names);
  const int fd = OpenRecorded(dir, path, real, flags, mode);
  pthread_mutex_unlock(&recorder_names);
  return fd;
}

#include "devices/preload/spell_open.inc"

// The C library's streams write by calls of its own, which no hook sees: such a
// file is made here, so that it is there, and its content is said to be
// unknown.
static FILE* OpenStream(const char* name, const char* path, const char* mode) {
  FILE* (*next)(const char*, const char*) =
      (FILE * (*)(const char*, const char*)) recorder_next_named(name);
  char real[PATH_MAX];
  const bool writes = strpbrk(mode, "wa+") != NULL;
  if (!recorder_on() || !writes || !recorder_path(AT_FDCWD, path, real))
    return next(path, mode);
  pthread_mutex_lock(&recorder_names);
  struct recorder_record* record = NULL;
  if (!Exists(AT_FDCWD, path))
    record = recorder_begin(
        &(struct recorder_call){.kind = RECORDER_CREATE, .text = real});
  FILE* stream = next(path, mode);
  if (stream != NULL && record != NULL)
    record->file = recorder_file_created(fileno(stream));
  recorder_end(record, stream == NULL ? -1 : 0);
  pthread_mutex_unlock(&recorder_names);
  if (stream != NULL)
    recorder_note(&(struct recorder_call){
        .kind = RECORDER_BLIND, .text = real, .other = "a stream of C"});
  return stream;
}
HOOK FILE* fopen(const char* path, const char* mode) {
  return OpenStream("fopen", path, mode);
}
HOOK FILE* fopen64(const char* path, const char* mode) {
  return OpenStream("fopen64", path, mode);
}

HOOK FILE* fdopen(int fd, const char* mode) {
  FILE* (*next)(int, const char*) =
      (FILE * (*)(int, const char*)) recorder_next_named("fdopen");
  char real[PATH_MAX];
  if (recorder_on() && strpbrk(mode, "wa+") != NULL &&
      recorder_path_of(fd, real))
    recorder_note(&(struct recorder_call){
        .kind = RECORDER_BLIND, .text = real, .other = "a stream of C"});
  return next(fd, mode);
}
