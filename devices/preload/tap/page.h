// The shared-memory page in which the tap counts, and is told what to do: one
// file, created and zeroed by the reader (devices/tap_page.py, which takes this
// layout from the library, as tap.c says it, and sets what the tap is told),
// mapped MAP_SHARED by the observed process. Counters are little-endian and
// have 64 bits. Calls count when they succeeded; times are nanoseconds around
// the call as its caller saw them, emulation included.
#ifndef WALTAX_DEVICES_PRELOAD_TAP_PAGE_H_
#define WALTAX_DEVICES_PRELOAD_TAP_PAGE_H_

#include <stdint.h>

#include "model.h"

#define TAP_MAGIC 0x5041545841544c57ULL  // "WLTAXTAP"
#define TAP_VERSION 1
#define TAP_FILES 512
#define TAP_NAME 256
#define TAP_REASON 128
#define TAP_PATH 4096

// Histograms are log-linear: 64 buckets an octave (1.6 % wide) from 2^6 ns to
// 2^37 ns (137 s); what lies outside counts in the first or the last bucket.
#define TAP_FIRST_OCTAVE 6
#define TAP_BUCKETS 1984

// Less than a system call that copies a page into any device's queue takes.
#define TAP_NO_DEVICE_NS 1000

// Every counter of a page: its name; whether it is a SUM, which only grows, or
// a STATE, of which the later value counts; and whether a ROW of a campaign
// carries it, as tap_<name>, or only a reader of the PAGE sees it. What goes
// around the tap (`bypasses`) are writable shared mappings, O_DIRECT, RWF_SYNC,
// and O_(D)SYNC of a real device where syncs are to be left out.
#define TAP_COUNTERS(COUNTER)                                                  \
  COUNTER(opens, SUM, ROW) /* of WAL files, for writing */                     \
  COUNTER(writes, SUM, ROW)                                                    \
  COUNTER(write_bytes, SUM, ROW)                                               \
  COUNTER(syncs, SUM, ROW) /* fsync, fdatasync of WAL files, synced writes */  \
  COUNTER(sync_ns, SUM, ROW)                                                   \
  COUNTER(syncs_apart, SUM, ROW)    /* of syncs: none while another was */     \
  COUNTER(syncs_unwaited, SUM, ROW) /* of syncs: under TAP_NO_DEVICE_NS */     \
  COUNTER(synced_writes, SUM, ROW)  /* of syncs: writes by O_(D)SYNC */        \
  COUNTER(dir_syncs, SUM, PAGE)     /* of the WAL directory */                 \
  COUNTER(dir_sync_ns, SUM, PAGE)                                              \
  COUNTER(bypasses, SUM, ROW)                                                  \
  COUNTER(emulated, STATE, PAGE)  /* 1 when a model is at work */              \
  COUNTER(wanted_ns, SUM, ROW)    /* of syncs: as modelled, with queueing */   \
  COUNTER(achieved_ns, SUM, ROW)  /* of the same syncs: what they took */      \
  COUNTER(spin_ns, SUM, PAGE)     /* of syncs: spins, with waits for a CPU */  \
  COUNTER(sleep_cpu_ns, SUM, ROW) /* of syncs: CPU time that sleeps took */    \
  COUNTER(burn_ns, SUM, PAGE) /* of syncs: CPU time that was used up beside */ \
  COUNTER(kernel_wanted_ns, SUM, ROW)  /* of syncs: of the model's CPU time,   \
                                          what workers of the kernel use */    \
  COUNTER(spin_margin_ns, STATE, PAGE) /* calibrated wake-up margin */         \
  COUNTER(rung, STATE, PAGE)           /* the reader's: enum tap_rung */       \
  COUNTER(hurries, STATE, PAGE) /* the reader's: 1 answers syncs at once */    \
  COUNTER(bytes_not_kept, SUM, ROW) /* of write_bytes: nothing was kept */     \
  COUNTER(syncs_at_once, SUM, ROW)  /* of syncs: answered without any */

// Likewise every counter of one WAL file.
#define TAP_FILE_COUNTERS(COUNTER) \
  COUNTER(writes, SUM)             \
  COUNTER(bytes, SUM)              \
  COUNTER(syncs, SUM)              \
  COUNTER(sync_ns, SUM)

// What the tap is told, as text: the reader's. Empty: there is none.
#define TAP_TOLD(TEXT)                                                         \
  TEXT(log_dir)  /* directory of the log's files, which must exist */          \
  TEXT(patterns) /* of their paths below it, each with its zero */             \
  TEXT(pages)    /* of a foreign program: a folder, where each process makes a \
                    page of its own */                                         \
  TEXT(device)   /* another page, whose emulated device the log is on */

#define TAP_MEMBER(name, ...) uint64_t name;
#define TAP_TEXT(name) char name[TAP_PATH];

// A word that any thread of any process writes at every sync, on a cache line
// of its own.
struct tap_word {
  uint64_t value;
  uint64_t apart[7];
};

// What short sleeps are like on this machine.
struct tap_wake {
  uint64_t typical;  // how late they wake the caller: the median, and
  uint64_t margin;   // what hardly any exceeds
  uint64_t cpu;      // CPU time that one takes
};

// The emulated device's own state: all processes that map the page write to one
// device, whose queue they share.
struct tap_state {
  struct tap_word server_free_at;    // tap_now's clock
  struct tap_word cache_drained_at;  // likewise
  struct tap_word draws;             // as tap_model_draw counts them
  struct tap_word unsynced;          // bytes, of processes with pages apart
  struct tap_wake wake;  // as the first process measured it; all 0: nothing yet
};

// One WAL file. A slot is in use when its name is not empty. A file that has a
// name which another one had goes on in its slot; when all are in use, those of
// files that are closed are used again, and what is open beyond them counts in
// the last one, which has no name.
struct tap_file {
  char name[TAP_NAME];  // the path below the log's directory, of a long one the
                        // end
  TAP_FILE_COUNTERS(TAP_MEMBER)
};

struct tap_page {
  uint64_t magic;     // set by the reader, checked by the tap
  uint64_t version;   // likewise
  uint64_t size;      // likewise: sizeof(struct tap_page)
  uint64_t attached;  // processes that mapped the page with the tap at work
  TAP_COUNTERS(TAP_MEMBER)
  char refused[TAP_REASON];  // why the tap ended the process, or empty
  TAP_TOLD(TAP_TEXT)
  uint64_t sync_achieved[TAP_BUCKETS];  // of each sync, also when observing
  uint64_t sync_wanted[TAP_BUCKETS];    // modelled, queueing included
  struct tap_file files[TAP_FILES];
  struct tap_state state;
  struct tap_model model;  // the reader's; all 0: nothing is emulated
};

#undef TAP_MEMBER
#undef TAP_TEXT

static inline unsigned tap_bucket(uint64_t ns) {
  if (ns < (1ULL << TAP_FIRST_OCTAVE)) return 0;
  const unsigned octave = 63 - (unsigned)__builtin_clzll(ns);
  if (octave >= TAP_FIRST_OCTAVE + TAP_BUCKETS / 64) return TAP_BUCKETS - 1;
  const unsigned within = (unsigned)(ns >> (octave - 6)) & 63;
  return (octave - TAP_FIRST_OCTAVE) * 64 + within;
}

#endif  // WALTAX_DEVICES_PRELOAD_TAP_PAGE_H_
