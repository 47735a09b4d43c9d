// waltax_supervise [--] COMMAND... counts and emulates as the tap does, for
// programs that a preloaded library does not see: static ones, Go's, and others
// that make system calls themselves. The kernel reports each sync of the
// command and of all that it starts (seccomp's user notifications), and
// supervisor.h says how it is answered. The supervisor exits with the command's
// status, or with 128 plus its signal; syncs of what still runs then fail with
// ENOSYS. No program under it can gain rights, so sudo does not work.
// WALTAX_TAP_PAGE names its page (../tap/page.h), which says the patterns.
#include <errno.h>
#include <linux/filter.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "devices/preload/tap/device.h"
#include "devices/preload/tap/tap.h"
#include "supervisor.h"

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
      WHEN(SUPERVISOR_MACHINE, 1),
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
    struct seccomp_notif_resp answer = supervisor_answer(&told.call);
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
