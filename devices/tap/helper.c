#include "helper.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "tap.h"

// Work handed over and not yet begun. A futex word, so 32 bits: a helper that
// is 4 s of work behind has lost its purpose anyway.
static uint32_t pending_ns;
// All work ever handed over, and done; and a futex word that moves with `done`.
static uint64_t handed_ns;
static uint64_t done_ns;
static uint32_t rounds;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void Finished(uint32_t ns) {
  __atomic_fetch_add(&done_ns, ns, __ATOMIC_RELEASE);
  __atomic_fetch_add(&rounds, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &rounds, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

// Waking up takes CPU time too; it counts, so only what lacks is burnt. What is
// more than asked for is not credited: it would silence the helper later, when
// syncs come so fast that one wake-up serves many.
static void* Help(void* unused) {
  // The kernel's worker for block devices runs before any program. Where that
  // may not be asked for, this one waits for its turn.
  setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), -20);
  uint64_t owed = tap_clock_cpu();
  for (;;) {
    const uint32_t ns = __atomic_exchange_n(&pending_ns, 0, __ATOMIC_RELAXED);
    if (ns == 0) {
      syscall(SYS_futex, &pending_ns, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
      continue;
    }
    owed += ns;
    const uint64_t used = tap_clock_cpu();
    if (used < owed)
      tap_clock_burn(owed - used, UINT64_MAX);
    else
      owed = used;
    Finished(ns);
  }
  return unused;
}

static void StartHelper(void) {
  // Signals are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const int error = pthread_create(&thread, NULL, Help, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error != 0) tap_refuse("kernel work", strerror(error));
  pthread_detach(thread);
}

uint64_t tap_helper_burn(uint64_t ns) {
  pthread_once(&once, StartHelper);
  const uint64_t ticket =
      __atomic_add_fetch(&handed_ns, (uint32_t)ns, __ATOMIC_RELAXED);
  const uint32_t before =
      __atomic_fetch_add(&pending_ns, (uint32_t)ns, __ATOMIC_RELAXED);
  if (before == 0)
    syscall(SYS_futex, &pending_ns, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  return ticket;
}

void tap_helper_wait(uint64_t ticket) {
  for (;;) {
    const uint32_t round = __atomic_load_n(&rounds, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&done_ns, __ATOMIC_ACQUIRE) >= ticket) return;
    syscall(SYS_futex, &rounds, FUTEX_WAIT_PRIVATE, round, NULL, NULL, 0);
  }
}
