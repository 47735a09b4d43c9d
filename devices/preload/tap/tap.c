#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

struct tap_settings tap_logs[TAP_LOGS];
_Thread_local struct tap_settings* tap_of_call = &tap_logs[TAP_WAL];

size_t tap_resolve(const char* directory, char canonical[PATH_MAX]) {
  const size_t length = preload_resolve(AT_FDCWD, directory, canonical);
  if (length == 0)
    tap_refuse(directory,
               errno == 0 ? "cannot resolve the path" : strerror(errno));
  return length;
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
