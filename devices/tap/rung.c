#include "rung.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

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

ssize_t tap_rung_bytes(const struct iovec* parts, int count) {
  size_t bytes = 0;
  for (int part = 0; part < count; ++part) bytes += parts[part].iov_len;
  if (count >= 0 && count <= IOV_MAX && bytes <= SSIZE_MAX)
    return (ssize_t)bytes;
  errno = EINVAL;
  return -1;
}

ssize_t tap_rung_take(ssize_t bytes) {
  if (bytes > 0) tap_add(&tap.page->bytes_not_kept, (uint64_t)bytes);
  return bytes;
}
