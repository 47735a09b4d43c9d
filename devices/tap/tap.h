// What the tap is set to do. Read-only once the constructor has run; all zero,
// which means pass everything through, before that and without
// WALTAX_TAP_WAL_DIR.
//
//   WALTAX_TAP_WAL_DIR  directory of the WAL files (files.h); must exist
//   WALTAX_TAP_PAGE     file that holds a struct tap_page
//   WALTAX_TAP_MODEL    rendered latency model; absent: observe only
//   WALTAX_TAP_DEVICE   another page, whose emulated device the log is on, too;
//                       absent: that of WALTAX_TAP_PAGE
//   WALTAX_TAP_RUNG     what to leave out of it (rung.h); absent: nothing
//   WALTAX_TAP_READ_NS  what a read of data takes (reads.h); absent: as it is
//   WALTAX_TAP_DATA_DIR  directory of the data files, then
//
// A server may write a second log, its binlog, of which the tap keeps a page of
// its own. Absent: there is none, or nobody looks.
//
//   WALTAX_TAP_BINLOG_DIR    directory of the binlog's files
//   WALTAX_TAP_BINLOG_PAGE   as that of the WAL, of another file
//   WALTAX_TAP_BINLOG_MODEL  as that of the WAL; "same" is the WAL's device
#ifndef WALTAX_DEVICES_TAP_TAP_H_
#define WALTAX_DEVICES_TAP_TAP_H_

#include <limits.h>
#include <stddef.h>

#include "page.h"

enum tap_log { TAP_WAL, TAP_BINLOG, TAP_LOGS };

struct tap_settings {
  struct tap_page* page;         // NULL: do nothing
  struct tap_page* device_page;  // whose emulated device it is; NULL: `page`
  int emulate;
  int on_wal_device;       // the emulated device is the WAL's
  unsigned rung;           // enum tap_rung
  char wal_dir[PATH_MAX];  // canonical, without a slash at the end
  size_t wal_dir_length;
  uint64_t read_ns;  // what a read of a data file takes; 0: as long as it does
  char data_dir[PATH_MAX];  // as `wal_dir`
  size_t data_dir_length;
};

extern struct tap_settings tap_logs[TAP_LOGS];

// The log of the call that this thread is in, the WAL's until a descriptor says
// otherwise (files.h). All that a hook reads and counts is that log's.
extern _Thread_local struct tap_settings* tap_of_call;
#define tap (*tap_of_call)

static inline enum tap_log tap_log(void) {
  return (enum tap_log)(tap_of_call - tap_logs);
}

// Ends the process with status 1 after one line on stderr; the page, when it
// is there, keeps the reason.
_Noreturn void tap_refuse(const char* subject, const char* reason);

// Puts the path behind a descriptor, as the kernel knows it, into `path`.
// Returns its length, or 0 when it is unknown.
size_t tap_path_of(int fd, char path[PATH_MAX]);

// Puts the canonical form of a directory's path into `canonical` and returns
// its length; refuses what is none.
size_t tap_resolve(const char* directory, char canonical[PATH_MAX]);

// Opens a file or directory that must be there, or refuses.
int tap_open_or_refuse(const char* path, int flags);

static inline void tap_add(uint64_t* counter, uint64_t amount) {
  __atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
}

#endif  // WALTAX_DEVICES_TAP_TAP_H_
