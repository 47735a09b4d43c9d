// The shared-memory page in which the tap counts: one file, created and zeroed
// by the reader (devices/tap_page.py mirrors this layout and sets the header),
// mapped MAP_SHARED by the observed process. Little-endian 64-bit counters
// that only grow, except where a comment says otherwise. Calls count when they
// succeeded; times are nanoseconds around the call as its caller saw them,
// emulation included.
#ifndef WALTAX_DEVICES_TAP_PAGE_H_
#define WALTAX_DEVICES_TAP_PAGE_H_

#include <stdint.h>

#define TAP_MAGIC 0x5041545841544c57ULL  // "WLTAXTAP"
#define TAP_VERSION 1
#define TAP_FILES 512
#define TAP_NAME 40
#define TAP_REASON 128

// Histograms are log-linear: 64 buckets an octave (1.6 % wide) from 2^6 ns to
// 2^37 ns (137 s); what lies outside counts in the first or the last bucket.
#define TAP_FIRST_OCTAVE 6
#define TAP_OCTAVES 31
#define TAP_BUCKETS (TAP_OCTAVES * 64)

// One WAL file. A slot is in use when its name is not empty; slots of files
// that are unlinked and closed are reused.
struct tap_file {
  char name[TAP_NAME];  // last part of the path, cut to fit
  uint64_t writes;
  uint64_t bytes;
  uint64_t syncs;
  // End of the furthest byte written since the file was last opened for
  // writing (so a recycled log starts at 0), or truncated to. State, not a sum.
  uint64_t length;
  uint64_t durable_length;  // `length` at entry of the last sync. State.
  uint64_t opened;          // opens for writing
  uint64_t closed;          // times the last descriptor was closed
  uint64_t unlinked;  // 1 once removed, or renamed to no WAL's name. State.
};

struct tap_page {
  uint64_t magic;     // set by the reader, checked by the tap
  uint64_t version;   // likewise
  uint64_t size;      // likewise: sizeof(struct tap_page)
  uint64_t attached;  // processes that mapped the page with the tap at work

  uint64_t opens;  // of WAL files for writing
  uint64_t closes;
  uint64_t unlinks;
  uint64_t writes;
  uint64_t write_bytes;
  uint64_t write_ns;
  uint64_t syncs;  // fsync and fdatasync of WAL files
  uint64_t sync_ns;
  uint64_t dir_syncs;  // of the WAL directory
  uint64_t dir_sync_ns;
  uint64_t sync_file_ranges;
  uint64_t sync_file_range_ns;
  uint64_t fallocates;
  uint64_t fallocate_ns;
  uint64_t fallocates_skipped;  // of those, answered without doing anything
  uint64_t truncates;
  uint64_t bypasses;  // writable shared mappings, O_DIRECT, O_(D)SYNC, RWF_SYNC
  uint64_t files_dropped;  // files without a slot: in the sums, not in `files`

  uint64_t emulated;        // 1 when a model is at work. State.
  uint64_t wanted_ns;       // modelled time of syncs, queueing included
  uint64_t achieved_ns;     // what those syncs took
  uint64_t late;            // syncs that ended over 5 us after their deadline
  uint64_t spin_ns;         // of syncs: time of spins, waits for a CPU included
  uint64_t burn_ns;         // of syncs: CPU time burnt by their callers
  uint64_t spin_margin_ns;  // calibrated wake-up margin. State.
  char refused[TAP_REASON];  // why the tap ended the process, or empty

  uint64_t sync_achieved[TAP_BUCKETS];  // of each sync, also when observing
  uint64_t sync_wanted[TAP_BUCKETS];    // modelled, queueing included
  struct tap_file files[TAP_FILES];
};

// Name, offset and size of each member, for readers in other languages. Ends
// with an empty name.
struct tap_layout {
  char name[32];
  uint64_t offset;
  uint64_t size;
};

#ifdef __cplusplus
extern "C" {
#endif
extern const struct tap_layout waltax_tap_layout[];
extern const uint64_t waltax_tap_floor_ns;
#ifdef __cplusplus
}
#endif

static inline unsigned tap_bucket(uint64_t ns) {
  if (ns < (1ULL << TAP_FIRST_OCTAVE)) return 0;
  const unsigned octave = 63 - (unsigned)__builtin_clzll(ns);
  if (octave >= TAP_FIRST_OCTAVE + TAP_OCTAVES) return TAP_BUCKETS - 1;
  const unsigned within = (unsigned)(ns >> (octave - 6)) & 63;
  return (octave - TAP_FIRST_OCTAVE) * 64 + within;
}

#endif  // WALTAX_DEVICES_TAP_PAGE_H_
