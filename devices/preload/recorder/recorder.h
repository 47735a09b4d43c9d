// The recorder logs what a program was told of the calls that change files
// below the recorded directories, by the path that the kernel knows, and what
// is appended to the acknowledgement log. The hooks tell it that a call begins,
// by the function of its family, and how it ended; they do so while
// `recorder_on` alone.
//
// Blind spots: raw system calls, files without a name (O_TMPFILE), stores into
// mappings, asynchronous I/O, and copies that the kernel makes by itself.
//
// The log of a program, which may be of several processes, is a file that its
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
#ifndef WALTAX_DEVICES_PRELOAD_RECORDER_RECORDER_H_
#define WALTAX_DEVICES_PRELOAD_RECORDER_RECORDER_H_

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

// Turns the recorder on: maps the log at `log`. `text` names the directories,
// one a line; `acks` is the acknowledgement log's path or NULL.
void recorder_start(const char* log, const char* text, const char* acks);

// Whether this process is recorded: hooks ask nothing more of a recorder that
// is off.
extern bool recorder_on;

// Whether the file behind `fd` is recorded.
bool recorder_follows(int fd);

// A call from when it began until it ended. All zero: it is not recorded.
struct recorder_pending {
  struct recorder_record* record;
  pthread_mutex_t* lock;  // held meanwhile, or NULL
};

// An open of this name, which may make the file or cut it to nothing.
struct recorder_pending recorder_open(int dir, const char* path, int flags);

// A call that changes names. Of a RENAME and a LINK `to` is the new one; of
// others it is NULL.
struct recorder_pending recorder_name(enum recorder_kind kind, unsigned flags,
                                      int from_dir, const char* from,
                                      int to_dir, const char* to);

// A write at `offset`, or at the position when that is -1; `how` are its RWF_*.
// A negative `count` is refused by the kernel.
struct recorder_pending recorder_write(int fd, const struct iovec* parts,
                                       int count, int64_t offset, int how);

// Another call on the content of the file behind `fd`.
struct recorder_pending recorder_change(int fd, enum recorder_kind kind,
                                        uint32_t flags, int64_t offset,
                                        int64_t length);

// A truncation of the file at `path`.
struct recorder_pending recorder_truncate(const char* path, int64_t length);

// A sync of a file or a directory; `flags` is 1 for fdatasync.
struct recorder_pending recorder_sync(int fd, uint32_t flags);

// A sync of all files of the file system that `fd` is on, or of all, for -1.
struct recorder_pending recorder_sync_all(int fd);

// After the call returned `result`: negative when it failed, with errno, which
// stays as it is. Of a write it is its length, of an open the descriptor.
// Returns it.
long recorder_returned(struct recorder_pending pending, long result);

#endif  // WALTAX_DEVICES_PRELOAD_RECORDER_RECORDER_H_
