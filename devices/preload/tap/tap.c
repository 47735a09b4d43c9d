#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "devices/preload/clock.h"

struct tap_settings tap_logs[TAP_LOGS];
_Thread_local struct tap_settings* tap_of_call = &tap_logs[TAP_WAL];

void tap_resolve(const char* directory, char canonical[PATH_MAX]) {
  if (preload_resolve(AT_FDCWD, directory, canonical) == 0)
    tap_refuse(directory,
               errno == 0 ? "cannot resolve the path" : strerror(errno));
  if (canonical[1] == '\0') canonical[0] = '\0';  // all is below "/"
}

const char* tap_variable(const char* name) {
  const char* value = getenv(name);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

const char* tap_needed(const char* name) {
  const char* value = tap_variable(name);
  if (value == NULL) tap_refuse(name, "not set");
  return value;
}

struct tap_page* tap_map_page(const char* path) {
  size_t size;
  struct tap_page* page =
      preload_map(path, MAP_POPULATE, sizeof(struct tap_page), &size);
  if (page == NULL)
    tap_refuse(path, errno == 0 ? "the page is too small" : strerror(errno));
  if (page->magic != TAP_MAGIC || page->version != TAP_VERSION ||
      page->size != sizeof(struct tap_page))
    tap_refuse(path, "not a page of this version");
  return page;
}

void tap_patterns_start(const char* directory, const char* lines) {
  static char text[PATH_MAX];
  const size_t size = strlen(lines) + 1;
  if (size > sizeof(text)) tap_refuse(lines, "too long");
  memcpy(text, lines, size);
  char* rest = NULL;
  unsigned count = 0;
  for (char* line = strtok_r(text, "\n", &rest); line != NULL;
       line = strtok_r(NULL, "\n", &rest)) {
    if (count == TAP_PATTERNS) tap_refuse(lines, "too many patterns");
    tap.patterns[count++] = line;
  }
  tap_resolve(directory, tap.wal_dir);
}

int tap_is_of_pattern(const char* path) {
  if (!preload_is_below(path, tap.wal_dir)) return 0;
  const char* below = path + strlen(tap.wal_dir) + 1;
  for (const char** pattern = tap.patterns; *pattern != NULL; ++pattern)
    if (fnmatch(*pattern, below, 0) == 0) return 1;
  return 0;
}

int tap_is_directory(const char* path) {
  return preload_is_below(path, tap.wal_dir) || strcmp(path, tap.wal_dir) == 0;
}

const char* tap_name_of(const char* path) {
  const char* name = path;
  if (preload_is_below(path, tap.wal_dir)) name += strlen(tap.wal_dir) + 1;
  const size_t length = strlen(name);
  return length < TAP_NAME ? name : name + length - (TAP_NAME - 1);
}

static char folder[PATH_MAX];

void tap_pages_start(const char* name) {
  snprintf(folder, sizeof(folder), "%s", name);
  tap_pages_leave();
}

void tap_pages_need(void) {
  if (tap.page != tap.device_page) return;
  char path[PATH_MAX + 48];
  snprintf(path, sizeof(path), "%s/%ld-%llx", folder, syscall(SYS_getpid),
           (unsigned long long)tap_now());
  const int flags = O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0644);
  if (fd < 0 || syscall(SYS_ftruncate, fd, sizeof(struct tap_page)) != 0)
    tap_refuse(path, strerror(errno));
  syscall(SYS_close, fd);
  size_t size;
  struct tap_page* page = preload_map(path, 0, sizeof(struct tap_page), &size);
  if (page == NULL) tap_refuse(path, strerror(errno));
  memcpy(page, tap.page, offsetof(struct tap_page, attached));
  page->attached = 1;
  page->emulated = tap.page->emulated;
  page->spin_margin_ns = tap.page->spin_margin_ns;
  page->rung = tap.rung;
  tap.page = page;
}

void tap_pages_leave(void) { tap.page = tap.device_page; }

void tap_count_sync(struct tap_file* record, uint64_t start, uint64_t end) {
  // When the last one that counted as apart had ended: the most are found by
  // taking whichever ends first.
  static uint64_t apart_until[TAP_LOGS];
  const uint64_t ns = end - start;
  struct tap_page* page = tap.page;
  tap_add_locked(&record->syncs, 1);
  tap_add_locked(&record->sync_ns, ns);
  tap_add_locked(&page->syncs, 1);
  tap_add_locked(&page->sync_ns, ns);
  if (start >= apart_until[tap_log()]) {
    apart_until[tap_log()] = end;
    tap_add_locked(&page->syncs_apart, 1);
  }
  if (ns < TAP_NO_DEVICE_NS) tap_add_locked(&page->syncs_unwaited, 1);
  tap_add_locked(&page->sync_achieved[tap_bucket(ns)], 1);
}

void tap_rung_start(const char* word) {
  static const char* const kWords[] = {
      [TAP_RUNG_ENCODE] = "encode",
      [TAP_RUNG_SYNC_FREE] = "sync-free",
      [TAP_RUNG_WAIT] = "wait",
  };
  for (unsigned rung = TAP_RUNG_ENCODE; rung <= TAP_RUNG_WAIT; ++rung)
    if (word != NULL && strcmp(word, kWords[rung]) == 0) tap.rung = rung;
  tap.page->rung = tap.rung;
}

ssize_t tap_rung_take(const struct iovec* parts, int count) {
  size_t bytes = 0;
  for (int part = 0; part < count; ++part) bytes += parts[part].iov_len;
  if (count < 0 || count > IOV_MAX || bytes > SSIZE_MAX) {
    errno = EINVAL;
    return -1;
  }
  if (bytes > 0) tap_add(&tap.page->bytes_not_kept, bytes);
  return (ssize_t)bytes;
}
