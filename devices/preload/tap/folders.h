// Where the paths of a foreign program lead, as far as that is known without
// asking the kernel, which takes as long as a small write. What a file's path
// told of its folder holds for the next file there, as long as no program under
// the tap changes names that may be folders' or goes to another one: they count
// that in the page of the device that they share. Changes by other programs,
// mounts and chroot are not seen.
#ifndef WALTAX_DEVICES_PRELOAD_TAP_FOLDERS_H_
#define WALTAX_DEVICES_PRELOAD_TAP_FOLDERS_H_

#include <limits.h>
#include <stdint.h>

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

#endif  // WALTAX_DEVICES_PRELOAD_TAP_FOLDERS_H_
