#include "pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "devices/preload/clock.h"

static char folder[PATH_MAX];
// Counted in by nobody but a process that logs nothing. Only its first bytes
// are ever touched, so the kernel keeps no more of it in memory.
static struct tap_page private_page;

void tap_pages_start(const char* name) {
  snprintf(folder, sizeof(folder), "%s", name);
  private_page.magic = TAP_MAGIC;
  private_page.version = TAP_VERSION;
  private_page.size = sizeof(private_page);
  tap.page = &private_page;
}

void tap_pages_need(void) {
  if (tap.page != &private_page) return;
  char path[PATH_MAX + 48];
  snprintf(path, sizeof(path), "%s/%ld-%llx", folder, syscall(SYS_getpid),
           (unsigned long long)tap_now());
  const int flags = O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0644);
  if (fd < 0 || syscall(SYS_ftruncate, fd, sizeof(struct tap_page)) != 0)
    tap_refuse(path, strerror(errno));
  syscall(SYS_close, fd);
  size_t size;
  struct tap_page* page = preload_map(path, 0, sizeof(struct tap_page), &size);
  if (page == NULL) tap_refuse(path, strerror(errno));
  // Files have no slots in the private page, so what precedes them is all.
  memcpy(page, &private_page, offsetof(struct tap_page, refused));
  page->attached = 1;
  tap.page = page;
}

void tap_pages_leave(void) { tap.page = &private_page; }
