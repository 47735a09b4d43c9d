// The constructor: turns the tap and the recorder on, each by its variables.
//
//   WALTAX_TAP_PAGE        the page in which the tap counts, and is told what
//                          to do (../tap/page.h); absent: no tap
//   WALTAX_TAP_BINLOG      the same of a server's second log; absent: there is
//                          none, or nobody looks
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

#include "devices/preload/recorder/recorder.h"
#include "devices/preload/tap/device.h"
#include "devices/preload/tap/files.h"
#include "devices/preload/tap/tap.h"

// The variable's value, or NULL where it is not set, or empty.
static const char* Variable(const char* name) {
  const char* value = getenv(name);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

// Emulated syncs do nothing but wait, so the files must not need them.
static void CheckMemoryBacked(const char* path) {
  struct statfs fs;
  if (statfs(path, &fs) != 0) tap_refuse(path, strerror(errno));
  if (fs.f_type != TMPFS_MAGIC && fs.f_type != RAMFS_MAGIC)
    tap_refuse(path, "an emulated log must lie on a memory file system");
}

static void StartLog(enum tap_log log, const char* page) {
  tap_of_call = &tap_logs[log];
  tap_start(page);
  if (!tap.emulate) return;
  CheckMemoryBacked(tap.page->log_dir);
  tap_device_start();
}

static void StartTap(void) {
  const char* page = Variable("WALTAX_TAP_PAGE");
  if (page == NULL) return;
  StartLog(TAP_WAL, page);
  const char* binlog = Variable("WALTAX_TAP_BINLOG");
  if (binlog != NULL) StartLog(TAP_BINLOG, binlog);
  tap_of_call = &tap_logs[TAP_WAL];
  pthread_atfork(NULL, NULL, tap_files_forked);
}

static void StartRecorder(void) {
  const char* log = Variable("WALTAX_RECORDER_LOG");
  const char* roots = Variable("WALTAX_RECORDER_ROOTS");
  if (log != NULL && roots != NULL)
    recorder_start(log, roots, Variable("WALTAX_RECORDER_ACKS"));
}

__attribute__((constructor)) static void Start(void) {
  StartTap();
  StartRecorder();
}
