#include "paths.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>

#include "tap.h"

void tap_patterns_start(const char* directory, const char* lines) {
  static char text[PATH_MAX];
  const size_t size = strlen(lines) + 1;
  if (size > sizeof(text)) tap_refuse(lines, "too long");
  memcpy(text, lines, size);
  char* rest = NULL;
  unsigned count = 0;
  for (char* line = strtok_r(text, "\n", &rest); line != NULL;
       line = strtok_r(NULL, "\n", &rest)) {
    if (count == TAP_PATTERNS) tap_refuse(lines, "too many patterns");
    tap.patterns[count++] = line;
  }
  tap_resolve(directory, tap.wal_dir);
}

int tap_is_of_pattern(const char* path) {
  if (!preload_is_below(path, tap.wal_dir)) return 0;
  const char* below = path + strlen(tap.wal_dir) + 1;
  for (const char** pattern = tap.patterns; *pattern != NULL; ++pattern)
    if (fnmatch(*pattern, below, 0) == 0) return 1;
  return 0;
}

int tap_is_directory(const char* path) {
  return preload_is_below(path, tap.wal_dir) || strcmp(path, tap.wal_dir) == 0;
}

const char* tap_pattern_name(const char* path) {
  const char* name = path;
  if (preload_is_below(path, tap.wal_dir)) name += strlen(tap.wal_dir) + 1;
  const size_t length = strlen(name);
  return length < TAP_NAME ? name : name + length - (TAP_NAME - 1);
}

enum { kFolders = 4, kLongest = 240 };

static struct {
  uint64_t names;  // 0: empty
  size_t typed_length;
  size_t real_length;
  char typed[kLongest];  // with the slash at its end; "" is where we are
  char real[kLongest];   // without it
} folders[kFolders];
static unsigned latest;

// Who does not get it at once does without: the kernel can always be asked.
static bool taken;

static bool Acquire(void) {
  return !__atomic_exchange_n(&taken, true, __ATOMIC_ACQUIRE);
}

static void Release(void) { __atomic_store_n(&taken, false, __ATOMIC_RELEASE); }

uint64_t tap_folders_names(void) {
  const struct tap_state* device = &tap_logs[TAP_WAL].device_page->device;
  return 1 + __atomic_load_n(&device->names.value, __ATOMIC_ACQUIRE);
}

void tap_folders_changed(void) {
  struct tap_page* shared = tap_logs[TAP_WAL].device_page;
  if (shared != NULL)
    __atomic_fetch_add(&shared->device.names.value, 1, __ATOMIC_RELEASE);
}

const char* tap_last_part(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static bool IsName(const char* part) {
  return part[0] != '\0' && strcmp(part, ".") != 0 && strcmp(part, "..") != 0;
}

// Whether `path` begins where other paths do.
static bool BeginsHere(int dir, const char* path) {
  return path != NULL && (dir == AT_FDCWD || path[0] == '/');
}

static enum tap_told Tell(const char* path, uint64_t names,
                          char real[PATH_MAX]) {
  const char* name = tap_last_part(path);
  const size_t before = (size_t)(name - path);
  const size_t length = strlen(name);
  enum tap_told told = TAP_UNTOLD;
  for (unsigned i = 0; i < kFolders; ++i) {
    const size_t typed = folders[i].typed_length;
    const size_t whole = folders[i].real_length;
    const bool itself = typed == before + length + 1;
    const bool above = typed == before && IsName(name);
    if (folders[i].names != names || !(itself || above) ||
        memcmp(folders[i].typed, path, itself ? typed - 1 : typed) != 0 ||
        whole + length + 2 > PATH_MAX)
      continue;
    memcpy(real, folders[i].real, whole);
    real[whole] = '\0';
    if (itself) return TAP_TOLD_FOLDER;
    real[whole] = '/';
    memcpy(real + whole + 1, name, length + 1);
    told = TAP_TOLD;
  }
  return told;
}

enum tap_told tap_folders_tell(int dir, const char* path, uint64_t names,
                               char real[PATH_MAX]) {
  if (!BeginsHere(dir, path) || !Acquire()) return TAP_UNTOLD;
  const enum tap_told told = Tell(path, names, real);
  Release();
  return told;
}

void tap_folders_learn(int dir, const char* path, uint64_t names,
                       const char* real) {
  if (!BeginsHere(dir, path)) return;
  const char* name = tap_last_part(path);
  const char* last = tap_last_part(real);
  if (!IsName(name) || strcmp(name, last) != 0 || last == real) return;
  const size_t typed = (size_t)(name - path);
  const size_t whole = (size_t)(last - real) - 1;
  if (typed >= kLongest || whole >= kLongest || !Acquire()) return;
  latest = (latest + 1) % kFolders;
  memcpy(folders[latest].typed, path, typed);
  memcpy(folders[latest].real, real, whole);
  folders[latest].typed_length = typed;
  folders[latest].real_length = whole;
  folders[latest].names = names;
  Release();
}
