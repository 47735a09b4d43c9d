// What the tap is set to do. Read-only once the constructor has run; all zero,
// which means pass everything through, before that and without
// WALTAX_TAP_WAL_DIR.
//
//   WALTAX_TAP_WAL_DIR  directory of the WAL files (files.h); must exist
//   WALTAX_TAP_PAGE     file that holds a struct tap_page
//   WALTAX_TAP_MODEL    rendered latency model; absent: observe only
//   WALTAX_TAP_RUNG     what to leave out of it (rung.h); absent: nothing
#ifndef WALTAX_DEVICES_TAP_TAP_H_
#define WALTAX_DEVICES_TAP_TAP_H_

#include <limits.h>
#include <stddef.h>

#include "page.h"

struct tap_settings {
  struct tap_page* page;  // NULL: do nothing
  int emulate;
  unsigned rung;           // enum tap_rung
  char wal_dir[PATH_MAX];  // canonical, without a slash at the end
  size_t wal_dir_length;
};

extern struct tap_settings tap;

// Ends the process with status 1 after one line on stderr; the page, when it
// is there, keeps the reason.
_Noreturn void tap_refuse(const char* subject, const char* reason);

// Puts the path behind a descriptor, as the kernel knows it, into `path`.
// Returns its length, or 0 when it is unknown.
size_t tap_path_of(int fd, char path[PATH_MAX]);

static inline void tap_add(uint64_t* counter, uint64_t amount) {
  __atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
}

#endif  // WALTAX_DEVICES_TAP_TAP_H_
