// Which files are recorded: those below the recorded directories, by the path
// that the kernel knows, and the acknowledgement log.
//
// Blind spots: raw system calls, and files without a name (O_TMPFILE).
#ifndef WALTAX_DEVICES_PRELOAD_RECORDER_FILES_H_
#define WALTAX_DEVICES_PRELOAD_RECORDER_FILES_H_

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

// What a descriptor or a path stands for: a regular file that has a name.
struct recorder_file {
  bool recorded;
  bool acks;  // the acknowledgement log
  uint64_t device, inode, size;
};

// Directories one a line, and the acknowledgement log's path or NULL.
void recorder_files_start(const char* roots, const char* acks);

// The file of a descriptor, and its path.
struct recorder_file recorder_file_of(int fd, char real[PATH_MAX]);
// The same of a name, followed as open does.
struct recorder_file recorder_file_named(int dir, const char* path,
                                         char real[PATH_MAX]);

// The path without links, but for its last part. False when it is not below a
// recorded directory.
bool recorder_path(int dir, const char* path, char real[PATH_MAX]);
// The path of a descriptor; false likewise. A recorded directory is below
// itself.
bool recorder_path_of(int fd, char real[PATH_MAX]);

#endif  // WALTAX_DEVICES_PRELOAD_RECORDER_FILES_H_
