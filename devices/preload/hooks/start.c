// The constructor: turns the tap and the recorder on, each by its variables.
//
//   WALTAX_TAP_WAL_DIR  directory of the WAL files (../tap/files.h), which must
//                       exist; absent: no tap
//   WALTAX_TAP_LOG      patterns of the log's paths below that directory, one
//                       a line: a foreign program's; absent: an engine's
//   WALTAX_TAP_PAGE     file that holds a struct tap_page; of a foreign program
//                       a folder, where each process makes its own
//   WALTAX_TAP_MODEL    latency model (../tap/model.h); absent: observe
//   WALTAX_TAP_DEVICE   another page, whose emulated device the log is on, too;
//                       absent: that of WALTAX_TAP_PAGE, but a foreign
//                       program's must be named
//   WALTAX_TAP_RUNG     what to leave out of it (../tap/tap.h); absent: nothing
//   WALTAX_TAP_READ_NS  what a read of data takes (../tap/device.h); absent: as
//                       it is
//   WALTAX_TAP_DATA_DIR  directory of the data files, then
//
// A server may write a second log, its binlog, of which the tap keeps a page of
// its own. Absent: there is none, or nobody looks.
//
//   WALTAX_TAP_BINLOG_DIR    directory of the binlog's files
//   WALTAX_TAP_BINLOG_PAGE   as that of the WAL, of another file
//   WALTAX_TAP_BINLOG_MODEL  as that of the WAL; "same" is the WAL's device
//   WALTAX_TAP_BINLOG_RUNG   as that of the WAL
//
//   WALTAX_RECORDER_LOG    the log: a file that crash/log.py made; absent:
//                          no recorder
//   WALTAX_RECORDER_ROOTS  directories whose files are recorded, one a line
//   WALTAX_RECORDER_ACKS   the acknowledgement log; absent: none
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "devices/preload/clock.h"
#include "devices/preload/recorder/calls.h"
#include "devices/preload/recorder/log.h"
#include "devices/preload/tap/device.h"
#include "devices/preload/tap/files.h"
#include "devices/preload/tap/tap.h"

// Emulated syncs do nothing but wait, so the files must not need them.
static void CheckMemoryBacked(const char* path) {
  struct statfs fs;
  if (statfs(path, &fs) != 0) tap_refuse(path, strerror(errno));
  if (fs.f_type != TMPFS_MAGIC && fs.f_type != RAMFS_MAGIC)
    tap_refuse(path, "an emulated log must lie on a memory file system");
}

// Sets `tap` up for a log in `wal_dir`, a model for its own device included.
static void StartLog(const char* wal_dir, const char* page_path,
                     const char* model_path) {
  tap.emulate = model_path != NULL;
  if (!tap_is_foreign()) tap_resolve(wal_dir, tap.wal_dir);
  if (tap.emulate) CheckMemoryBacked(wal_dir);
  if (tap_is_foreign())
    tap_pages_start(page_path);
  else
    tap.page = tap_map_page(page_path);
  if (tap.emulate) tap_device_load(model_path);
}

// The server's second log, on a device of its own or on the WAL's.
static void StartBinlog(const char* wal_model) {
  const char* dir = tap_variable("WALTAX_TAP_BINLOG_DIR");
  if (dir == NULL) return;
  const char* page_path = tap_needed("WALTAX_TAP_BINLOG_PAGE");
  const char* model_path = tap_variable("WALTAX_TAP_BINLOG_MODEL");
  tap_of_call = &tap_logs[TAP_BINLOG];
  tap.on_wal_device = model_path != NULL && strcmp(model_path, "same") == 0;
  StartLog(dir, page_path, tap.on_wal_device ? wal_model : model_path);
  tap_rung_start(tap_variable("WALTAX_TAP_BINLOG_RUNG"));
  tap_add(&tap.page->attached, 1);
  tap_of_call = &tap_logs[TAP_WAL];
}

static void StartTap(void) {
  const char* wal_dir = tap_variable("WALTAX_TAP_WAL_DIR");
  if (wal_dir == NULL) return;
  const char* page_path = tap_needed("WALTAX_TAP_PAGE");
  const char* model_path = tap_variable("WALTAX_TAP_MODEL");
  const char* patterns = tap_variable("WALTAX_TAP_LOG");
  const char* device_path = tap_variable("WALTAX_TAP_DEVICE");
  if (device_path != NULL) tap.device_page = tap_map_page(device_path);
  if (patterns != NULL) tap_patterns_start(wal_dir, patterns);
  StartLog(wal_dir, page_path, model_path);
  const char* read_ns = tap_variable("WALTAX_TAP_READ_NS");
  if (read_ns != NULL)
    tap_reads_start(tap_needed("WALTAX_TAP_DATA_DIR"), read_ns);
  tap_rung_start(tap_variable("WALTAX_TAP_RUNG"));
  StartBinlog(model_path);
  tap_add(&tap.page->attached, 1);
  pthread_atfork(NULL, NULL, tap_files_forked);
}

static void StartRecorder(void) {
  const char* log = tap_variable("WALTAX_RECORDER_LOG");
  if (log == NULL) return;
  const char* roots = tap_variable("WALTAX_RECORDER_ROOTS");
  if (roots == NULL) recorder_refuse("WALTAX_RECORDER_ROOTS", "not set");
  recorder_log_open(log);
  recorder_start(roots, tap_variable("WALTAX_RECORDER_ACKS"));
}

__attribute__((constructor)) static void Start(void) {
  StartTap();
  StartRecorder();
}
