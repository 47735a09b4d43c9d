// The constructor: reads the environment, maps the page, loads the model.
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "reads.h"
#include "rung.h"
#include "tap.h"

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

static void SetWalDir(const char* path) {
  tap.wal_dir_length = tap_resolve(path, tap.wal_dir);
  if (tap.emulate) CheckMemoryBacked(path);
}

static struct tap_page* MapPage(const char* path) {
  const int fd = tap_open_or_refuse(path, O_RDWR);
  struct stat info;
  if (fstat(fd, &info) != 0) tap_refuse(path, strerror(errno));
  if ((size_t)info.st_size < sizeof(struct tap_page))
    tap_refuse(path, "the page is too small");
  const long address =
      syscall(SYS_mmap, NULL, sizeof(struct tap_page), PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_POPULATE, fd, 0);
  if (address == -1) tap_refuse(path, strerror(errno));
  syscall(SYS_close, fd);
  struct tap_page* page = (struct tap_page*)address;
  if (page->magic != TAP_MAGIC || page->version != TAP_VERSION ||
      page->size != sizeof(struct tap_page))
    tap_refuse(path, "not a page of this version");
  return page;
}

static void LoadModel(const char* path) {
  static char text[TAP_MODEL_BYTES];
  static struct tap_model models[TAP_LOGS];
  struct tap_model* model = &models[tap_log()];
  const int fd = tap_open_or_refuse(path, O_RDONLY);
  const long length = syscall(SYS_read, fd, text, sizeof(text));
  if (length < 0) tap_refuse(path, strerror(errno));
  if (length == sizeof(text)) tap_refuse(path, "the model is too long");
  syscall(SYS_close, fd);
  text[length] = '\0';
  const char* wrong = tap_model_parse(text, model);
  if (wrong != NULL) tap_refuse(path, wrong);
  wrong = tap_device_start(model);
  if (wrong != NULL) tap_refuse(path, wrong);
}

static void ShareDevice(const char* page_path) {
  if (page_path != NULL) tap.device_page = MapPage(page_path);
}

// Sets `tap` up for a log in `wal_dir`, a model for its own device included.
static void StartLog(const char* wal_dir, const char* page_path,
                     const char* model_path) {
  tap.emulate = model_path != NULL;
  SetWalDir(wal_dir);
  tap.page = MapPage(page_path);
  if (tap.emulate) LoadModel(model_path);
}

// The server's second log, on a device of its own or on the WAL's.
static void StartBinlog(const char* wal_model) {
  const char* dir = Variable("WALTAX_TAP_BINLOG_DIR");
  if (dir == NULL) return;
  const char* page_path = Variable("WALTAX_TAP_BINLOG_PAGE");
  if (page_path == NULL) tap_refuse("WALTAX_TAP_BINLOG_PAGE", "not set");
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
  const char* data_dir = Variable("WALTAX_TAP_DATA_DIR");
  if (data_dir == NULL) tap_refuse("WALTAX_TAP_DATA_DIR", "not set");
  const char* wrong = tap_reads_start(data_dir, ns);
  if (wrong != NULL) tap_refuse(ns, wrong);
}

__attribute__((constructor)) static void Start(void) {
  const char* wal_dir = Variable("WALTAX_TAP_WAL_DIR");
  if (wal_dir == NULL) return;
  const char* page_path = Variable("WALTAX_TAP_PAGE");
  if (page_path == NULL) tap_refuse("WALTAX_TAP_PAGE", "not set");
  const char* model_path = Variable("WALTAX_TAP_MODEL");
  tap_clock_calibrate();
  ShareDevice(Variable("WALTAX_TAP_DEVICE"));
  StartLog(wal_dir, page_path, model_path);
  DelayReads();
  const char* rung = Variable("WALTAX_TAP_RUNG");
  const char* wrong = tap_rung_start(rung);
  if (wrong != NULL) tap_refuse(rung, wrong);
  StartBinlog(model_path);
  tap_add(&tap.page->attached, 1);
}
