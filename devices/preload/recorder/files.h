// Which files are recorded, and by what number, which all processes know it by.
// A number is a file's for as long as it lives, whatever its names: inode
// numbers are given out again, and a file that was renamed over another gets
// that one's next.
//
// Blind spots: raw system calls, and files without a name (O_TMPFILE).
#ifndef WALTAX_DEVICES_PRELOAD_RECORDER_FILES_H_
#define WALTAX_DEVICES_PRELOAD_RECORDER_FILES_H_

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

// What a descriptor or a path stands for.
struct recorder_file {
  uint32_t number;  // 0: not recorded
  bool acks;        // the acknowledgement log
  uint64_t size;
};

// Directories one a line, and the acknowledgement log's path or NULL.
void recorder_files_start(const char* roots, const char* acks);

struct recorder_file recorder_file_of(int fd);
// The same of a name, followed as open does.
struct recorder_file recorder_file_named(int dir, const char* path);
// After `fd` was opened and made its file.
uint32_t recorder_file_created(int fd);

// A file that may lose its last name; to be asked before, and told after.
struct recorder_last {
  bool last;
  uint64_t device, inode;
};
struct recorder_last recorder_file_last(int dir, const char* path);
void recorder_file_gone(struct recorder_last last);

// Whether a file of this path is recorded once it is there.
bool recorder_follows(const char* path);

// The path without links, but for its last part. False when it is not below a
// recorded directory.
bool recorder_path(int dir, const char* path, char real[PATH_MAX]);
// The path of a descriptor; false likewise. A recorded directory is below
// itself.
bool recorder_path_of(int fd, char real[PATH_MAX]);

#endif  // WALTAX_DEVICES_PRELOAD_RECORDER_FILES_H_
