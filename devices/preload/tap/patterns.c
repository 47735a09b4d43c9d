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
  tap.wal_dir_length = tap_resolve(directory, tap.wal_dir);
  if (tap.wal_dir_length == 1) tap.wal_dir_length = 0;  // all is below "/"
}

int tap_is_below(const char* path) {
  return strncmp(path, tap.wal_dir, tap.wal_dir_length) == 0 &&
         path[tap.wal_dir_length] == '/' && strlen(path) > 1;
}

int tap_is_of_pattern(const char* path) {
  if (!tap_is_below(path)) return 0;
  const char* below = path + tap.wal_dir_length + 1;
  for (const char** pattern = tap.patterns; *pattern != NULL; ++pattern)
    if (fnmatch(*pattern, below, 0) == 0) return 1;
  return 0;
}

int tap_is_directory(const char* path) {
  return tap_is_below(path) || strcmp(path, tap.wal_dir) == 0;
}

const char* tap_pattern_name(const char* path) {
  const char* name = tap_is_below(path) ? path + tap.wal_dir_length + 1 : path;
  const size_t length = strlen(name);
  return length < TAP_NAME ? name : name + length - (TAP_NAME - 1);
}
