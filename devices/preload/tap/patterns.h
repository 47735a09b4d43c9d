// Which files are the log of a foreign program: those whose paths below its
// directory match a pattern. In a pattern a `*` stands for slashes, too.
#ifndef WALTAX_DEVICES_PRELOAD_TAP_PATTERNS_H_
#define WALTAX_DEVICES_PRELOAD_TAP_PATTERNS_H_

// Sets `tap` up for patterns, one a line, below a directory.
void tap_patterns_start(const char* directory, const char* lines);

// True when `path` is of a file of the log.
int tap_is_of_pattern(const char* path);

// True when `path` is of the log's directory, or of one below it.
int tap_is_directory(const char* path);

// What the page calls the file at `path`, of a long name the end.
const char* tap_pattern_name(const char* path);

#endif  // WALTAX_DEVICES_PRELOAD_TAP_PATTERNS_H_
