// The page's layout as data, so that a test can hold the Python mirror to it.
#include <stddef.h>

#include "model.h"
#include "page.h"

#define PAGE(member)                           \
  {#member, offsetof(struct tap_page, member), \
   sizeof(((struct tap_page*)0)->member)}
#define FILE_(member)                                   \
  {"files." #member, offsetof(struct tap_file, member), \
   sizeof(((struct tap_file*)0)->member)}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED const struct tap_layout waltax_tap_layout[] = {
    PAGE(magic),
    PAGE(version),
    PAGE(size),
    PAGE(attached),
    PAGE(opens),
    PAGE(closes),
    PAGE(unlinks),
    PAGE(writes),
    PAGE(write_bytes),
    PAGE(write_ns),
    PAGE(syncs),
    PAGE(sync_ns),
    PAGE(dir_syncs),
    PAGE(dir_sync_ns),
    PAGE(sync_file_ranges),
    PAGE(sync_file_range_ns),
    PAGE(fallocates),
    PAGE(fallocate_ns),
    PAGE(fallocates_skipped),
    PAGE(truncates),
    PAGE(bypasses),
    PAGE(files_dropped),
    PAGE(emulated),
    PAGE(wanted_ns),
    PAGE(achieved_ns),
    PAGE(late),
    PAGE(spin_ns),
    PAGE(burn_ns),
    PAGE(spin_margin_ns),
    PAGE(refused),
    PAGE(sync_achieved),
    PAGE(sync_wanted),
    PAGE(files),
    FILE_(name),
    FILE_(writes),
    FILE_(bytes),
    FILE_(syncs),
    FILE_(length),
    FILE_(durable_length),
    FILE_(opened),
    FILE_(closed),
    FILE_(unlinked),
    {"", sizeof(struct tap_page), sizeof(struct tap_file)},
};

EXPORTED const uint64_t waltax_tap_floor_ns = TAP_FLOOR_NS;
