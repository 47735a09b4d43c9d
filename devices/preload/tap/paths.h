// Which files are the log of a foreign program: those whose paths below its
// directory match a pattern. In a pattern a `*` stands for slashes, too.
#ifndef WALTAX_DEVICES_PRELOAD_TAP_PATHS_H_
#define WALTAX_DEVICES_PRELOAD_TAP_PATHS_H_

#include <limits.h>
#include <stdint.h>

// Sets `tap` up for patterns, one a line, below a directory.
void tap_patterns_start(const char* directory, const char* lines);

// True when `path` is of a file of the log.
int tap_is_of_pattern(const char* path);

// True when `path` is of the log's directory, or of one below it.
int tap_is_directory(const char* path);

// What the page calls the file at `path`, of a long name the end.
const char* tap_pattern_name(const char* path);

// Where the paths of a foreign program lead, as far as that is known without
// asking the kernel, which takes as long as a small write. What a file's path
// told of its folder holds for the next file there, as long as no program under
// the tap changes names that may be folders' or goes to another one: they count
// that in the page of the device that they share. Changes by other programs,
// mounts and chroot are not seen.

// The part of a path behind its last slash.
const char* tap_last_part(const char* path);

// How often names have changed, from 1. Ask it before the call that opens.
uint64_t tap_folders_names(void);

// After names changed by which a folder may be reached.
void tap_folders_changed(void);

enum tap_told { TAP_UNTOLD, TAP_TOLD, TAP_TOLD_FOLDER };

// Puts where `path` led, when names had changed so often, into `real`. Untold,
// nothing is there. A last part that names no folder known is taken for the
// file itself and for no link.
enum tap_told tap_folders_tell(int dir, const char* path, uint64_t names,
                               char real[PATH_MAX]);

// Keeps of a file that `path`, whose last part is no link, led to `real`.
void tap_folders_learn(int dir, const char* path, uint64_t names,
                       const char* real);

#endif  // WALTAX_DEVICES_PRELOAD_TAP_PATHS_H_
