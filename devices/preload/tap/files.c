#include "files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device.h"

uint16_t tap_fds[TAP_FDS];
bool tap_writes_through[TAP_FDS];

// What only this process needs to know of a file.
struct file_state {
  uint64_t unsynced;
  uint32_t descriptors;
};

// File number n is slot n - 1 of its log's page; the binlog's begin beyond.
static struct file_state states[TAP_LOGS][TAP_FILES];
// How many slots were handed out, and then handed out again.
static unsigned given[TAP_LOGS];

// What was opened last, of a log's files and of its directories, by a path from
// the root that has no link in it. A program that makes its journal anew for
// each transaction opens the same ones again and again.
struct opened {
  char path[TAP_NAME];  // "": nothing
  unsigned followed;
};
static struct opened last_file, last_directory;
enum { kBeyond = TAP_FILES - 1 };  // the slot of all that have none

// One lock around all records: taking it is one locked instruction, where
// counting each field atomically would be six. The kernel calls it surrounds
// are thousands of times longer, so it is hardly ever contended.
static uint32_t lock;

static void Lock(void) {
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
    syscall(SYS_sched_yield);
}

static void Unlock(void) { __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); }

static struct tap_file* Record(unsigned file) {
  return &tap_logs[tap_log_of(file)].page->files[file % TAP_BINLOG_FILES - 1];
}

static struct file_state* State(unsigned file) {
  return &states[tap_log_of(file)][file % TAP_BINLOG_FILES - 1];
}

static unsigned Number(unsigned slot) {
  return tap_log() * TAP_BINLOG_FILES + slot + 1;
}

static void SetName(struct tap_file* record, const char* name) {
  memset(record->name, 0, TAP_NAME);
  memcpy(record->name, name, strnlen(name, TAP_NAME - 1));
}

// The number of the file with this name, or 0.
static unsigned Find(const char* name) {
  const unsigned used = given[tap_log()];
  for (unsigned slot = 0; slot < used && slot < kBeyond; ++slot)
    if (strncmp(tap.page->files[slot].name, name, TAP_NAME - 1) == 0)
      return Number(slot);
  return 0;
}

// The number of the file with this name, which may be new. Another process's
// slots of the page are left to it as long as others are free.
static unsigned FindOrAdd(const char* name) {
  const unsigned file = Find(name);
  if (file != 0) return file;
  for (unsigned tried = 0; tried < kBeyond; ++tried) {
    const bool first = given[tap_log()] < kBeyond;
    const unsigned slot = given[tap_log()]++ % kBeyond;
    struct tap_file* record = &tap.page->files[slot];
    struct file_state* state = &states[tap_log()][slot];
    if (state->descriptors > 0 || (first && record->name[0] != '\0')) continue;
    last_file.path[0] = '\0';  // whose slot this may be
    memset(record, 0, sizeof(*record));
    memset(state, 0, sizeof(*state));
    SetName(record, name);
    return Number(slot);
  }
  return Number(kBeyond);
}

static void Keep(struct opened* last, const char* path, unsigned followed) {
  const size_t length = strlen(path);
  last->followed = followed;
  last->path[0] = '\0';
  if (length < TAP_NAME) memcpy(last->path, path, length + 1);
}

static void Follow(int fd, unsigned followed) {
  __atomic_store_n(&tap_fds[fd], (uint16_t)followed, __ATOMIC_RELAXED);
}

// Begins to follow a file of the log whose number is `known`, or 0.
static void FollowFile(int fd, const char* path, int flags, unsigned known) {
  struct stat info;
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  // What is written cannot be a directory.
  if (!writes && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))) return;
  const bool through = writes && (flags & O_DSYNC);
  const bool unavoidable = through && !tap.emulate && tap_rung_syncs_at_once();
  Lock();
  if (tap_is_foreign()) tap_pages_need();
  const unsigned file = known != 0 ? known : FindOrAdd(tap_name_of(path));
  if (writes) {
    tap_add_locked(&tap.page->opens, 1);
    // What a foreign program does at once lies in memory.
    if ((flags & O_DIRECT || unavoidable) && !tap_is_foreign())
      tap_add_locked(&tap.page->bypasses, 1);
    Keep(&last_file, path, file);
  }
  tap_writes_through[fd] = through;
  ++State(file)->descriptors;
  Follow(fd, file);
  Unlock();
}

static void FollowDirectory(int fd, const char* path) {
  struct stat info;
  if (fstat(fd, &info) != 0 || !S_ISDIR(info.st_mode)) return;
  Lock();
  Keep(&last_directory, path, TAP_DIRECTORY);
  Follow(fd, TAP_DIRECTORY);
  Unlock();
}

// Follows what was opened by the same path the last time; false: it is another.
static bool FollowAgain(int fd, const char* path, int flags) {
  const bool reads = (flags & O_ACCMODE) == O_RDONLY;
  const struct opened* last = reads ? &last_directory : &last_file;
  Lock();
  const bool is_last = strcmp(path, last->path) == 0;
  const unsigned followed = last->followed;
  if (is_last && reads) Follow(fd, TAP_DIRECTORY);
  Unlock();
  if (!is_last || reads) return is_last;
  tap_of_call = &tap_logs[tap_log_of(followed)];
  FollowFile(fd, path, flags, followed);
  return true;
}

// The path of an open file: the one that it was opened by, if that is from the
// root, has no link in it and is written as the kernel would; else the kernel
// is asked, which takes as long as a write. NULL: it has none.
static const char* PathOf(int fd, const char* path, bool has_link,
                          char real[PATH_MAX]) {
  if (!has_link && path[0] == '/' && strstr(path, "/.") == NULL &&
      strstr(path, "//") == NULL && path[strlen(path) - 1] != '/')
    return path;
  return preload_path_of(fd, real) > 0 ? real : NULL;
}

// Whether `path` is of a log's file; then `tap` is that log's.
static bool IsLogFile(const char* path) {
  tap_of_call = &tap_logs[TAP_BINLOG];
  if (tap.page != NULL && tap_is_of_pattern(path)) return true;
  tap_of_call = &tap_logs[TAP_WAL];
  return tap_is_of_pattern(path);
}

void tap_files_opened(int fd, const char* path, int flags, bool has_link) {
  char asked[PATH_MAX];
  if (tap_followed(fd) != TAP_NOT_FOLLOWED) tap_files_closed(fd);
  if ((unsigned)fd >= TAP_FDS || (flags & O_PATH)) return;
  if (!has_link && FollowAgain(fd, path, flags)) return;
  const char* real = PathOf(fd, path, has_link, asked);
  if (real == NULL) return;
  tap_of_call = &tap_logs[TAP_WAL];
  const bool reads = (flags & O_ACCMODE) == O_RDONLY;
  if (reads && tap_is_directory(real)) FollowDirectory(fd, real);
  // A foreign program may sync what it opened for reading.
  if ((tap_is_foreign() || !reads) && IsLogFile(real))
    FollowFile(fd, real, flags, 0);
}

void tap_files_duplicated(int from, int to) {
  if (from == to) return;
  if (tap_followed(to) != TAP_NOT_FOLLOWED) tap_files_closed(to);
  const unsigned followed = tap_followed(from);
  if (followed == TAP_NOT_FOLLOWED || (unsigned)to >= TAP_FDS) return;
  Lock();
  if (tap_is_file(followed)) ++State(followed)->descriptors;
  tap_writes_through[to] = tap_writes_through[from];
  Follow(to, followed);
  Unlock();
}

void tap_files_closed(int fd) {
  Lock();
  const unsigned followed = tap_followed(fd);
  if (tap_is_file(followed)) --State(followed)->descriptors;
  Follow(fd, TAP_NOT_FOLLOWED);
  Unlock();
}

// No server renames its binlog.
void tap_files_renamed(int from_dir, const char* from, int to_dir,
                       const char* to) {
  char before[PATH_MAX], after[PATH_MAX];
  tap_of_call = &tap_logs[TAP_WAL];
  if (tap.page == NULL) return;
  if (preload_resolve_name(from_dir, from, before) == 0 ||
      preload_resolve_name(to_dir, to, after) == 0)
    return;
  Lock();
  const unsigned file = Find(tap_name_of(before));
  if (file != 0) SetName(Record(file), tap_name_of(after));
  last_file.path[0] = '\0';
  Unlock();
}

void tap_files_wrote(unsigned file, uint64_t bytes) {
  Lock();
  struct tap_file* record = Record(file);
  if (tap.emulate && !tap_is_foreign()) State(file)->unsynced += bytes;
  if (tap.emulate && tap_is_foreign()) tap_add(tap_device_unsynced(), bytes);
  tap_add_locked(&record->writes, 1);
  tap_add_locked(&record->bytes, bytes);
  tap_add_locked(&tap.page->writes, 1);
  tap_add_locked(&tap.page->write_bytes, bytes);
  Unlock();
}

// Of a foreign program's log, whoever wrote them.
static uint64_t TakeShared(uint64_t limit) {
  uint64_t* unsynced = tap_device_unsynced();
  uint64_t there = __atomic_load_n(unsynced, __ATOMIC_RELAXED);
  uint64_t taken;
  do {
    taken = there < limit ? there : limit;
  } while (!__atomic_compare_exchange_n(unsynced, &there, there - taken, 1,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return taken;
}

// Takes at most `limit` of the file's unsynced bytes, which are then synced.
static uint64_t TakeUnsynced(unsigned file, uint64_t limit) {
  if (tap_is_foreign()) return TakeShared(limit);
  Lock();
  struct file_state* state = State(file);
  const uint64_t taken = state->unsynced < limit ? state->unsynced : limit;
  state->unsynced -= taken;
  Unlock();
  return taken;
}

bool tap_files_answer_sync(unsigned file) {
  const uint64_t bytes = tap.emulate ? TakeUnsynced(file, UINT64_MAX) : 0;
  if (tap_rung_syncs_at_once())
    tap_add(&tap.page->syncs_at_once, 1);
  else if (tap.emulate)
    tap_device_sync(bytes);
  else
    return false;
  return true;
}

void tap_files_synced(unsigned file, uint64_t start) {
  const uint64_t end = tap_now();
  Lock();
  tap_count_sync(Record(file), start, end);
  Unlock();
}

void tap_files_write_back(unsigned file, uint64_t limit) {
  tap_device_write_back(TakeUnsynced(file, limit));
}

enum { kMappings = 32 };
static struct {
  const char* begin;
  size_t length;
} mappings[kMappings];
static unsigned last_mapping;

void tap_files_mapped(const void* address, size_t length) {
  Lock();
  last_mapping = (last_mapping + 1) % kMappings;
  mappings[last_mapping].begin = address;
  mappings[last_mapping].length = length;
  Unlock();
}

bool tap_files_is_mapped(const void* address) {
  for (unsigned i = 0; i < kMappings; ++i) {
    const uintptr_t at = (uintptr_t)address - (uintptr_t)mappings[i].begin;
    if (at < mappings[i].length) return true;
  }
  return false;
}

void tap_files_forked(void) {
  lock = 0;  // another thread of the parent may have held it
  last_file.path[0] = '\0';
  tap_of_call = &tap_logs[TAP_WAL];
  if (tap.page == NULL || !tap_is_foreign()) return;
  const struct tap_page* parents = tap.page;
  tap_pages_leave();
  for (unsigned slot = 0; slot < TAP_FILES; ++slot) {
    if (states[TAP_WAL][slot].descriptors == 0) continue;
    tap_pages_need();
    SetName(&tap.page->files[slot], parents->files[slot].name);
  }
}
