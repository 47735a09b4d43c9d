// The library that waltax preloads into a program under test (tap_preload.py
// says how). A hook stands for a call of the C library, spelled as there, and
// goes three steps down:
//
//   ../recorder  logs what the program was told, for receipts, where it is on
//   ../tap       follows the files of a log: counts, and emulates its device
//   the kernel   by syscall(), never by the function of another library
//
// Each file of this folder is a family of calls; start.c turns the two on. What
// neither follows passes, at the price of a branch for each. Looking up the
// function behind a hook may allocate, and an allocator that opens files while
// it starts would come back here; so only unseen.c does. The hooks are no
// cancellation points.
#ifndef WALTAX_DEVICES_PRELOAD_HOOKS_HOOK_H_
#define WALTAX_DEVICES_PRELOAD_HOOKS_HOOK_H_

#include <sys/syscall.h>
#include <unistd.h>

#include "devices/preload/recorder/recorder.h"

// Everything else in the library is hidden, so that it interposes nothing by
// accident.
#define HOOK __attribute__((visibility("default")))

// Another spelling of a hook, of the same type: off_t has 64 bits here, so that
// calls for large files are those for all.
#define ALSO(spelling, hook) \
  HOOK extern __typeof__(hook) spelling __attribute__((alias(#hook)))

// The body of a hook: `call` carries the call out and gives its result. The
// recorder, when it is on, is told before by `begins`, and of the result.
#define RECORDED(begins, call)                            \
  do {                                                    \
    if (__builtin_expect(!recorder_on, 1)) return (call); \
    const struct recorder_pending pending = (begins);     \
    return recorder_returned(pending, (call));            \
  } while (0)

#endif  // WALTAX_DEVICES_PRELOAD_HOOKS_HOOK_H_
