#include "setup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device.h"
#include "devices/preload/clock.h"
#include "model.h"
#include "tap.h"

const char* tap_variable(const char* name) {
  const char* value = getenv(name);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

const char* tap_needed(const char* name) {
  const char* value = tap_variable(name);
  if (value == NULL) tap_refuse(name, "not set");
  return value;
}

struct tap_page* tap_map_page(const char* path) {
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

void tap_load_model(const char* path) {
  static struct tap_model models[TAP_LOGS];
  struct tap_model* model = &models[tap_log()];
  const long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  const long length =
      fd < 0 ? -1 : syscall(SYS_read, fd, model, sizeof(*model));
  if (length < 0) tap_refuse(path, strerror(errno));
  syscall(SYS_close, fd);
  if (length != sizeof(*model) || model->magic != TAP_MODEL_MAGIC)
    tap_refuse(path, "not a model of this version");
  tap_device_start(model);
}
