// The page's layout as text, by which Python reads it: a line for each member
// in its order, with its name, how many numbers or characters it is, how it
// counts and where it is seen (page.h). Members of a file begin with "files.".
#include "page.h"

#define EXPORTED __attribute__((visibility("default")))

#define LINE(name, count, kind, seen_in) \
  name " " #count " " kind " " seen_in "\n"
#define MEMBER(name, count, kind) LINE(name, count, kind, "PAGE")
#define COUNTER(name, kind, seen_in) LINE(#name, 1, #kind, #seen_in)
#define TOLD(name) MEMBER(#name, TAP_PATH, "TEXT")
#define FILE_COUNTER(name, kind) LINE("files." #name, 1, #kind, "PAGE")

EXPORTED const char* const waltax_tap_layout = MEMBER("attached", 1, "SUM")
    TAP_COUNTERS(COUNTER) MEMBER("refused", TAP_REASON, "TEXT") TAP_TOLD(TOLD)
        MEMBER("sync_achieved", TAP_BUCKETS, "SUM")
            MEMBER("sync_wanted", TAP_BUCKETS, "SUM")
                MEMBER("files", TAP_FILES, "FILES")
                    MEMBER("files.name", TAP_NAME, "TEXT")
                        TAP_FILE_COUNTERS(FILE_COUNTER);

// The first members of a new page.
EXPORTED const uint64_t waltax_tap_header[] = {TAP_MAGIC, TAP_VERSION,
                                               sizeof(struct tap_page)};
