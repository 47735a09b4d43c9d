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

#include "devices/preload/tap/device.h"
#include "devices/preload/tap/tap.h"
#include "supervisor.h"

// Beside 0 and negative errors: the kernel carries the call out.
enum { kPass = 1 };

// The file that a call is about.
struct target {
  char path[PATH_MAX];
  char way[PATH_MAX];  // by which the supervisor opens it
  struct stat info;
  int fd;  // the program's own
};

// What is known of a log beside its record in the page.
static struct log {
  dev_t dev;
  ino_t ino;
  uint64_t length;    // at the last sync, like what follows
  uint64_t position;  // of the program's descriptor
  unsigned moves;     // of that between two syncs
  uint64_t written;   // by the process to anything
} logs[TAP_FILES];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool IsLog(const struct target* file) {
  return S_ISDIR(file->info.st_mode) ? tap_is_directory(file->path)
                                     : tap_is_of_pattern(file->path);
}

static long Find(const struct seccomp_notif* call, struct target* file) {
  file->fd = (int)call->data.args[0];
  snprintf(file->way, PATH_MAX, "/proc/%d/fd/%d", (pid_t)call->pid, file->fd);
  const ssize_t length = readlink(file->way, file->path, PATH_MAX - 1);
  if (length < 0) return -errno;
  file->path[length] = '\0';
  return stat(file->way, &file->info) == 0 ? 0 : -errno;
}

// The number behind `key` in what the kernel tells of a thread's process, or 0.
static uint64_t Told(pid_t thread, const char* name, const char* key) {
  char text[512];
  snprintf(text, sizeof(text), "/proc/%d/%s", thread, name);
  const int fd = open(text, O_RDONLY | O_CLOEXEC);
  // /proc does not block: NOLINTNEXTLINE(clang-analyzer-unix.Block*)
  const ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
  if (fd >= 0) close(fd);
  text[length > 0 ? length : 0] = '\0';
  const char* found = strstr(text, key);
  return found == NULL ? 0 : strtoull(found + strlen(key), NULL, 10);
}

// The file's slot, or a new one; beyond the page's slots all share the last. A
// file that is renamed keeps its slot.
static unsigned SlotOf(const struct target* file) {
  const struct stat* info = &file->info;
  unsigned slot = 0;
  while (slot < TAP_FILES - 1 && tap.page->files[slot].name[0] != '\0' &&
         (logs[slot].ino != info->st_ino || logs[slot].dev != info->st_dev))
    ++slot;
  logs[slot].ino = info->st_ino;
  logs[slot].dev = info->st_dev;
  if (slot < TAP_FILES - 1)
    snprintf(tap.page->files[slot].name, TAP_NAME, "%s",
             tap_name_of(file->path));
  return slot;
}

// Where the next write of a sequence to the file goes, or 0.
static uint64_t PositionIn(const struct target* file, pid_t thread) {
  char name[32];
  snprintf(name, sizeof(name), "fdinfo/%d", file->fd);
  return Told(thread, name, "pos:");
}

// Estimates what a sync, asked for by `thread`, makes durable, since writes are
// not seen. A file that grew by no more than its process wrote was appended to,
// and that is exact. So it is where the position of the descriptor moved by no
// more: a preallocated file is filled in sequence, and has nothing new where
// that stands still. Otherwise it was written in place: the estimate is then
// all that the process wrote to anything since the file's last sync, sockets
// included, up to the file's length. Stores into a mapping, and what other
// processes wrote in place, are missed.
static uint64_t Estimate(const struct target* file, pid_t thread,
                         struct log* log) {
  const uint64_t written = Told(thread, "io", "\nwchar:");
  const uint64_t pool =
      log->written > written ? written : written - log->written;
  // A file that is shorter was cut, or is another in the same place.
  const uint64_t size = (uint64_t)file->info.st_size;
  const uint64_t grown = size < log->length ? size : size - log->length;
  const bool appended = grown > 0 && (grown <= pool || written == 0);
  const uint64_t now = PositionIn(file, thread);
  const uint64_t moved = now > log->position ? now - log->position : 0;
  log->moves += moved > 0;
  const bool stands = log->moves > 2 && now == log->position;
  log->written = written;
  log->length = size;
  log->position = now;
  if (appended) return grown;
  if (stands || (moved > 0 && moved <= pool)) return moved;
  return pool < size ? pool : size;
}

// Returns the bytes that a sync of the file makes durable, and its slot.
static uint64_t Take(const struct target* file, pid_t thread, unsigned* slot) {
  pthread_mutex_lock(&lock);
  *slot = SlotOf(file);
  const uint64_t bytes = Estimate(file, thread, &logs[*slot]);
  tap.page->files[*slot].bytes += bytes;
  pthread_mutex_unlock(&lock);
  tap_add(&tap.page->write_bytes, bytes);
  return bytes;
}

static void CountSync(unsigned slot, uint64_t start, uint64_t end) {
  pthread_mutex_lock(&lock);
  tap_count_sync(&tap.page->files[slot], start, end);
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
  const long result =
      syscall(call->nr, fd, call->args[1], call->args[2], call->args[3]);
  const long error = result == 0 ? 0 : -errno;
  close(fd);
  return error;
}

static long Sync(const struct seccomp_notif* call, const struct target* file) {
  const bool directory = S_ISDIR(file->info.st_mode);
  const bool write_back = call->data.nr == SYS_sync_file_range;
  unsigned slot = 0;
  const uint64_t bytes = directory ? 0 : Take(file, (pid_t)call->pid, &slot);
  const uint64_t start = tap_now();
  long result = 0;
  if (tap_rung_syncs_at_once())
    result = 0;
  else if (!tap.emulate)
    result = CarryOut(&call->data, file);
  else if (directory)
    tap_device_dir_sync();
  else if (write_back)
    tap_device_write_back(bytes);
  else
    tap_device_sync(bytes);
  const uint64_t end = tap_now();
  if (result != 0) return result;
  if (directory)
    tap_count_directory(start, end);
  else if (!write_back)
    CountSync(slot, start, end);
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
  if (data->nr == SYS_msync)
    return data->args[2] & MS_SYNC ? Bypass("msync()", "it names no file")
                                   : kPass;
  const bool writes = data->args[3] & SYNC_FILE_RANGE_WRITE;
  if (data->nr == SYS_sync_file_range && !writes) return kPass;
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
