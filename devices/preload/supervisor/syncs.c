#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "devices/preload/clock.h"
#include "devices/preload/tap/device.h"
#include "devices/preload/tap/paths.h"
#include "devices/preload/tap/tap.h"
#include "supervisor.h"

enum {
  kPass = 1,  // beside 0 and negative errors: the kernel carries the call out
  kProcesses = 4096,
};

// The file that a call is about.
struct target {
  char path[PATH_MAX];
  char way[PATH_MAX];  // by which the supervisor opens it
  struct stat info;
  int fd;  // the program's own, or -1
};

// What is known of a log beside its record in the page.
static struct log {
  dev_t dev;
  ino_t ino;
  blkcnt_t blocks;
  uint64_t position;  // of the program's descriptor at the last sync
  unsigned moves;     // of that between two syncs
} logs[TAP_FILES + 1];
static struct tap_file no_slot;  // of all logs beyond the page's slots

// How much of what a process wrote to anything its syncs have accounted for. A
// later process may take the place of another.
static struct writer {
  pid_t process;
  uint64_t accounted;
} writers[kProcesses];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool IsLog(const struct target* file) {
  return S_ISDIR(file->info.st_mode) ? tap_is_directory(file->path)
                                     : tap_is_of_pattern(file->path);
}

static long FindByDescriptor(pid_t thread, int fd, struct target* file) {
  file->fd = fd;
  snprintf(file->way, PATH_MAX, "/proc/%d/fd/%d", thread, fd);
  const ssize_t length = readlink(file->way, file->path, PATH_MAX - 1);
  if (length < 0) return -errno;
  file->path[length] = '\0';
  return stat(file->way, &file->info) == 0 ? 0 : -errno;
}

// Of a range in several mappings it is the first.
static long FindByAddress(pid_t thread, uint64_t address, struct target* file) {
  char line[PATH_MAX + 128];
  file->fd = -1;
  snprintf(file->way, PATH_MAX, "/proc/%d/maps", thread);
  FILE* maps = fopen(file->way, "re");
  if (maps == NULL) return -errno;
  bool found = false;
  while (!found && fgets(line, sizeof(line), maps) != NULL) {
    char* rest;  // "BEGIN-END rw-s OFFSET DEVICE INODE /PATH"
    const uint64_t begin = strtoull(line, &rest, 16);
    const uint64_t end = strtoull(rest + 1, &rest, 16);
    found = begin <= address && address < end && rest[4] == 's';
  }
  fclose(maps);
  const char* path = found ? strchr(line, '/') : NULL;
  if (path == NULL) return -ENOENT;
  snprintf(file->path, PATH_MAX, "%.*s", (int)strcspn(path, "\n"), path);
  snprintf(file->way, PATH_MAX, "%s", file->path);
  return stat(file->way, &file->info) == 0 ? 0 : -errno;
}

static long Find(const struct seccomp_notif* call, struct target* file) {
  const pid_t thread = (pid_t)call->pid;
  const __u64* arguments = call->data.args;
  // Without these flags nothing is written.
  if (call->data.nr == SYS_msync)
    return arguments[2] & MS_SYNC ? FindByAddress(thread, arguments[0], file)
                                  : -ENOENT;
  if (call->data.nr == SYS_sync_file_range &&
      !(arguments[3] & SYNC_FILE_RANGE_WRITE))
    return -ENOENT;
  return FindByDescriptor(thread, (int)arguments[0], file);
}

// The number behind `key` in what the kernel tells of a thread's process, or 0.
static uint64_t Told(pid_t thread, const char* name, const char* key) {
  char text[512];
  snprintf(text, sizeof(text), "/proc/%d/%s", thread, name);
  const int fd = open(text, O_RDONLY | O_CLOEXEC);
  const ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
  if (fd >= 0) close(fd);
  text[length > 0 ? length : 0] = '\0';
  const char* found = strstr(text, key);
  return found == NULL ? 0 : strtoull(found + strlen(key), NULL, 10);
}

// The process of a thread. Reading it takes ten times as long as asking whether
// the last answer still holds.
static pid_t ProcessOf(pid_t thread) {
  static pid_t known[kProcesses];
  pid_t* process = &known[thread % kProcesses];
  if (*process == 0 ||
      (syscall(SYS_tgkill, *process, thread, 0) != 0 && errno != EPERM))
    *process = (pid_t)Told(thread, "status", "\nTgid:");
  return *process;
}

static struct tap_file* Record(unsigned slot) {
  return slot == TAP_FILES ? &no_slot : &tap.page->files[slot];
}

// The file's slot, or a new one. A file that is renamed keeps its slot.
static unsigned SlotOf(const struct target* file) {
  const struct stat* info = &file->info;
  unsigned slot = 0;
  while (slot < TAP_FILES && Record(slot)->name[0] != '\0' &&
         (logs[slot].ino != info->st_ino || logs[slot].dev != info->st_dev))
    ++slot;
  if (slot == TAP_FILES) tap_add(&tap.page->files_dropped, 1);
  logs[slot].ino = info->st_ino;
  logs[slot].dev = info->st_dev;
  snprintf(Record(slot)->name, TAP_NAME, "%s", tap_pattern_name(file->path));
  return slot;
}

struct unsynced {
  unsigned slot;
  uint64_t bytes;
  uint64_t length;  // of the file
  enum tap_file_state state;
};

// Where the next write of a sequence to the file goes, or 0.
static uint64_t PositionIn(const struct target* file, pid_t thread) {
  char name[32];
  if (file->fd < 0) return 0;
  snprintf(name, sizeof(name), "fdinfo/%d", file->fd);
  return Told(thread, name, "pos:");
}

// Estimates what a sync makes durable, since writes are not seen. A file that
// grew by no more than its process wrote was appended to, and that is exact. So
// it is where the position of the descriptor moved by no more: a preallocated
// file is filled in sequence, and has nothing new where that stands still.
// Otherwise it was written in place: the estimate is then all that the process
// wrote to anything, sockets included, and no sync has accounted for, up to the
// file's length. Stores into a mapping, and what other processes wrote in
// place, are missed. A file counts as preallocated until as many bytes were
// synced as it is long, and as recycled afterwards.
static void Estimate(struct unsynced* what, const struct tap_file* record,
                     const struct target* file, pid_t thread) {
  const pid_t process = ProcessOf(thread);
  const uint64_t written = Told(thread, "io", "\nwchar:");
  struct writer* writer = &writers[process % kProcesses];
  if (writer->process != process || writer->accounted > written)
    *writer = (struct writer){process, 0};
  const uint64_t pool = written - writer->accounted;
  // A file that is shorter was cut, or is another in the same place.
  const uint64_t size = what->length;
  const uint64_t grown = size < record->length ? size : size - record->length;
  const bool appended = grown > 0 && (grown <= pool || written == 0);
  struct log* log = &logs[what->slot];
  const uint64_t now = PositionIn(file, thread);
  const uint64_t moved = now > log->position ? now - log->position : 0;
  log->moves += moved > 0;
  const bool stands = log->moves > 2 && now == log->position;
  const bool in_sequence = stands || (moved > 0 && moved <= pool);
  log->position = now;
  what->bytes = pool < size ? pool : size;
  if (in_sequence) what->bytes = moved;
  if (appended) what->bytes = grown;
  const bool is_exact = appended || in_sequence;
  writer->accounted = is_exact ? writer->accounted + what->bytes : written;
  what->state = record->bytes < size ? TAP_PREALLOCATED : TAP_RECYCLED;
  if (appended) what->state = TAP_GROWING;
}

// Takes what a sync of the file, asked for by `thread`, makes durable.
static struct unsynced Take(const struct target* file, pid_t thread) {
  const struct stat* info = &file->info;
  pthread_mutex_lock(&lock);
  struct unsynced what = {SlotOf(file), .length = (uint64_t)info->st_size};
  struct tap_file* record = Record(what.slot);
  blkcnt_t* blocks = &logs[what.slot].blocks;
  Estimate(&what, record, file, thread);
  // Blocks that are new in a file which did not grow were a hole.
  if (record->length == what.length && info->st_blocks > *blocks)
    what.state = TAP_GROWING;
  *blocks = info->st_blocks;
  record->bytes += what.bytes;
  record->length = what.length;
  pthread_mutex_unlock(&lock);
  tap_add(&tap.page->write_bytes, what.bytes);
  return what;
}

static void CountSync(struct unsynced what, uint64_t start, uint64_t end) {
  pthread_mutex_lock(&lock);
  Record(what.slot)->durable_length = what.length;
  tap_count_sync(Record(what.slot), start, end);
  pthread_mutex_unlock(&lock);
  if (tap_rung_syncs_at_once()) tap_add(&tap.page->syncs_at_once, 1);
}

static long Bypass(const char* subject, const char* reason) {
  tap_add(&tap.page->bypasses, 1);
  pthread_mutex_lock(&lock);
  snprintf(tap.page->refused, TAP_REASON, "%.70s: %.50s", subject, reason);
  pthread_mutex_unlock(&lock);
  return kPass;
}

// Carries the call out, on a descriptor that the supervisor opens itself.
static long CarryOut(const struct seccomp_data* call,
                     const struct target* file) {
  int fd = open(file->way, O_RDONLY | O_CLOEXEC);
  if (fd < 0) fd = open(file->way, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return Bypass(file->path, strerror(errno));
  const long number = call->nr == SYS_msync ? SYS_fdatasync : call->nr;
  const long result =
      syscall(number, fd, call->args[1], call->args[2], call->args[3]);
  const long error = result == 0 ? 0 : -errno;
  close(fd);
  return error;
}

static long Sync(const struct seccomp_notif* call, const struct target* file) {
  const bool directory = S_ISDIR(file->info.st_mode);
  const bool write_back = call->data.nr == SYS_sync_file_range;
  struct unsynced what = {0};
  if (!directory) what = Take(file, (pid_t)call->pid);
  const uint64_t start = tap_now();
  long result = 0;
  if (tap_rung_syncs_at_once())
    result = 0;
  else if (!tap.emulate)
    result = CarryOut(&call->data, file);
  else if (directory)
    tap_device_dir_sync();
  else if (write_back)
    tap_device_write_back(what.bytes);
  else
    tap_device_sync(what.state, what.bytes);
  const uint64_t end = tap_now();
  if (result != 0) return result;
  if (directory)
    tap_count_directory(start, end);
  else if (!write_back)
    CountSync(what, start, end);
  return 0;
}

static bool IsInMemory(const char* way) {
  struct statfs fs;
  return statfs(way, &fs) == 0 &&
         (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC);
}

static long Result(const struct seccomp_notif* call) {
  const struct seccomp_data* data = &call->data;
  if (data->arch != SUPERVISOR_MACHINE)
    return Bypass("a 32-bit program", "its syncs are not followed");
  if (data->nr == SYS_io_uring_setup)
    return Bypass("io_uring", "its syncs are not seen");
  if (data->nr == SYS_sync) return Bypass("sync()", "it is of every file");
  struct target file;
  const long error = Find(call, &file);
  if (error == -EACCES || error == -EPERM)
    return Bypass(file.way, strerror((int)-error));
  if (error != 0 || !IsLog(&file)) return kPass;
  if (tap.emulate && !IsInMemory(file.way))
    return Bypass(file.path,
                  "an emulated log must lie on a memory file system");
  return Sync(call, &file);
}

struct seccomp_notif_resp supervisor_answer(const struct seccomp_notif* call) {
  const long result = Result(call);
  struct seccomp_notif_resp answer = {.id = call->id};
  if (result == kPass)
    answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  else
    answer.error = (__s32)result;
  return answer;
}
