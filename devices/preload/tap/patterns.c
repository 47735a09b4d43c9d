#include "patterns.h"

#include <fnmatch.h>
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
