#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "devices/preload/process.h"

static struct recorder_header* header;
static struct recorder_shared* shared;
bool recorder_on;

// Ends the process with status 1 after one line on stderr; the header, when it
// is mapped, keeps the reason.
_Noreturn static void Refuse(const char* subject, const char* reason) {
  preload_refuse("recorder", header == NULL ? NULL : header->refused,
                 RECORDER_REASON, subject, reason);
}

// The first process makes the locks. They hold between processes, and a thread
// that has one may take it again.
static void MakeLocks(void) {
  uint32_t fresh = 0;
  if (!__atomic_compare_exchange_n(&shared->ready, &fresh, 1, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    while (__atomic_load_n(&shared->ready, __ATOMIC_ACQUIRE) != 2)
      sched_yield();
    return;
  }
  pthread_mutexattr_t how;
  pthread_mutexattr_init(&how);
  pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_settype(&how, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&shared->names, &how);
  pthread_mutex_init(&shared->positions, &how);
  pthread_mutex_init(&shared->end, &how);
  __atomic_store_n(&shared->ready, 2, __ATOMIC_RELEASE);
}

static void Take(pthread_mutex_t* lock) {
  if (pthread_mutex_lock(lock) == EOWNERDEAD) pthread_mutex_consistent(lock);
}

static void OpenLog(const char* path) {
  size_t size;
  struct recorder_header* mapped = preload_map(path, 0, RECORDER_HEADER, &size);
  if (mapped == NULL)
    Refuse(path, errno == 0 ? "the log is too small" : strerror(errno));
  if (mapped->magic != RECORDER_MAGIC || mapped->version != RECORDER_VERSION ||
      mapped->capacity + sizeof(struct recorder_shared) > size)
    Refuse(path, "not a log of this version");
  header = mapped;
  shared = (struct recorder_shared*)((char*)mapped + mapped->capacity);
  MakeLocks();
  __atomic_fetch_add(&header->programs, 1, __ATOMIC_RELAXED);
  recorder_on = true;
}

// The size is written before the log's end moves behind it: whatever ends the
// process in between, a reader never meets a record without a size.
static struct recorder_record* Claim(uint64_t size) {
  Take(&shared->end);
  const uint64_t used = header->used == 0 ? RECORDER_HEADER : header->used;
  struct recorder_record* record = NULL;
  if (size > UINT32_MAX || used + size > header->capacity) {
    header->full = 1;
  } else {
    record = (struct recorder_record*)((char*)header + used);
    record->size = (uint32_t)size;
    __atomic_store_n(&header->used, used + size, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&shared->end);
  return record;
}

static uint64_t BytesOf(const struct iovec* parts, int count) {
  uint64_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
  return bytes;
}

static char* Put(char* to, const void* from, size_t bytes) {
  if (bytes > 0) memcpy(to, from, bytes);
  return to + bytes;
}

// What is to be recorded of a call.
struct recorder_call {
  struct recorder_record head;  // kind, file, flags, offset and length
  const char* text;             // may be NULL
  const char* other;            // likewise
  const struct iovec* parts;
  int count;
};

// Records that a call begins. NULL when nothing is recorded.
static struct recorder_record* Begin(const struct recorder_call* call) {
  if (!recorder_on) return NULL;
  const uint64_t text = call->text == NULL ? 0 : strlen(call->text);
  const uint64_t other = call->other == NULL ? 0 : strlen(call->other);
  const uint64_t data = BytesOf(call->parts, call->count);
  const uint64_t size = sizeof(struct recorder_record) + text + other + data;
  struct recorder_record* record = Claim((size + 7) & ~(uint64_t)7);
  if (record == NULL) return NULL;
  struct recorder_record head = call->head;
  head.size = record->size;  // which is there, whatever ends the process here
  head.thread = (uint32_t)syscall(SYS_gettid);
  head.text = (uint32_t)text;
  head.other = (uint32_t)other;
  head.data = (uint32_t)data;
  *record = head;
  char* to = Put((char*)(record + 1), call->text, text);
  to = Put(to, call->other, other);
  for (int i = 0; i < call->count; ++i)
    to = Put(to, call->parts[i].iov_base, call->parts[i].iov_len);
  record->begin = tap_now();
  __atomic_store_n(&record->state, RECORDER_BEGUN, __ATOMIC_RELEASE);
  return record;
}

// Records how it ended, and keeps errno. Of a write `result` is its length.
static void End(struct recorder_record* record, long result) {
  if (record == NULL) return;
  const int error = errno;
  record->error = result < 0 ? error : 0;
  const bool writes =
      record->kind == RECORDER_WRITE || record->kind == RECORDER_ACK;
  if (writes && result >= 0) record->length = (uint64_t)result;
  record->end = tap_now();
  __atomic_store_n(&record->state, RECORDER_ENDED, __ATOMIC_RELEASE);
  errno = error;
}

// A fact that takes no time.
static void Note(const struct recorder_call* call) { End(Begin(call), 0); }

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
    Refuse("WALTAX_RECORDER_ROOTS", "too many or too long");
  memcpy(path, text, length);
  path[length] = '\0';
  if (preload_resolve(AT_FDCWD, path, roots[root_count]) == 0)
    Refuse(path, "no directory whose path can be resolved");
  Note(&(struct recorder_call){.head.kind = RECORDER_ROOT,
                               .text = roots[root_count++]});
}

void recorder_start(const char* log, const char* text, const char* acks) {
  OpenLog(log);
  while (*text != '\0') {
    const size_t length = strcspn(text, "\n");
    if (length > 0) AddRoot(text, length);
    text += length + (text[length] == '\n');
  }
  if (acks != NULL && preload_resolve_name(AT_FDCWD, acks, acks_path) == 0)
    Refuse(acks, "its directory cannot be resolved");
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
  Take(lock);
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
  return (struct recorder_pending){.record = Begin(&call)};
}

// The file that is at this name. It may have been there before anything was
// recorded, so that its path is noted.
static struct recorder_file Noted(int dir, const char* path) {
  char real[PATH_MAX];
  const struct recorder_file file = FileNamed(dir, path, real);
  if (!file.recorded || file.acks) return file;
  struct recorder_call call = Of(file, RECORDER_FILE);
  call.text = real;
  Note(&call);
  return file;
}

struct recorder_pending recorder_open(int dir, const char* path, int flags) {
  char real[PATH_MAX];
  struct stat info;
  if (flags & O_PATH || (flags & O_TMPFILE) == O_TMPFILE) return kNotRecorded;
  struct recorder_pending pending = Alone(&shared->names);
  const struct recorder_file file = Noted(dir, path);
  const bool cuts = (flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY;
  if (file.recorded && cuts) {
    pending.record = Change(file, RECORDER_TRUNCATE, 0, 0, 0).record;
  } else if ((flags & O_CREAT) && Below(dir, path, real) &&
             fstatat(dir, path, &info, 0) != 0) {
    pending.record = Begin(
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
  struct recorder_pending pending = Alone(&shared->names);
  pending.record = Begin(
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
    pending = Alone(&shared->positions);
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
  pending.record = Begin(&call);
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
      .record = Begin(&(struct recorder_call){.head.kind = RECORDER_SYNC_DIR,
                                              .text = real})};
}

struct recorder_pending recorder_sync_all(int fd) {
  char real[PATH_MAX];
  if (fd >= 0 && !BelowOf(fd, real)) return kNotRecorded;
  return (struct recorder_pending){
      .record = Begin(&(struct recorder_call){.head.kind = RECORDER_SYNC_ALL})};
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
  End(record, result);
  if (pending.lock != NULL) pthread_mutex_unlock(pending.lock);
  return result;
}
