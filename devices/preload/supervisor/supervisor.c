// waltax_supervise [--] COMMAND... counts and emulates as the tap does, for
// programs that a preloaded library does not see: static ones, Go's, and others
// that make system calls themselves. The kernel reports each sync of the
// command and of all that it starts (seccomp's user notifications). One of a
// log is carried out, or answered by the emulated device or at once, and
// counted as the tap counts (../tap/page.h); the kernel carries out all others.
// The supervisor exits with the command's status, or with 128 plus its signal;
// syncs of what still runs then fail with ENOSYS. No program under it can gain
// rights, so sudo does not work. WALTAX_TAP_PAGE names its page, which says the
// patterns.
//
// Some calls go around this. Each counts as a `bypass` and leaves its reason in
// `refused` of the page, though it ends nothing here: io_uring, a sync() of
// everything, an msync(), a 32-bit program, a file that the supervisor may not
// look at, and an emulated log that is not in memory. Writes that are syncs
// (O_DSYNC, RWF_SYNC) and syncs by libaio are not seen at all.
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/magic.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "devices/preload/tap/device.h"
#include "devices/preload/tap/tap.h"

#ifdef __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#else
#define MACHINE AUDIT_ARCH_AARCH64
#endif

// Beside 0 and negative errors: the kernel carries the call out.
enum { kPass = 1 };

// The file that a call is about.
struct target {
  char path[PATH_MAX];
  char way[PATH_MAX];  // by which the supervisor opens it
  struct stat info;
  int fd;  // the program's own
};

// What is known of a log beside its record in the page.
static struct log {
  dev_t dev;
  ino_t ino;
  uint64_t length;    // at the last sync, like what follows
  uint64_t position;  // of the program's descriptor
  unsigned moves;     // of that between two syncs
  uint64_t written;   // by the process to anything
} logs[TAP_FILES];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool IsLog(const struct target* file) {
  return S_ISDIR(file->info.st_mode) ? tap_is_directory(file->path)
                                     : tap_is_of_pattern(file->path);
}

static long Find(const struct seccomp_notif* call, struct target* file) {
  file->fd = (int)call->data.args[0];
  snprintf(file->way, PATH_MAX, "/proc/%d/fd/%d", (pid_t)call->pid, file->fd);
  const ssize_t length = readlink(file->way, file->path, PATH_MAX - 1);
  if (length < 0) return -errno;
  file->path[length] = '\0';
  return stat(file->way, &file->info) == 0 ? 0 : -errno;
}

// The number behind `key` in what the kernel tells of a thread's process, or 0.
static uint64_t Told(pid_t thread, const char* name, const char* key) {
  char text[512];
  snprintf(text, sizeof(text), "/proc/%d/%s", thread, name);
  const int fd = open(text, O_RDONLY | O_CLOEXEC);
  // /proc does not block: NOLINTNEXTLINE(clang-analyzer-unix.Block*)
  const ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
  if (fd >= 0) close(fd);
  text[length > 0 ? length : 0] = '\0';
  const char* found = strstr(text, key);
  return found == NULL ? 0 : strtoull(found + strlen(key), NULL, 10);
}

// The file's slot, or a new one; beyond the page's slots all share the last. A
// file that is renamed keeps its slot.
static unsigned SlotOf(const struct target* file) {
  const struct stat* info = &file->info;
  unsigned slot = 0;
  while (slot < TAP_FILES - 1 && tap.page->files[slot].name[0] != '\0' &&
         (logs[slot].ino != info->st_ino || logs[slot].dev != info->st_dev))
    ++slot;
  logs[slot].ino = info->st_ino;
  logs[slot].dev = info->st_dev;
  if (slot < TAP_FILES - 1)
    snprintf(tap.page->files[slot].name, TAP_NAME, "%s",
             tap_name_of(file->path));
  return slot;
}

// Where the next write of a sequence to the file goes, or 0.
static uint64_t PositionIn(const struct target* file, pid_t thread) {
  char name[32];
  snprintf(name, sizeof(name), "fdinfo/%d", file->fd);
  return Told(thread, name, "pos:");
}

// Estimates what a sync, asked for by `thread`, makes durable, since writes are
// not seen. A file that grew by no more than its process wrote was appended to,
// and that is exact. So it is where the position of the descriptor moved by no
// more: a preallocated file is filled in sequence, and has nothing new where
// that stands still. Otherwise it was written in place: the estimate is then
// all that the process wrote to anything since the file's last sync, sockets
// included, up to the file's length. Stores into a mapping, and what other
// processes wrote in place, are missed.
static uint64_t Estimate(const struct target* file, pid_t thread,
                         struct log* log) {
  const uint64_t written = Told(thread, "io", "\nwchar:");
  const uint64_t pool =
      log->written > written ? written : written - log->written;
  // A file that is shorter was cut, or is another in the same place.
  const uint64_t size = (uint64_t)file->info.st_size;
  const uint64_t grown = size < log->length ? size : size - log->length;
  const bool appended = grown > 0 && (grown <= pool || written == 0);
  const uint64_t now = PositionIn(file, thread);
  const uint64_t moved = now > log->position ? now - log->position : 0;
  log->moves += moved > 0;
  const bool stands = log->moves > 2 && now == log->position;
  log->written = written;
  log->length = size;
  log->position = now;
  if (appended) return grown;
  if (stands || (moved > 0 && moved <= pool)) return moved;
  return pool < size ? pool : size;
}

// Returns the bytes that a sync of the file makes durable, and its slot.
static uint64_t Take(const struct target* file, pid_t thread, unsigned* slot) {
  pthread_mutex_lock(&lock);
  *slot = SlotOf(file);
  const uint64_t bytes = Estimate(file, thread, &logs[*slot]);
  tap.page->files[*slot].bytes += bytes;
  pthread_mutex_unlock(&lock);
  tap_add(&tap.page->write_bytes, bytes);
  return bytes;
}

static void CountSync(unsigned slot, uint64_t start, uint64_t end) {
  pthread_mutex_lock(&lock);
  tap_count_sync(&tap.page->files[slot], start, end);
  pthread_mutex_unlock(&lock);
  if (tap_rung_syncs_at_once()) tap_add(&tap.page->syncs_at_once, 1);
}

static long Bypass(const char* subject, const char* reason) {
  tap_add(&tap.page->bypasses, 1);
  pthread_mutex_lock(&lock);
  snprintf(tap.page->refused, TAP_REASON, "%.70s: %.50s", subject, reason);
  pthread_mutex_unlock(&lock);
  return kPass;
}

// Carries the call out, on a descriptor that the supervisor opens itself.
static long CarryOut(const struct seccomp_data* call,
                     const struct target* file) {
  int fd = open(file->way, O_RDONLY | O_CLOEXEC);
  if (fd < 0) fd = open(file->way, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return Bypass(file->path, strerror(errno));
  const long result =
      syscall(call->nr, fd, call->args[1], call->args[2], call->args[3]);
  const long error = result == 0 ? 0 : -errno;
  close(fd);
  return error;
}

static long Sync(const struct seccomp_notif* call, const struct target* file) {
  const bool directory = S_ISDIR(file->info.st_mode);
  const bool write_back = call->data.nr == SYS_sync_file_range;
  unsigned slot = 0;
  const uint64_t bytes = directory ? 0 : Take(file, (pid_t)call->pid, &slot);
  const uint64_t start = tap_now();
  long result = 0;
  if (tap_rung_syncs_at_once())
    result = 0;
  else if (!tap.emulate)
    result = CarryOut(&call->data, file);
  else if (directory)
    tap_device_dir_sync();
  else if (write_back)
    tap_device_write_back(bytes);
  else
    tap_device_sync(bytes);
  const uint64_t end = tap_now();
  if (result != 0) return result;
  if (directory)
    tap_count_directory(start, end);
  else if (!write_back)
    CountSync(slot, start, end);
  return 0;
}

static bool IsInMemory(const char* way) {
  struct statfs fs;
  return statfs(way, &fs) == 0 &&
         (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC);
}

static long Result(const struct seccomp_notif* call) {
  const struct seccomp_data* data = &call->data;
  if (data->arch != MACHINE)
    return Bypass("a 32-bit program", "its syncs are not followed");
  if (data->nr == SYS_io_uring_setup)
    return Bypass("io_uring", "its syncs are not seen");
  if (data->nr == SYS_sync) return Bypass("sync()", "it is of every file");
  if (data->nr == SYS_msync)
    return data->args[2] & MS_SYNC ? Bypass("msync()", "it names no file")
                                   : kPass;
  const bool writes = data->args[3] & SYNC_FILE_RANGE_WRITE;
  if (data->nr == SYS_sync_file_range && !writes) return kPass;
  struct target file;
  const long error = Find(call, &file);
  if (error == -EACCES || error == -EPERM)
    return Bypass(file.way, strerror((int)-error));
  if (error != 0 || !IsLog(&file)) return kPass;
  if (tap.emulate && !IsInMemory(file.way))
    return Bypass(file.path,
                  "an emulated log must lie on a memory file system");
  return Sync(call, &file);
}

// The answer to a call. Waits as long as its sync takes.
static struct seccomp_notif_resp Answer(const struct seccomp_notif* call) {
  const long result = Result(call);
  struct seccomp_notif_resp answer = {.id = call->id};
  if (result == kPass)
    answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  else
    answer.error = (__s32)result;
  return answer;
}

enum {
  // So many calls are answered at the same time. On an emulated device each
  // waits for the one before, so further ones would end no sooner.
  kThreads = 64,
  // A call wakes every thread that receives, so only a few do. With one alone,
  // the thread that takes a call would have to wake up its successor.
  kReceivers = 2,
};

static int listener;  // where calls arrive
static sem_t listens;
static int receivers;
static sem_t spare;  // counts calls that left no receiver behind
static pid_t command;
static sigset_t inherited;  // the signals that were blocked at the start

_Noreturn static void Refuse(const char* subject, const char* reason) {
  char* kept = tap.page == NULL ? NULL : tap.page->refused;
  preload_refuse("supervise", kept, TAP_REASON, subject, reason);
}

static void StartTap(void) {
  const char* page = getenv("WALTAX_TAP_PAGE");
  if (page == NULL) Refuse("WALTAX_TAP_PAGE", "not set");
  tap_start(page);
  if (tap.emulate) tap_device_start();
}

// Since Linux 6.6: who answers wakes up who asked on its own CPU, and is woken
// likewise. Elsewhere a call takes several times as long.
#define SET_FLAGS SECCOMP_IOW(4, __u64)
#define SYNC_WAKE_UP 1UL

#define LOAD(member) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(verdict) BPF_STMT(BPF_RET | BPF_K, verdict)
// Goes on `after` instructions further when the loaded value is this one.
#define WHEN(value, after) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, after, 0)

// Lets the kernel report syncs that no library made, by a filter on the calling
// thread and on all that it starts. Returns the descriptor at which they
// arrive, or -1.
static int Listen(void) {
  struct sock_filter filter[] = {
      LOAD(arch),
      WHEN(MACHINE, 1),
      RETURN(SECCOMP_RET_USER_NOTIF),
      LOAD(nr),
      WHEN(SYS_fsync, 7),
      WHEN(SYS_fdatasync, 6),
      WHEN(SYS_sync_file_range, 5),
      WHEN(SYS_msync, 4),
      WHEN(SYS_sync, 3),
      WHEN(SYS_syncfs, 2),
      WHEN(SYS_io_uring_setup, 1),
      RETURN(SECCOMP_RET_ALLOW),
      LOAD(args[5]),
      WHEN(PRELOAD_MARK, 1),
      RETURN(SECCOMP_RET_USER_NOTIF),
      RETURN(SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]),
                                     filter};
  // Without the second old kernels slow the whole program down.
  const unsigned flags =
      SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  // Before Linux 5.19 a signal ends a wait, and the call begins again.
  const unsigned newer = flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, newer, &program);
  if (fd < 0 && errno == EINVAL)
    fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  return (int)fd;
}

// Waits until a receiver is wanted, and is one.
static void Join(void) {
  int now = __atomic_load_n(&receivers, __ATOMIC_RELAXED);
  do {
    while (now >= kReceivers) {
      sem_wait(&spare);
      now = __atomic_load_n(&receivers, __ATOMIC_RELAXED);
    }
  } while (!__atomic_compare_exchange_n(&receivers, &now, now + 1, 0,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

static void Leave(void) {
  if (__atomic_sub_fetch(&receivers, 1, __ATOMIC_RELAXED) == 0)
    sem_post(&spare);
}

static void* Serve(void* unused) {
  union {
    struct seccomp_notif call;
    char room[512];  // a newer kernel may write more
  } told;
  sem_wait(&listens);
  for (;;) {
    memset(&told, 0, sizeof(told));
    // A signal may take a call back; the kernel reports it again.
    Join();
    const int received = ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &told);
    Leave();
    if (received != 0) continue;
    struct seccomp_notif_resp answer = Answer(&told.call);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer) != 0 &&
        errno != ENOENT)  // it was killed meanwhile
      Refuse("seccomp", strerror(errno));
  }
  return unused;
}

// The threads that serve start before the filter is there, so that their own
// syncs are not reported.
static void StartServing(void) {
  for (int i = 0; i < kThreads; ++i) {
    pthread_t thread;
    const int error = pthread_create(&thread, NULL, Serve, NULL);
    if (error != 0) Refuse("a thread", strerror(error));
  }
  listener = Listen();
  char reason[TAP_REASON];
  snprintf(reason, sizeof(reason),
           "%s; user notifications take Linux 5.5, and a container that "
           "allows them",
           strerror(errno));
  if (listener < 0) Refuse("seccomp", reason);
  ioctl(listener, SET_FLAGS, SYNC_WAKE_UP);
  for (int i = 0; i < kThreads; ++i) sem_post(&listens);
}

static void Forward(int signal) { kill(command, signal); }

// Blocks the signals that are forwarded, until there is a command to forward
// them to, and forever in the threads that serve.
static void BlockForwarded(void) {
  sigset_t forwarded;
  sigemptyset(&forwarded);
  sigaddset(&forwarded, SIGTERM);
  sigaddset(&forwarded, SIGHUP);
  sigprocmask(SIG_BLOCK, &forwarded, &inherited);
}

static pid_t Start(char** words) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) Refuse(words[0], strerror(errno));
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  sigprocmask(SIG_SETMASK, &inherited, NULL);
  execvp(words[0], words);
  const int missing = errno == ENOENT;
  dprintf(STDERR_FILENO, "waltax supervise: %s: %s\n", words[0],
          strerror(errno));
  _exit(missing ? 127 : 126);
}

int main(int argc, char** argv) {
  char** words = argv + 1;
  if (argc > 1 && strcmp(words[0], "--") == 0) ++words;
  if (*words == NULL) Refuse("COMMAND", "missing; name what to run");
  StartTap();
  BlockForwarded();
  StartServing();
  command = Start(words);
  // What is typed on the terminal the command gets itself.
  signal(SIGINT, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
  signal(SIGTERM, Forward);
  signal(SIGHUP, Forward);
  sigprocmask(SIG_SETMASK, &inherited, NULL);
  int status;
  while (waitpid(command, &status, 0) < 0) {  // a signal was forwarded
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
