// The log of one process: a file that its reader makes (crash/log.py has the
// same layout) and the recorder maps MAP_SHARED, so that what is in it survives
// whatever ends the process. All numbers are little-endian.
//
//   log    : header, padded to RECORDER_HEADER bytes; record...
//   record : struct recorder_record, text, other text, data, padding to 8 bytes
//
// A record is claimed, filled and marked as begun before its call is made, and
// marked as ended after it. What a killed process leaves is therefore a call
// that may have been carried out, wholly, in part or not at all.
#ifndef WALTAX_DEVICES_PRELOAD_RECORDER_LOG_H_
#define WALTAX_DEVICES_PRELOAD_RECORDER_LOG_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#define RECORDER_MAGIC 0x4345525841544c57ULL  // "WLTAXREC"
#define RECORDER_VERSION 1
#define RECORDER_HEADER 4096
#define RECORDER_REASON 256

struct recorder_header {
  uint64_t magic;     // set by the reader, checked by the recorder
  uint64_t version;   // likewise
  uint64_t capacity;  // likewise: bytes of the file
  uint64_t used;      // end of the last record
  uint64_t owner;     // the process that is recorded, 0 before it came
  uint64_t others;    // processes that came besides, and are not recorded
  uint64_t files;     // numbers of files given out
  uint64_t full;      // 1 once a record had no room
  char refused[RECORDER_REASON];  // why the recorder ended the process
};

enum recorder_kind {
  RECORDER_ROOT = 1,  // text: a directory whose files are recorded
  RECORDER_FILE,      // file, text, length: seen first, of this size
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
  RECORDER_BLIND,       // text: a file; other: how it is changed unseen
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
  uint32_t file;   // 1, 2, ...: never given to another file; 0: none
  uint32_t flags;
  uint64_t offset;
  uint64_t length;
  uint32_t text;
  uint32_t other;
  uint64_t data;
};

// What is to be recorded of a call.
struct recorder_call {
  enum recorder_kind kind;
  uint32_t file;
  uint32_t flags;
  uint64_t offset;
  uint64_t length;
  const char* text;   // may be NULL
  const char* other;  // likewise
  const struct iovec* parts;
  int count;
};

// Ends the process with status 1 after one line on stderr; the header, when it
// is mapped, keeps the reason.
_Noreturn void recorder_refuse(const char* subject, const char* reason);

// Maps the log at `path`; false when it is another process's.
bool recorder_log_open(const char* path);
// Of a child that was forked: it is not recorded.
void recorder_log_leave(void);
// Whether this process is recorded: hooks ask nothing more of a recorder that
// is off.
extern bool recorder_on;
// A number that no file had.
uint32_t recorder_new_file(void);

// Records that a call begins. NULL when nothing is recorded.
struct recorder_record* recorder_begin(const struct recorder_call* call);
// Records how it ended, and keeps errno. Of a write `result` is its length.
void recorder_end(struct recorder_record* record, long result);
// A fact that takes no time.
void recorder_note(const struct recorder_call* call);

#endif  // WALTAX_DEVICES_PRELOAD_RECORDER_LOG_H_
