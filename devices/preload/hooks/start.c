// The constructor: turns the tap and the recorder on, each by its variables.
//
//   WALTAX_TAP_WAL_DIR  directory of the WAL files (../tap/files.h), which must
//                       exist; absent: no tap
//   WALTAX_TAP_LOG      patterns of the log's paths below that directory, one
//                       a line: a foreign program's; absent: an engine's
//   WALTAX_TAP_PAGE     file that holds a struct tap_page; of a foreign program
//                       a folder, where each process makes its own
//   WALTAX_TAP_MODEL    rendered latency model; absent: observe only
//   WALTAX_TAP_DEVICE   another page, whose emulated device the log is on, too;
//                       absent: that of WALTAX_TAP_PAGE
//   WALTAX_TAP_RUNG     what to leave out of it (../tap/tap.h); absent: nothing
//   WALTAX_TAP_READ_NS  what a read of data takes (../tap/reads.h); absent: as
//                       it is
//   WALTAX_TAP_DATA_DIR  directory of the data files, then
//
// A server may write a second log, its binlog, of which the tap keeps a page of
// its own. Absent: there is none, or nobody looks.
//
//   WALTAX_TAP_BINLOG_DIR    directory of the binlog's files
//   WALTAX_TAP_BINLOG_PAGE   as that of the WAL, of another file
//   WALTAX_TAP_BINLOG_MODEL  as that of the WAL; "same" is the WAL's device
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
#include "devices/preload/recorder/files.h"
#include "devices/preload/recorder/log.h"
#include "devices/preload/tap/device.h"
#include "devices/preload/tap/files.h"
#include "devices/preload/tap/pages.h"
#include "devices/preload/tap/reads.h"
#include "devices/preload/tap/tap.h"

static const char* Variable(const char* name) {
  const char* value = getenv(name);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

static const char* Needed(const char* name) {
  const char* value = Variable(name);
  if (value == NULL) tap_refuse(name, "not set");
  return value;
}

// Emulated syncs do nothing but wait, so the files must not need them.
static void CheckMemoryBacked(const char* path) {
  struct statfs fs;
  if (statfs(path, &fs) != 0) tap_refuse(path, strerror(errno));
  if (fs.f_type != TMPFS_MAGIC && fs.f_type != RAMFS_MAGIC)
    tap_refuse(path, "an emulated log must lie on a memory file system");
}

static struct tap_page* MapPage(const char* path) {
  size_t size;
  struct tap_page* page =
      preload_map(path, MAP_POPULATE, sizeof(struct tap_page), &size);
  if (page == NULL)
    tap_refuse(path, errno == 0 ? "the page is too small" : strerror(errno));
  if (page->magic != TAP_MAGIC || page->version != TAP_VERSION ||
      page->size != sizeof(struct tap_page))
    tap_refuse(path, "not a page of this version");
  return page;
}

static void LoadModel(const char* path) {
  static char text[TAP_MODEL_BYTES];
  static struct tap_model models[TAP_LOGS];
  struct tap_model* model = &models[tap_log()];
  const long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  const long length = fd < 0 ? -1 : syscall(SYS_read, fd, text, sizeof(text));
  if (length < 0) tap_refuse(path, strerror(errno));
  if (length == sizeof(text)) tap_refuse(path, "the model is too long");
  syscall(SYS_close, fd);
  text[length] = '\0';
  const char* wrong = tap_model_parse(text, model);
  if (wrong != NULL) tap_refuse(path, wrong);
  wrong = tap_device_start(model);
  if (wrong != NULL) tap_refuse(path, wrong);
}

static void ReadPatterns(const char* lines) {
  static char text[PATH_MAX];
  if (strlen(lines) >= sizeof(text)) tap_refuse(lines, "too long");
  char* rest = NULL;
  unsigned count = 0;
  for (char* line = strtok_r(strcpy(text, lines), "\n", &rest); line != NULL;
       line = strtok_r(NULL, "\n", &rest)) {
    if (count == TAP_PATTERNS) tap_refuse(lines, "too many patterns");
    tap.patterns[count++] = line;
  }
}

// Sets `tap` up for a log in `wal_dir`, a model for its own device included.
static void StartLog(const char* wal_dir, const char* page_path,
                     const char* model_path) {
  tap.emulate = model_path != NULL;
  tap.wal_dir_length = tap_resolve(wal_dir, tap.wal_dir);
  if (tap.wal_dir_length == 1) tap.wal_dir_length = 0;  // all is below "/"
  if (tap.emulate) CheckMemoryBacked(wal_dir);
  if (tap_is_foreign())
    tap_pages_start(page_path);
  else
    tap.page = MapPage(page_path);
  if (tap.emulate) LoadModel(model_path);
}

// The server's second log, on a device of its own or on the WAL's.
static void StartBinlog(const char* wal_model) {
  const char* dir = Variable("WALTAX_TAP_BINLOG_DIR");
  if (dir == NULL) return;
  const char* page_path = Needed("WALTAX_TAP_BINLOG_PAGE");
  const char* model_path = Variable("WALTAX_TAP_BINLOG_MODEL");
  tap_of_call = &tap_logs[TAP_BINLOG];
  tap.on_wal_device = model_path != NULL && strcmp(model_path, "same") == 0;
  StartLog(dir, page_path, tap.on_wal_device ? wal_model : model_path);
  tap_add(&tap.page->attached, 1);
  tap_of_call = &tap_logs[TAP_WAL];
}

static void DelayReads(void) {
  const char* ns = Variable("WALTAX_TAP_READ_NS");
  if (ns == NULL) return;
  const char* wrong = tap_reads_start(Needed("WALTAX_TAP_DATA_DIR"), ns);
  if (wrong != NULL) tap_refuse(ns, wrong);
}

// A process of a foreign program may be short, and its time is what is
// measured: all but the first take what that one found.
static void Calibrate(void) {
  double* known =
      tap_is_foreign() ? &tap.device_page->device.ns_per_tick : NULL;
  if (known != NULL && *known > 0) {
    tap_ns_per_tick = *known;
    return;
  }
  tap_clock_calibrate();
  if (known != NULL) *known = tap_ns_per_tick;
}

static void StartTap(void) {
  const char* wal_dir = Variable("WALTAX_TAP_WAL_DIR");
  if (wal_dir == NULL) return;
  const char* page_path = Needed("WALTAX_TAP_PAGE");
  const char* model_path = Variable("WALTAX_TAP_MODEL");
  const char* patterns = Variable("WALTAX_TAP_LOG");
  const char* device_path = patterns == NULL ? Variable("WALTAX_TAP_DEVICE")
                                             : Needed("WALTAX_TAP_DEVICE");
  if (device_path != NULL) tap.device_page = MapPage(device_path);
  if (patterns != NULL) ReadPatterns(patterns);
  Calibrate();
  StartLog(wal_dir, page_path, model_path);
  DelayReads();
  const char* rung = Variable("WALTAX_TAP_RUNG");
  const char* wrong = tap_rung_start(rung);
  if (wrong != NULL) tap_refuse(rung, wrong);
  StartBinlog(model_path);
  tap_add(&tap.page->attached, 1);
  pthread_atfork(NULL, NULL, tap_files_forked);
}

static void StartRecorder(void) {
  const char* log = Variable("WALTAX_RECORDER_LOG");
  if (log == NULL) return;
  const char* roots = Variable("WALTAX_RECORDER_ROOTS");
  if (roots == NULL) recorder_refuse("WALTAX_RECORDER_ROOTS", "not set");
  if (!recorder_log_open(log)) return;
  recorder_files_start(roots, Variable("WALTAX_RECORDER_ACKS"));
  pthread_atfork(NULL, NULL, recorder_log_leave);
}

__attribute__((constructor)) static void Start(void) {
  StartTap();
  StartRecorder();
}
