// What the tap is set to do, by its page. Read-only once the constructor
// (../hooks/start.c) has run; all zero, which means pass everything through,
// before that and where nobody turned the tap on.
#ifndef WALTAX_DEVICES_PRELOAD_TAP_TAP_H_
#define WALTAX_DEVICES_PRELOAD_TAP_TAP_H_

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "devices/preload/process.h"
#include "page.h"

enum tap_log { TAP_WAL, TAP_BINLOG, TAP_LOGS };

// A rung of the ladder of `waltax why`: what of the device is left out, so that
// the difference of two rungs is the cost of what is between them. The numbers
// are those that the page shows, and cell.py knows.
enum tap_rung {
  TAP_RUNG_NONE,    // the device as it is
  TAP_RUNG_ENCODE,  // writes are taken and nothing is kept; syncs are answered
  TAP_RUNG_SYNC_FREE,  // writes as they are; syncs are answered at once
  TAP_RUNG_WAIT,       // syncs take the model's time, and none of its CPU time
};

struct tap_settings {
  struct tap_page* page;         // NULL: do nothing
  struct tap_page* device_page;  // whose emulated device it is
  int emulate;
  enum tap_rung rung;
  char wal_dir[PATH_MAX];  // canonical, without a slash at the end
  const char* patterns;    // of its files, each with its zero, and an empty one
  int is_foreign;          // any process of the program may write it
};

extern struct tap_settings tap_logs[TAP_LOGS];

// The log of the call that this thread is in, the WAL's until a descriptor says
// otherwise (files.h). All that a hook reads and counts is that log's.
extern _Thread_local struct tap_settings* tap_of_call;
#define tap (*tap_of_call)

static inline enum tap_log tap_log(void) {
  return (enum tap_log)(tap_of_call - tap_logs);
}

// Ends the process; the page, when it is there, keeps the reason.
_Noreturn static inline void tap_refuse(const char* subject,
                                        const char* reason) {
  preload_refuse("tap", tap.page == NULL ? NULL : tap.page->refused, TAP_REASON,
                 subject, reason);
}

// Sets `tap` up as the page in the file at `path` says.
void tap_start(const char* path);

// Where foreign programs are counted: each process has a page of its own, made
// when it first opens a log, since their lock is a process's and many processes
// never log. Until then it counts in that of the device, where nobody looks.
// They share the emulated device, which has a page of its own.

// Makes this process's page, if it has none. Call it under the lock of files.c.
void tap_pages_need(void);

// In a new child: leaves the parent's page. One that inherits files of a log
// must make its own.
void tap_pages_leave(void);

static inline int tap_is_foreign(void) { return tap.is_foreign; }

// True when `path` is of a file of the log, by its patterns below its
// directory, in which a `*` stands for slashes, too; and when it is that
// directory, or one below it.
int tap_is_of_pattern(const char* path);
int tap_is_directory(const char* path);

// What the page calls the log's file at `path`.
const char* tap_name_of(const char* path);

static inline void tap_add(uint64_t* counter, uint64_t amount) {
  __atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
}

// The same under a lock of the caller's: a plain sum, but stored whole for the
// reader of the page.
static inline void tap_add_locked(uint64_t* counter, uint64_t amount) {
  __atomic_store_n(counter, *counter + amount, __ATOMIC_RELAXED);
}

static inline void tap_count_directory(uint64_t start, uint64_t end) {
  tap_add(&tap.page->dir_syncs, 1);
  tap_add(&tap.page->dir_sync_ns, end - start);
}

// Counts a sync of a log's file, under a lock of the caller's.
void tap_count_sync(struct tap_file* record, uint64_t start, uint64_t end);

static inline int tap_rung_keeps_nothing(void) {
  return tap.rung == TAP_RUNG_ENCODE;
}

static inline int tap_rung_syncs_at_once(void) {
  return tap.rung == TAP_RUNG_ENCODE || tap.rung == TAP_RUNG_SYNC_FREE ||
         __atomic_load_n(&tap.page->hurries, __ATOMIC_RELAXED);
}

// The wait itself is the device's, so that it takes as long as there: what a
// sleep does not fit into is spun, and counted as the wait's.
static inline int tap_rung_burns_nothing(void) {
  return tap.rung == TAP_RUNG_WAIT;
}

// Takes what a call with these parts writes, and keeps nothing. Returns the
// bytes.
uint64_t tap_rung_take(const struct iovec* parts, int count);

#endif  // WALTAX_DEVICES_PRELOAD_TAP_TAP_H_
