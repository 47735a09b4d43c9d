#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct tap_settings tap_logs[TAP_LOGS];
_Thread_local struct tap_settings* tap_of_call = &tap_logs[TAP_WAL];

static struct tap_page* Map(const char* path) {
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

void tap_start(const char* path) {
  struct tap_page* page = Map(path);
  tap.page = page;
  tap.device_page = page->device[0] == '\0' ? page : Map(page->device);
  tap.emulate = page->model.magic == TAP_MODEL_MAGIC;
  tap.rung = (enum tap_rung)page->rung;
  if (preload_resolve(AT_FDCWD, page->log_dir, tap.wal_dir) == 0)
    tap_refuse(page->log_dir,
               errno == 0 ? "cannot resolve the path" : strerror(errno));
  if (tap.wal_dir[1] == '\0') tap.wal_dir[0] = '\0';  // all is below "/"
  tap.patterns = page->patterns;
  tap.is_foreign = page->pages[0] != '\0';
  tap_add(&page->attached, 1);
}

int tap_is_of_pattern(const char* path) {
  if (!preload_is_below(path, tap.wal_dir)) return 0;
  const char* below = path + strlen(tap.wal_dir) + 1;
  for (const char* one = tap.patterns; *one != '\0'; one += strlen(one) + 1)
    if (fnmatch(one, below, 0) == 0) return 1;
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

void tap_pages_need(void) {
  if (tap.page != tap.device_page) return;
  char path[PATH_MAX + 48];
  snprintf(path, sizeof(path), "%s/%ld-%llx", tap.page->pages,
           syscall(SYS_getpid), (unsigned long long)tap_now());
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

uint64_t tap_rung_take(const struct iovec* parts, int count) {
  uint64_t bytes = 0;
  for (int part = 0; part < count; ++part) bytes += parts[part].iov_len;
  tap_add(&tap.page->bytes_not_kept, bytes);
  return bytes;
}

// The page's layout as text, by which Python reads it: a line for each member
// in its order, with its name, how many numbers or characters it is, how it
// counts and where it is seen (page.h). Members of a file begin with "files.".
#define EXPORTED __attribute__((visibility("default")))

#define LINE(name, count, kind, seen_in) \
  name " " #count " " kind " " seen_in "\n"
#define MEMBER(name, count, kind) LINE(name, count, kind, "PAGE")
#define COUNTER(name, kind, seen_in) LINE(#name, 1, #kind, #seen_in)
#define TOLD(name) MEMBER(#name, TAP_PATH, "TEXT")
#define FILE_COUNTER(name, kind) LINE("files." #name, 1, #kind, "PAGE")

EXPORTED const char* const waltax_tap_layout = MEMBER("attached", 1, "SUM")
    TAP_COUNTERS(COUNTER) MEMBER("refused", TAP_REASON, "TEXT") TAP_TOLD(TOLD)
        MEMBER("sync_achieved", TAP_BUCKETS, "SUM")
            MEMBER("sync_wanted", TAP_BUCKETS, "SUM")
                MEMBER("files", TAP_FILES, "FILES")
                    MEMBER("files.name", TAP_NAME, "TEXT")
                        TAP_FILE_COUNTERS(FILE_COUNTER);

// The first members of a new page.
EXPORTED const uint64_t waltax_tap_header[] = {TAP_MAGIC, TAP_VERSION,
                                               sizeof(struct tap_page)};
