#include "files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "devices/preload/process.h"
#include "log.h"

enum { kRoots = 8 };

static char roots[kRoots][PATH_MAX];
static int root_count;
static char acks_path[PATH_MAX];

static bool IsBelow(const char* path) {
  for (int i = 0; i < root_count; ++i)
    if (strcmp(path, roots[i]) == 0 || preload_is_below(path, roots[i]))
      return true;
  return false;
}

bool recorder_path_of(int fd, char real[PATH_MAX]) {
  return preload_path_of(fd, real) > 0 && IsBelow(real);
}

bool recorder_path(int dir, const char* path, char real[PATH_MAX]) {
  return preload_resolve_name(dir, path, real) > 0 && IsBelow(real);
}

static void AddRoot(const char* text, size_t length) {
  char path[PATH_MAX];
  if (root_count == kRoots || length >= PATH_MAX)
    recorder_refuse("WALTAX_RECORDER_ROOTS", "too many or too long");
  memcpy(path, text, length);
  path[length] = '\0';
  if (preload_resolve(AT_FDCWD, path, roots[root_count]) == 0)
    recorder_refuse(path, "no directory whose path can be resolved");
  recorder_note(&(struct recorder_call){.kind = RECORDER_ROOT,
                                        .text = roots[root_count++]});
}

void recorder_files_start(const char* text, const char* acks) {
  while (*text != '\0') {
    const size_t length = strcspn(text, "\n");
    if (length > 0) AddRoot(text, length);
    text += length + (text[length] == '\n');
  }
  if (acks != NULL && preload_resolve_name(AT_FDCWD, acks, acks_path) == 0)
    recorder_refuse(acks, "its directory cannot be resolved");
}

static bool Ask(int dir, const char* path, int flags, struct statx* info) {
  const unsigned wanted = STATX_TYPE | STATX_INO | STATX_NLINK | STATX_SIZE;
  return statx(dir, path, flags, wanted | STATX_BTIME, info) == 0 &&
         (info->stx_mask & wanted) == wanted;
}

static struct recorder_identity IdentityOf(const struct statx* info) {
  struct recorder_identity found = {.inode = info->stx_ino};
  found.device = ((uint64_t)info->stx_dev_major << 32) | info->stx_dev_minor;
  if (info->stx_mask & STATX_BTIME)
    found.born = (uint64_t)info->stx_btime.tv_sec * 1000000000U +
                 info->stx_btime.tv_nsec;
  return found;
}

// Under the lock. The slot of the file with this inode, or NULL.
static struct recorder_identity* Slot(uint64_t device, uint64_t inode) {
  struct recorder_identity* identities = recorder_shared->identities;
  for (unsigned i = 0; i < recorder_shared->beyond; ++i)
    if (identities[i].number != 0 && identities[i].inode == inode &&
        identities[i].device == device)
      return &identities[i];
  return NULL;
}

// Under the lock.
static struct recorder_identity* VacantSlot(void) {
  struct recorder_identity* identities = recorder_shared->identities;
  for (unsigned i = 0; i < recorder_shared->beyond; ++i)
    if (identities[i].number == 0) return &identities[i];
  if (recorder_shared->beyond == RECORDER_FILES)
    recorder_refuse("WALTAX_RECORDER_ROOTS", "too many files at a time");
  return &identities[recorder_shared->beyond++];
}

// Lets everyone know the file's number, in the place of one that had its
// inode.
static void Publish(struct recorder_identity identity) {
  recorder_lock(&recorder_shared->tables);
  struct recorder_identity* slot = Slot(identity.device, identity.inode);
  if (slot == NULL) slot = VacantSlot();
  *slot = identity;
  pthread_mutex_unlock(&recorder_shared->tables);
}

static struct recorder_identity Known(struct recorder_identity wanted) {
  recorder_lock(&recorder_shared->tables);
  const struct recorder_identity* slot = Slot(wanted.device, wanted.inode);
  if (slot != NULL && slot->born == wanted.born) wanted = *slot;
  pthread_mutex_unlock(&recorder_shared->tables);
  return wanted;
}

// What tells the path of a file, by its descriptor or its name.
typedef bool Path(int fd, const char* name, char* real);

// Whether the file is recorded, by its path.
static bool IsRecorded(struct recorder_identity* identity, const char* real) {
  identity->acks = strcmp(real, acks_path) == 0;
  return identity->acks || IsBelow(real);
}

bool recorder_follows(const char* path) {
  char real[PATH_MAX];
  struct recorder_identity unused;
  return preload_resolve_name(AT_FDCWD, path, real) > 0 &&
         IsRecorded(&unused, real);
}

// Gives a file that was not seen before its number, and says what it is before
// anyone can write to it. Nobody may rename it meanwhile.
static struct recorder_identity Introduced(struct recorder_identity identity,
                                           uint64_t size, Path* path, int fd,
                                           const char* name) {
  char real[PATH_MAX];
  if (!path(fd, name, real) || !IsRecorded(&identity, real)) return identity;
  recorder_lock(&recorder_shared->names);
  identity = Known(identity);
  if (identity.number == 0 && path(fd, name, real) &&
      IsRecorded(&identity, real)) {
    identity.number = recorder_new_file();
    if (!identity.acks)
      recorder_note(&(struct recorder_call){.kind = RECORDER_FILE,
                                            .file = identity.number,
                                            .length = size,
                                            .text = real});
    Publish(identity);
  }
  pthread_mutex_unlock(&recorder_shared->names);
  return identity;
}

// The number of a regular file that has a name.
static struct recorder_file Follow(const struct statx* info, Path* path, int fd,
                                   const char* name) {
  if (!S_ISREG(info->stx_mode) || info->stx_nlink == 0)
    return (struct recorder_file){0};
  struct recorder_identity identity = Known(IdentityOf(info));
  if (identity.number == 0)
    identity = Introduced(identity, info->stx_size, path, fd, name);
  return (struct recorder_file){identity.number, identity.acks, info->stx_size};
}

static bool OfDescriptor(int fd, const char* name, char* real) {
  (void)name;
  static const char kGone[] = " (deleted)";
  const size_t length = preload_path_of(fd, real), gone = sizeof(kGone) - 1;
  return length > 0 &&
         !(length > gone && strcmp(real + length - gone, kGone) == 0);
}

struct recorder_file recorder_file_of(int fd) {
  struct statx info;
  if (!Ask(fd, "", AT_EMPTY_PATH, &info)) return (struct recorder_file){0};
  return Follow(&info, OfDescriptor, fd, NULL);
}

static bool OfName(int dir, const char* name, char* real) {
  const long fd = syscall(SYS_openat, dir, name, O_PATH | O_CLOEXEC);
  if (fd < 0) return false;
  const bool found = OfDescriptor((int)fd, NULL, real);
  syscall(SYS_close, (int)fd);
  return found;
}

struct recorder_file recorder_file_named(int dir, const char* path) {
  struct statx info;
  if (!Ask(dir, path, 0, &info)) return (struct recorder_file){0};
  return Follow(&info, OfName, dir, path);
}

uint32_t recorder_file_created(int fd) {
  struct statx info;
  if (!Ask(fd, "", AT_EMPTY_PATH, &info)) return 0;
  struct recorder_identity identity = IdentityOf(&info);
  identity.number = recorder_new_file();
  Publish(identity);
  return identity.number;
}

struct recorder_last recorder_file_last(int dir, const char* path) {
  struct statx info;
  if (!Ask(dir, path, AT_SYMLINK_NOFOLLOW, &info) || !S_ISREG(info.stx_mode))
    return (struct recorder_last){0};
  const struct recorder_identity identity = IdentityOf(&info);
  return (struct recorder_last){info.stx_nlink == 1, identity.device,
                                identity.inode};
}

void recorder_file_gone(struct recorder_last last) {
  if (!last.last) return;
  recorder_lock(&recorder_shared->tables);
  struct recorder_identity* slot = Slot(last.device, last.inode);
  if (slot != NULL) slot->number = 0;
  pthread_mutex_unlock(&recorder_shared->tables);
}
