#ifndef WALTAX_RECEIPTS_RECORDER_NAMES_H_
#define WALTAX_RECEIPTS_RECORDER_NAMES_H_

#include <pthread.h>

// Calls that change names are made one at a time, so that the log has them in
// the order in which the file system did.
extern pthread_mutex_t recorder_names;

#endif  // WALTAX_RECEIPTS_RECORDER_NAMES_H_
