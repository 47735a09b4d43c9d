#include "files.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device.h"
#include "devices/preload/clock.h"
#include "paths.h"
#include "tap.h"

uint16_t tap_fds[TAP_FDS];
// Whether it was opened with O_DSYNC, which O_SYNC has in it: a program may
// open a file both ways.
static bool writes_through[TAP_FDS];

// What only this process needs to know of a file. A WAL has one writer, so the
// position is the file's and not the open file description's.
struct file_state {
  dev_t dev;
  ino_t ino;
  uint64_t position;
  uint64_t unsynced;
  uint64_t written;    // the file's size at open, or where later writes ended
  uint64_t allocated;  // end of what was preallocated
  enum tap_file_state last_write;
  uint32_t descriptors;
  bool append;
};

// File number n is slot n - 1 of its log's page; the binlog's begin beyond. The
// number after the last slot stands for all files that got none; its record is
// private.
enum { kNoSlot = TAP_FILES + 1 };
static struct file_state states[TAP_LOGS][TAP_FILES + 1];
static struct tap_file no_slot[TAP_LOGS];
// No slot beyond was ever this process's.
static unsigned used[TAP_LOGS];

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
  const enum tap_log log = tap_log_of(file);
  const unsigned number = file % TAP_BINLOG_FILES;
  return number == kNoSlot ? &no_slot[log]
                           : &tap_logs[log].page->files[number - 1];
}

static struct file_state* State(unsigned file) {
  return &states[tap_log_of(file)][file % TAP_BINLOG_FILES - 1];
}

// The number of the log's file that has a slot, from 1; the one beyond stands
// for those without.
static unsigned Number(unsigned slot) {
  return tap_log() * TAP_BINLOG_FILES + slot;
}

static bool IsOneOf(const char* const* patterns, const char* path) {
  const char* name = tap_last_part(path);
  for (; *patterns != NULL; ++patterns)
    if (fnmatch(*patterns, name, FNM_EXTMATCH) == 0) return true;
  return false;
}

// RocksDB's 000012.log; InnoDB's ib_logfile0, and ib_logfile101 while it makes
// a new one. Not MariaDB's tc.log, ddl_recovery.log and aria_log.00000001.
static const char* const kLogs[] = {"+([0-9]).log", "ib_logfile+([0-9])", NULL};
// The server's binlog.000001; its list of them, binlog.index, is none.
static const char* const kBinlogs[] = {"binlog.+([0-9])", NULL};
// An engine's tables.
static const char* const kData[] = {
    "?*.sst",       "?*.blob",       "?*.ibd", "ibdata+([0-9])",
    "undo+([0-9])", "ibtmp+([0-9])", NULL};

int tap_is_wal_name(const char* path) {
  return tap_is_foreign() || IsOneOf(kLogs, path);  // a foreign inode tells
}

// Cheap test before asking the kernel for the real path: a directory is opened
// by its own name, or as "." and the like.
static bool MayBeWalDir(const char* path, int flags) {
  if (flags & O_PATH) return false;
  if (flags & O_DIRECTORY) return true;
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') --length;
  if (length > 0 && path[length - 1] == '.') return true;
  const char* name = tap_last_part(tap.wal_dir);
  const size_t name_length = strlen(name);
  return length >= name_length &&
         memcmp(path + length - name_length, name, name_length) == 0;
}

// The number of the file behind `info`, or 0.
static unsigned Find(const struct stat* info) {
  for (unsigned slot = 1; slot <= used[tap_log()]; ++slot) {
    const unsigned file = Number(slot);
    const struct tap_file* record = Record(file);
    const struct file_state* state = State(file);
    if (record->name[0] != '\0' && !record->unlinked &&
        state->ino == info->st_ino && state->dev == info->st_dev)
      return file;
  }
  return 0;
}

// The slot of a foreign program's file that is gone and had the name `name`: it
// is made anew for each transaction, and counted as one.
static unsigned SlotOfName(const char* name) {
  for (unsigned slot = 1; slot <= used[tap_log()]; ++slot) {
    const unsigned file = Number(slot);
    if (Record(file)->unlinked && State(file)->descriptors == 0 &&
        strncmp(Record(file)->name, name, TAP_NAME - 1) == 0)
      return file;
  }
  return 0;
}

// A slot for a new file: a free one, else that of a file that is gone.
static unsigned FreeSlot(void) {
  for (unsigned slot = 1; slot <= TAP_FILES; ++slot) {
    if (Record(Number(slot))->name[0] != '\0') continue;
    if (used[tap_log()] < slot) used[tap_log()] = slot;
    return Number(slot);
  }
  for (unsigned slot = 1; slot <= TAP_FILES; ++slot) {
    const unsigned file = Number(slot);
    if (Record(file)->unlinked && State(file)->descriptors == 0) return file;
  }
  tap_add_locked(&tap.page->files_dropped, 1);
  return Number(kNoSlot);
}

static const char* NameOf(const char* path) {
  return tap_is_foreign() ? tap_pattern_name(path) : tap_last_part(path);
}

static void SetName(struct tap_file* record, const char* path) {
  const char* name = NameOf(path);
  memset(record->name, 0, TAP_NAME);
  memcpy(record->name, name, strnlen(name, TAP_NAME - 1));
}

static unsigned AddFile(const struct stat* info, const char* path) {
  unsigned file = tap_is_foreign() ? SlotOfName(NameOf(path)) : 0;
  if (file == 0) {
    file = FreeSlot();
    memset(Record(file), 0, sizeof(struct tap_file));
    SetName(Record(file), path);
  }
  Record(file)->unlinked = 0;
  State(file)->dev = info->st_dev;
  State(file)->ino = info->st_ino;
  State(file)->unsynced = 0;
  State(file)->written = 0;
  State(file)->allocated = 0;
  return file;
}

static void KeepOpen(int fd, unsigned file) {
  ++State(file)->descriptors;
  __atomic_store_n(&tap_fds[fd], (uint16_t)file, __ATOMIC_RELAXED);
}

static void FollowFile(int fd, const struct stat* info, const char* path,
                       int flags) {
  Lock();
  if (tap_is_foreign()) tap_pages_need();
  unsigned file = Find(info);
  if (file == 0) file = AddFile(info, path);
  if ((flags & O_ACCMODE) == O_RDONLY) {
    KeepOpen(fd, file);
    Unlock();
    return;
  }
  struct tap_file* record = Record(file);
  struct file_state* state = State(file);
  state->append = (flags & O_APPEND) != 0;
  state->position = 0;
  // A log that RocksDB recycles is opened as it is, and renamed; a new one is
  // made or cut to nothing, which gives its blocks back.
  state->written = (uint64_t)info->st_size;
  if (flags & O_TRUNC) state->allocated = 0;
  state->last_write = TAP_PREALLOCATED;
  record->length = state->append ? (uint64_t)info->st_size : 0;
  record->durable_length = record->length;
  tap_add_locked(&tap.page->opens, 1);
  const bool through = (flags & O_DSYNC) != 0;
  const bool unavoidable = through && !tap.emulate && tap_rung_syncs_at_once();
  // What a foreign program does at once lies in memory.
  if ((flags & O_DIRECT || unavoidable) && !tap_is_foreign())
    tap_add_locked(&tap.page->bypasses, 1);
  writes_through[fd] = through;
  KeepOpen(fd, file);
  Unlock();
}

static void FollowLog(int fd, const char* path, int flags) {
  struct stat info;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
    FollowFile(fd, &info, path, flags);
}

// The binlog's files lie in its directory itself.
static void FollowBinlog(int fd, int flags) {
  char real[PATH_MAX];
  const size_t length = preload_path_of(fd, real);
  tap_of_call = &tap_logs[TAP_BINLOG];
  if (length > 0 && preload_is_below(real, tap.wal_dir))
    FollowLog(fd, real, flags);
}

// A foreign program may sync what it opened for reading, and opens directories
// by any name and flags.
void tap_files_opened_foreign(int fd, int dir, const char* path, int flags,
                              uint64_t names) {
  if (tap_followed(fd) != TAP_NOT_FOLLOWED) tap_files_closed(fd);
  if ((unsigned)fd >= TAP_FDS || (flags & O_PATH)) return;
  tap_of_call = &tap_logs[TAP_WAL];
  char real[PATH_MAX];
  struct stat info;
  enum tap_told told = TAP_UNTOLD;
  if (names != 0) told = tap_folders_tell(dir, path, names, real);
  if (told == TAP_TOLD && !(flags & O_NOFOLLOW)) told = TAP_UNTOLD;
  if (told != TAP_UNTOLD && !tap_is_directory(real)) return;
  bool directory = told == TAP_TOLD_FOLDER;
  if (!directory) {
    if (fstat(fd, &info) != 0) return;
    directory = S_ISDIR(info.st_mode);
    if (!directory && !S_ISREG(info.st_mode)) return;
  }
  if (told == TAP_UNTOLD) {
    if (preload_path_of(fd, real) == 0) return;
    if (names != 0 && (flags & O_NOFOLLOW))
      tap_folders_learn(dir, path, names, real);
  }
  if (directory && tap_is_directory(real))
    __atomic_store_n(&tap_fds[fd], TAP_DIRECTORY, __ATOMIC_RELAXED);
  else if (!directory && tap_is_of_pattern(real))
    FollowFile(fd, &info, real, flags);
}

void tap_files_opened(int fd, const char* path, int flags) {
  if (tap_followed(fd) != TAP_NOT_FOLLOWED) tap_files_closed(fd);
  if ((unsigned)fd >= TAP_FDS) return;
  tap_of_call = &tap_logs[TAP_WAL];
  const bool writable = (flags & O_ACCMODE) != O_RDONLY;
  if (writable && tap_logs[TAP_BINLOG].page != NULL &&
      IsOneOf(kBinlogs, path)) {
    FollowBinlog(fd, flags);
    return;
  }
  const bool data = tap.read_ns > 0 && IsOneOf(kData, path);
  const bool log = writable ? tap_is_wal_name(path) : MayBeWalDir(path, flags);
  if (!data && !log) return;
  char real[PATH_MAX];
  if (preload_path_of(fd, real) == 0) return;
  if (data) {
    if (preload_is_below(real, tap.data_dir))
      __atomic_store_n(&tap_fds[fd], TAP_DATA, __ATOMIC_RELAXED);
  } else if (writable) {
    if (preload_is_below(real, tap.wal_dir)) FollowLog(fd, real, flags);
  } else if (strcmp(real, tap.wal_dir) == 0) {
    __atomic_store_n(&tap_fds[fd], TAP_DIRECTORY, __ATOMIC_RELAXED);
  }
}

void tap_files_duplicated(int from, int to) {
  if (from == to) return;
  if (tap_followed(to) != TAP_NOT_FOLLOWED) tap_files_closed(to);
  const unsigned followed = tap_followed(from);
  if (followed == TAP_NOT_FOLLOWED || (unsigned)to >= TAP_FDS) return;
  Lock();
  if (tap_is_file(followed)) ++State(followed)->descriptors;
  writes_through[to] = writes_through[from];
  __atomic_store_n(&tap_fds[to], (uint16_t)followed, __ATOMIC_RELAXED);
  Unlock();
}

void tap_files_closed(int fd) {
  Lock();
  const unsigned followed = tap_followed(fd);
  if (followed != TAP_NOT_FOLLOWED)
    __atomic_store_n(&tap_fds[fd], TAP_NOT_FOLLOWED, __ATOMIC_RELAXED);
  if (tap_is_file(followed) && --State(followed)->descriptors == 0)
    tap_add_locked(&tap.page->closes, 1);
  Unlock();
}

// What lay under a write that ends at `end`. One that straddles two states
// counts as the latter, where it changes the file's size or its extents.
static enum tap_file_state Overwrite(struct file_state* state, uint64_t end) {
  if (end <= state->written) return TAP_RECYCLED;
  state->written = end;
  return end <= state->allocated ? TAP_PREALLOCATED : TAP_GROWING;
}

void tap_files_wrote(unsigned file, int64_t offset, uint64_t bytes,
                     uint64_t ns) {
  Lock();
  struct tap_file* record = Record(file);
  struct file_state* state = State(file);
  uint64_t end = (uint64_t)offset + bytes;
  if (offset < 0 || state->append) {
    end = (state->append ? record->length : state->position) + bytes;
    state->position = end;
  }
  if (end > record->length)
    __atomic_store_n(&record->length, end, __ATOMIC_RELAXED);
  state->last_write = Overwrite(state, end);
  if (!tap_is_foreign())
    state->unsynced += bytes;
  else if (tap.emulate)
    tap_add(tap_device_unsynced(), bytes);
  tap_add_locked(&record->writes, 1);
  tap_add_locked(&record->bytes, bytes);
  tap_add_locked(&tap.page->writes, 1);
  tap_add_locked(&tap.page->write_bytes, bytes);
  tap_add_locked(&tap.page->write_ns, ns);
  Unlock();
}

int64_t tap_files_seek(unsigned file, int64_t offset, int whence) {
  Lock();
  int64_t from = 0;
  if (whence == SEEK_CUR) from = (int64_t)State(file)->position;
  if (whence == SEEK_END) from = (int64_t)Record(file)->length;
  Unlock();
  return from + offset;
}

void tap_files_sought(unsigned file, int64_t position) {
  Lock();
  State(file)->position = (uint64_t)position;
  Unlock();
}

void tap_files_truncated(unsigned file, int64_t length) {
  Lock();
  struct tap_file* record = Record(file);
  const uint64_t end = (uint64_t)length;
  if (record->length > end) record->length = end;
  if (record->durable_length > end) record->durable_length = end;
  struct file_state* state = State(file);
  if (state->written > end) state->written = end;
  if (state->allocated > end) state->allocated = end;
  Unlock();
}

void tap_files_allocated(unsigned file, int64_t end) {
  Lock();
  struct file_state* state = State(file);
  if ((uint64_t)end > state->allocated) state->allocated = (uint64_t)end;
  Unlock();
}

int tap_files_writes_through(int fd) { return writes_through[fd]; }

enum tap_file_state tap_files_state(unsigned file) {
  return __atomic_load_n(&State(file)->last_write, __ATOMIC_RELAXED);
}

uint64_t tap_files_length(unsigned file) {
  return __atomic_load_n(&Record(file)->length, __ATOMIC_RELAXED);
}

void tap_files_synced(unsigned file, uint64_t length, uint64_t start) {
  const uint64_t end = tap_now();
  Lock();
  struct tap_file* record = Record(file);
  if (length > record->durable_length && length <= record->length)
    __atomic_store_n(&record->durable_length, length, __ATOMIC_RELAXED);
  tap_count_sync(record, start, end);
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

uint64_t tap_files_take_unsynced(unsigned file, uint64_t limit) {
  if (tap_is_foreign()) return TakeShared(limit);
  Lock();
  struct file_state* state = State(file);
  const uint64_t taken = state->unsynced < limit ? state->unsynced : limit;
  state->unsynced -= taken;
  Unlock();
  return taken;
}

void tap_files_unlinked(const struct stat* info) {
  Lock();
  const unsigned file = Find(info);
  if (file != 0) {
    Record(file)->unlinked = 1;
    tap_add_locked(&tap.page->unlinks, 1);
  }
  Unlock();
}

void tap_files_unlinked_path(const char* path) {
  const char* name = NameOf(path);
  Lock();
  for (unsigned slot = 1; slot <= used[TAP_WAL]; ++slot) {
    struct tap_file* record = Record(slot);
    if (record->unlinked || strncmp(record->name, name, TAP_NAME - 1) != 0)
      continue;
    record->unlinked = 1;
    tap_add_locked(&tap.page->unlinks, 1);
  }
  Unlock();
}

void tap_files_renamed(const struct stat* info, const char* path) {
  Lock();
  const unsigned file = Find(info);
  if (file != 0) SetName(Record(file), path);
  Unlock();
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

int tap_files_is_mapped(const void* address) {
  for (unsigned i = 0; i < kMappings; ++i) {
    const uintptr_t at = (uintptr_t)address - (uintptr_t)mappings[i].begin;
    if (at < mappings[i].length) return 1;
  }
  return 0;
}

void tap_files_forked(void) {
  lock = 0;  // another thread of the parent may have held it
  if (tap_logs[TAP_WAL].page == NULL) return;
  tap_of_call = &tap_logs[TAP_WAL];
  if (!tap_is_foreign()) return;
  struct tap_page* parents = tap.page;
  tap_pages_leave();
  for (unsigned file = 1; file <= TAP_FILES; ++file) {
    if (State(file)->descriptors == 0) continue;
    tap_pages_need();
    memcpy(Record(file)->name, parents->files[file - 1].name, TAP_NAME);
    Record(file)->length = parents->files[file - 1].length;
  }
  // Those of the parent alone are none of ours.
  for (unsigned file = 1; file <= TAP_FILES; ++file)
    if (Record(file)->name[0] == '\0') State(file)->ino = 0;
}
