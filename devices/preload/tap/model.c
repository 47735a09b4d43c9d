#include "model.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char kHeader[] = "waltax-tap-model 1";

// Reads a whole number of 64 bits at *text and leaves *text after it.
static bool ReadNumber(char** text, uint64_t* value) {
  if (**text < '0' || **text > '9') return false;
  errno = 0;
  *value = strtoull(*text, text, 10);
  return errno == 0;
}

// "BYTES PERCENT:NS PERCENT:NS ..."
static const char* ReadSyncRow(char* text, struct tap_sync_table* table) {
  if (table->rows == TAP_SYNC_ROWS) return "too many sync rows";
  struct tap_sync_row* row = &table->row[table->rows];
  if (!ReadNumber(&text, &row->bytes)) return "a sync row without bytes";
  if (table->rows > 0 && row[-1].bytes >= row->bytes)
    return "sync sizes do not rise";
  row->count = 0;
  while (*text == ' ') {
    ++text;
    if (row->count == TAP_QUANTILES) return "too many quantiles in a sync row";
    struct tap_quantile* q = &row->quantiles[row->count];
    if (!ReadNumber(&text, &q->percent) || *text++ != ':' ||
        !ReadNumber(&text, &q->ns) || q->percent > TAP_ALL)
      return "a sync row is not BYTES PERCENT:NS ...";
    if (row->count > 0 && (q[-1].percent >= q->percent || q[-1].ns > q->ns))
      return "quantiles of a sync row do not rise";
    ++row->count;
  }
  if (*text != '\0' || row->count == 0)
    return "a sync row is not BYTES PERCENT:NS ...";
  ++table->rows;
  return NULL;
}

static const char* const kSyncKeys[TAP_FILE_STATES] = {
    [TAP_PREALLOCATED] = "sync",
    [TAP_GROWING] = "sync_growing",
    [TAP_RECYCLED] = "sync_recycled",
};

enum need { OPTIONAL, REQUIRED };

static const struct {
  const char* name;
  size_t offset;
  enum need need;
} kNumbers[] = {
#define NUMBER(name, need) {#name, offsetof(struct tap_model, name), need},
    TAP_MODEL_NUMBERS(NUMBER)
#undef NUMBER
};
enum { kNumberCount = sizeof(kNumbers) / sizeof(kNumbers[0]) };

static const char* ReadLine(char* line, struct tap_model* model,
                            unsigned* seen) {
  char* value = strchr(line, ' ');
  if (value == NULL) return "a line is not KEY VALUE";
  *value++ = '\0';
  for (int i = 0; i < TAP_FILE_STATES; ++i)
    if (strcmp(line, kSyncKeys[i]) == 0)
      return ReadSyncRow(value, &model->sync[i]);
  for (int i = 0; i < kNumberCount; ++i) {
    if (strcmp(line, kNumbers[i].name) != 0) continue;
    uint64_t* field = (uint64_t*)((char*)model + kNumbers[i].offset);
    if (!ReadNumber(&value, field) || *value != '\0')
      return "a value is not a whole number";
    *seen |= 1u << i;
    return NULL;
  }
  return "an unknown key";
}

const char* tap_model_parse(char* text, struct tap_model* model) {
  memset(model, 0, sizeof(*model));
  unsigned seen = 0;
  char* rest = NULL;
  char* line = strtok_r(text, "\n", &rest);
  if (line == NULL || strcmp(line, kHeader) != 0)
    return "the first line is not 'waltax-tap-model 1'";
  while ((line = strtok_r(NULL, "\n", &rest)) != NULL) {
    const char* wrong = ReadLine(line, model, &seen);
    if (wrong != NULL) return wrong;
  }
  for (int i = 0; i < kNumberCount; ++i)
    if (kNumbers[i].need == REQUIRED && !(seen & 1u << i))
      return "a key is missing";
  const struct tap_sync_table* preallocated = &model->sync[TAP_PREALLOCATED];
  if (preallocated->rows == 0) return "no sync row";
  for (int i = 0; i < TAP_FILE_STATES; ++i)
    if (model->sync[i].rows == 0) model->sync[i] = *preallocated;
  return NULL;
}

static uint64_t Fastest(const struct tap_sync_table* table) {
  uint64_t fastest = UINT64_MAX;
  for (int i = 0; i < table->rows; ++i)
    if (table->row[i].quantiles[0].ns < fastest)
      fastest = table->row[i].quantiles[0].ns;
  return fastest;
}

const char* tap_model_refusal(const struct tap_model* model) {
  for (int i = 0; i < TAP_FILE_STATES; ++i)
    if (Fastest(&model->sync[i]) < TAP_FLOOR_NS)
      return "a sync latency is under the tap's floor of 0.5 us";
  const int bursts = model->slow_percent > 0 && model->slow_run >= 1000;
  if (!bursts && (model->slow_percent > 0 || model->slow_run > 0))
    return "slow_percent and slow_run of 1 or more go together";
  if (model->slow_percent > TAP_ALL / 2 || model->slow_run > TAP_LONGEST_RUN)
    return "slow syncs are too many, or their runs too long";
  return NULL;
}

// Linear from (x0, y0) to (x1, y1). Times stay under 2^53, exact in a double.
static uint64_t Between(uint64_t x, uint64_t x0, uint64_t y0, uint64_t x1,
                        uint64_t y1) {
  const double share = (double)(x - x0) / (double)(x1 - x0);
  return (uint64_t)((double)y0 + share * ((double)y1 - (double)y0) + 0.5);
}

static uint64_t AtPercent(const struct tap_sync_row* row, uint64_t percent) {
  const struct tap_quantile* q = row->quantiles;
  if (percent <= q[0].percent) return q[0].ns;
  for (int i = 1; i < row->count; ++i)
    if (percent <= q[i].percent)
      return Between(percent, q[i - 1].percent, q[i - 1].ns, q[i].percent,
                     q[i].ns);
  return q[row->count - 1].ns;
}

uint64_t tap_model_sync(const struct tap_model* model,
                        enum tap_file_state state, uint64_t bytes,
                        uint64_t percent) {
  const struct tap_sync_table* table = &model->sync[state];
  const struct tap_sync_row* row = table->row;
  if (bytes <= row->bytes) return AtPercent(row, percent);
  const struct tap_sync_row* last = row + table->rows - 1;
  for (; row < last; ++row)
    if (bytes <= row[1].bytes)
      return Between(bytes, row->bytes, AtPercent(row, percent), row[1].bytes,
                     AtPercent(row + 1, percent));
  return AtPercent(last, percent) +
         tap_model_transfer(model, bytes - last->bytes);
}

// splitmix64 (Steele, Lea & Flood 2014): the n-th number of a stream needs no
// state but n.
static uint64_t Random(uint64_t seed, uint64_t draw) {
  uint64_t z = seed + (draw + 1) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

// A random number under `limit`.
static uint64_t Under(uint64_t limit, uint64_t seed, uint64_t draw) {
  const uint64_t random = Random(seed, draw);
  return (uint64_t)(((unsigned __int128)random * limit) >> 64);
}

// Whether the draw after one that was `slow` or not is slow. A run ends with a
// probability of 1 in its mean length, and begins as often as keeps the share.
static bool IsSlow(const struct tap_model* model, uint64_t draw, bool slow) {
  const uint64_t share = model->slow_percent;
  const uint64_t most = (TAP_ALL - share) * model->slow_run;
  // In units of 1 / most.
  const uint64_t ends = (TAP_ALL - share) * 1000;
  const uint64_t begins = share * 1000;
  const uint64_t at = Under(most, ~model->seed, draw);
  return slow ? at >= ends : at < begins;
}

uint64_t tap_model_draw(const struct tap_model* model, uint64_t* word) {
  uint64_t last = __atomic_load_n(word, __ATOMIC_RELAXED);
  uint64_t draw;
  bool slow;
  do {
    draw = last >> 1;
    slow = model->slow_run > 0 && IsSlow(model, draw, last & 1);
  } while (!__atomic_compare_exchange_n(word, &last, (draw + 1) << 1 | slow, 0,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  const uint64_t fast =
      model->slow_run > 0 ? TAP_ALL - model->slow_percent : TAP_ALL;
  return slow ? fast + Under(TAP_ALL - fast + 1, model->seed, draw)
              : Under(fast + 1, model->seed, draw);
}

uint64_t tap_model_cpu(const struct tap_model* model, uint64_t bytes) {
  return model->cpu_caller_ns + bytes * model->cpu_caller_ns_per_kib / 1024;
}

uint64_t tap_model_write(const struct tap_model* model, uint64_t bytes) {
  return model->write_ns + bytes * model->write_ns_per_kib / 1024;
}

uint64_t tap_model_transfer(const struct tap_model* model, uint64_t bytes) {
  if (model->bandwidth_bytes_per_s == 0) return 0;
  const uint64_t rate = model->bandwidth_bytes_per_s;
  return (uint64_t)(((unsigned __int128)bytes * 1000000000 + rate / 2) / rate);
}

uint64_t tap_queue_reserve(uint64_t* free_at, uint64_t now, uint64_t service) {
  uint64_t free = __atomic_load_n(free_at, __ATOMIC_RELAXED);
  uint64_t end;
  do {
    end = (free > now ? free : now) + service;
  } while (!__atomic_compare_exchange_n(free_at, &free, end, 0,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return end;
}

uint64_t tap_cache_admit(uint64_t* drained_at, uint64_t now, uint64_t service,
                         uint64_t capacity) {
  const uint64_t end = tap_queue_reserve(drained_at, now, service);
  return end > now + capacity ? end - capacity : now;
}
