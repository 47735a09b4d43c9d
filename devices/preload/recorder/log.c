#include "log.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "devices/preload/process.h"

static struct recorder_header* header;
struct recorder_shared* recorder_shared;
bool recorder_on;

_Noreturn void recorder_refuse(const char* subject, const char* reason) {
  preload_refuse("recorder", header == NULL ? NULL : header->refused,
                 RECORDER_REASON, subject, reason);
}

// The first process makes the locks. They hold between processes, and a thread
// that has one may take it again.
static void MakeLocks(void) {
  uint32_t fresh = 0;
  if (!__atomic_compare_exchange_n(&recorder_shared->ready, &fresh, 1, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    while (__atomic_load_n(&recorder_shared->ready, __ATOMIC_ACQUIRE) != 2)
      sched_yield();
    return;
  }
  pthread_mutexattr_t how;
  pthread_mutexattr_init(&how);
  pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_settype(&how, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recorder_shared->names, &how);
  pthread_mutex_init(&recorder_shared->positions, &how);
  pthread_mutex_init(&recorder_shared->end, &how);
  __atomic_store_n(&recorder_shared->ready, 2, __ATOMIC_RELEASE);
}

void recorder_lock(pthread_mutex_t* lock) {
  if (pthread_mutex_lock(lock) == EOWNERDEAD) pthread_mutex_consistent(lock);
}

void recorder_log_open(const char* path) {
  size_t size;
  struct recorder_header* mapped = preload_map(path, 0, RECORDER_HEADER, &size);
  if (mapped == NULL)
    recorder_refuse(path,
                    errno == 0 ? "the log is too small" : strerror(errno));
  if (mapped->magic != RECORDER_MAGIC || mapped->version != RECORDER_VERSION ||
      mapped->capacity + sizeof(struct recorder_shared) > size)
    recorder_refuse(path, "not a log of this version");
  header = mapped;
  recorder_shared = (struct recorder_shared*)((char*)mapped + mapped->capacity);
  MakeLocks();
  __atomic_fetch_add(&header->programs, 1, __ATOMIC_RELAXED);
  recorder_on = true;
}

// The size is written before the log's end moves behind it: whatever ends the
// process in between, a reader never meets a record without a size.
static struct recorder_record* Claim(uint64_t size) {
  recorder_lock(&recorder_shared->end);
  const uint64_t used = header->used == 0 ? RECORDER_HEADER : header->used;
  struct recorder_record* record = NULL;
  if (size > UINT32_MAX || used + size > header->capacity) {
    header->full = 1;
  } else {
    record = (struct recorder_record*)((char*)header + used);
    record->size = (uint32_t)size;
    __atomic_store_n(&header->used, used + size, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&recorder_shared->end);
  return record;
}

static uint64_t BytesOf(const struct iovec* parts, int count) {
  uint64_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
  return bytes;
}

static char* Put(char* to, const void* from, size_t bytes) {
  if (bytes > 0) memcpy(to, from, bytes);
  return to + bytes;
}

struct recorder_record* recorder_begin(const struct recorder_call* call) {
  if (!recorder_on) return NULL;
  const uint64_t text = call->text == NULL ? 0 : strlen(call->text);
  const uint64_t other = call->other == NULL ? 0 : strlen(call->other);
  const uint64_t data = BytesOf(call->parts, call->count);
  const uint64_t size = sizeof(struct recorder_record) + text + other + data;
  struct recorder_record* record = Claim((size + 7) & ~(uint64_t)7);
  if (record == NULL) return NULL;
  struct recorder_record head = call->head;
  head.size = record->size;  // which is there, whatever ends the process here
  head.thread = (uint32_t)syscall(SYS_gettid);
  head.text = (uint32_t)text;
  head.other = (uint32_t)other;
  head.data = (uint32_t)data;
  *record = head;
  char* to = Put((char*)(record + 1), call->text, text);
  to = Put(to, call->other, other);
  for (int i = 0; i < call->count; ++i)
    to = Put(to, call->parts[i].iov_base, call->parts[i].iov_len);
  record->begin = tap_now();
  __atomic_store_n(&record->state, RECORDER_BEGUN, __ATOMIC_RELEASE);
  return record;
}

void recorder_end(struct recorder_record* record, long result) {
  if (record == NULL) return;
  const int error = errno;
  record->error = result < 0 ? error : 0;
  const bool writes =
      record->kind == RECORDER_WRITE || record->kind == RECORDER_ACK;
  if (writes && result >= 0) record->length = (uint64_t)result;
  record->end = tap_now();
  __atomic_store_n(&record->state, RECORDER_ENDED, __ATOMIC_RELEASE);
  errno = error;
}

void recorder_note(const struct recorder_call* call) {
  recorder_end(recorder_begin(call), 0);
}
