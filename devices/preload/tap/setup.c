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

void tap_calibrate(void) {
  double* known =
      tap.device_page == NULL ? NULL : &tap.device_page->device.ns_per_tick;
  if (known != NULL && *known > 0) {
    tap_ns_per_tick = *known;
    return;
  }
  tap_clock_calibrate();
  if (known != NULL) *known = tap_ns_per_tick;
}

void tap_load_model(const char* path) {
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
  if (wrong == NULL) wrong = tap_device_start(model);
  if (wrong != NULL) tap_refuse(path, wrong);
}
