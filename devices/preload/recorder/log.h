// The log of a program, which may be of several processes: a file that its
// reader makes (crash/log.py has the same layout) and every process maps
// MAP_SHARED, so that what is in it survives whatever ends them. All numbers
// are little-endian.
//
//   log    : header, padded to RECORDER_HEADER bytes; record...; padding to
//            the header's capacity; struct recorder_shared
//   record : struct recorder_record, text, other text, data, padding to 8 bytes
//
// A record is claimed, filled and marked as begun before its call is made, and
// marked as ended after it. What a killed process leaves is therefore a call
// that may have been carried out, wholly, in part or not at all.
#ifndef WALTAX_DEVICES_PRELOAD_RECORDER_LOG_H_
#define WALTAX_DEVICES_PRELOAD_RECORDER_LOG_H_

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#define RECORDER_MAGIC 0x4345525841544c57ULL  // "WLTAXREC"
#define RECORDER_VERSION 3
#define RECORDER_HEADER 4096
#define RECORDER_REASON 256

struct recorder_header {
  uint64_t magic;                 // set by the reader, checked by the recorder
  uint64_t version;               // likewise
  uint64_t capacity;              // likewise: where the records must end
  uint64_t used;                  // end of the last record
  uint64_t programs;              // that were executed under the recorder
  uint64_t full;                  // 1 once a record had no room
  char refused[RECORDER_REASON];  // why the recorder ended a process
};

// The locks of all processes. One of a process that died passes to the next one
// that wants it.
struct recorder_shared {
  uint32_t ready;             // 2 once the locks can be used
  pthread_mutex_t names;      // opens, and calls that change names
  pthread_mutex_t positions;  // writes at the position of a descriptor
  pthread_mutex_t end;        // of the log
};

enum recorder_kind {
  RECORDER_ROOT = 1,  // text: a directory whose files are recorded
  RECORDER_FILE,      // file, text: opened, and not made by this open
  RECORDER_CREATE,    // file, text
  RECORDER_TRUNCATE,  // file; offset: the new length
  RECORDER_WRITE,     // file, offset, length, data; flags: 1 durable by itself
  RECORDER_ALLOCATE,  // file, offset, length; flags: fallocate's mode
  RECORDER_SYNC,      // file; flags: 1 fdatasync
  RECORDER_SYNC_RANGE,  // file, offset, length: starts write-back, no more
  RECORDER_SYNC_DIR,    // text
  RECORDER_SYNC_ALL,    // all files of the file system
  RECORDER_RENAME,      // text, other; flags: renameat2's
  RECORDER_LINK,        // text, other
  RECORDER_UNLINK,      // text
  RECORDER_MKDIR,       // text
  RECORDER_RMDIR,       // text
  RECORDER_ACK,         // data: lines of the acknowledgement log
};

enum recorder_state { RECORDER_CLAIMED, RECORDER_BEGUN, RECORDER_ENDED };

struct recorder_record {
  uint32_t size;  // of the whole record, a multiple of 8
  uint16_t kind;
  uint16_t state;
  uint32_t thread;
  int32_t error;   // errno of a call that failed, else 0
  uint64_t begin;  // CLOCK_MONOTONIC, nanoseconds
  uint64_t end;    // likewise; 0 until the call returned
  // Of the file; all 0: none. Its last name gone and all of its descriptors
  // closed, another file may have the number; then that one's CREATE comes
  // before all else of it.
  uint64_t device;
  uint64_t inode;
  uint64_t offset;
  uint64_t length;
  uint32_t flags;
  uint32_t text;
  uint32_t other;
  uint32_t data;
};

// What is to be recorded of a call.
struct recorder_call {
  struct recorder_record head;  // kind, file, flags, offset and length
  const char* text;             // may be NULL
  const char* other;            // likewise
  const struct iovec* parts;
  int count;
};

// Ends the process with status 1 after one line on stderr; the header, when it
// is mapped, keeps the reason.
_Noreturn void recorder_refuse(const char* subject, const char* reason);

// Maps the log at `path`, and turns the recorder on.
void recorder_log_open(const char* path);
// Whether this process is recorded: hooks ask nothing more of a recorder that
// is off.
extern bool recorder_on;
extern struct recorder_shared* recorder_shared;
void recorder_lock(pthread_mutex_t* lock);

// Records that a call begins. NULL when nothing is recorded.
struct recorder_record* recorder_begin(const struct recorder_call* call);
// Records how it ended, and keeps errno. Of a write `result` is its length.
void recorder_end(struct recorder_record* record, long result);
// A fact that takes no time.
void recorder_note(const struct recorder_call* call);

#endif  // WALTAX_DEVICES_PRELOAD_RECORDER_LOG_H_
