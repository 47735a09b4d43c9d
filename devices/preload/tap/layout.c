// The page's layout as data, by which Python reads it.
#include <stddef.h>

#include "page.h"

#define EXPORTED __attribute__((visibility("default")))

#define PLACE(type, member) \
  offsetof(struct type, member), sizeof(((struct type*)0)->member)
#define MEMBER(member) {#member, PLACE(tap_page, member), TAP_OTHER, 0}

enum { IN_PAGE, IN_ROW };
#define COUNTER(member, kind, seen_in) \
  {#member, PLACE(tap_page, member), TAP_##kind, IN_##seen_in},
#define FILE_COUNTER(member, kind) \
  {"files." #member, PLACE(tap_file, member), TAP_##kind, 0},

EXPORTED const struct tap_layout waltax_tap_layout[] = {
    MEMBER(attached),
    MEMBER(refused),
    MEMBER(sync_achieved),
    MEMBER(sync_wanted),
    MEMBER(data_read_achieved),
    MEMBER(device),
    MEMBER(files),
    {"files.name", PLACE(tap_file, name), TAP_OTHER, 0},
    TAP_COUNTERS(COUNTER) TAP_FILE_COUNTERS(FILE_COUNTER){"", 0, 0, 0, 0},
};

EXPORTED const struct tap_header waltax_tap_header = {
    TAP_MAGIC, TAP_VERSION, sizeof(struct tap_page), sizeof(struct tap_file)};
