#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

struct tap_settings tap_logs[TAP_LOGS];
_Thread_local struct tap_settings* tap_of_call = &tap_logs[TAP_WAL];

void tap_resolve(const char* directory, char canonical[PATH_MAX]) {
  if (preload_resolve(AT_FDCWD, directory, canonical) == 0)
    tap_refuse(directory,
               errno == 0 ? "cannot resolve the path" : strerror(errno));
  if (canonical[1] == '\0') canonical[0] = '\0';  // all is below "/"
}

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

static const char* const kWords[] = {
    [TAP_RUNG_ENCODE] = "encode",
    [TAP_RUNG_SYNC_FREE] = "sync-free",
    [TAP_RUNG_WAIT] = "wait",
};

const char* tap_rung_start(const char* word) {
  if (word == NULL) return NULL;
  for (unsigned rung = TAP_RUNG_ENCODE; rung <= TAP_RUNG_WAIT; ++rung)
    if (strcmp(word, kWords[rung]) == 0) tap.rung = rung;
  if (tap.rung == TAP_RUNG_NONE) return "no rung of this tap";
  if (tap.rung == TAP_RUNG_WAIT && !tap.emulate)
    return "to wait as long as a device takes one must be emulated";
  if (tap.rung == TAP_RUNG_ENCODE && tap.emulate)
    return "what keeps nothing has no device to emulate";
  tap.page->rung = tap.rung;
  return NULL;
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
