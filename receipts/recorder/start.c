// The constructor. The recorder does nothing without WALTAX_RECORDER_LOG.
//
//   WALTAX_RECORDER_LOG    the log: a file that receipts/log.py made
//   WALTAX_RECORDER_ROOTS  directories whose files are recorded, one a line
//   WALTAX_RECORDER_ACKS   the acknowledgement log; absent: none
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "files.h"
#include "log.h"
#include "next.h"

static const char* Set(const char* name) {
  const char* value = getenv(name);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

__attribute__((constructor)) static void Start(void) {
  recorder_next_start();
  const char* log = Set("WALTAX_RECORDER_LOG");
  if (log == NULL) return;
  const char* roots = Set("WALTAX_RECORDER_ROOTS");
  if (roots == NULL) recorder_refuse("WALTAX_RECORDER_ROOTS", "not set");
  if (!recorder_log_open(log)) return;
  recorder_files_start(roots, Set("WALTAX_RECORDER_ACKS"));
  pthread_atfork(NULL, NULL, recorder_log_leave);
}
