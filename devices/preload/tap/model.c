#include "model.h"

// Linear from (x0, y0) to (x1, y1). Times stay under 2^53, exact in a double.
static uint64_t Between(uint64_t x, uint64_t x0, uint64_t y0, uint64_t x1,
                        uint64_t y1) {
  const double share = (double)(x - x0) / (double)(x1 - x0);
  return (uint64_t)((double)y0 + share * ((double)y1 - (double)y0) + 0.5);
}

static uint64_t AtPercent(const struct tap_sync_row* row, uint64_t percent) {
  const struct tap_quantile* q = row->quantiles;
  if (percent <= q[0].percent) return q[0].ns;
  for (uint64_t i = 1; i < row->count; ++i)
    if (percent <= q[i].percent)
      return Between(percent, q[i - 1].percent, q[i - 1].ns, q[i].percent,
                     q[i].ns);
  return q[row->count - 1].ns;
}

uint64_t tap_model_sync(const struct tap_model* model, uint64_t bytes,
                        uint64_t percent) {
  const struct tap_sync_table* table = &model->sync;
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

uint64_t tap_model_draw(const struct tap_model* model, uint64_t* draws) {
  const uint64_t draw = __atomic_fetch_add(draws, 1, __ATOMIC_RELAXED);
  const uint64_t random = Random(model->seed, draw);
  return (uint64_t)(((unsigned __int128)random * (TAP_ALL + 1)) >> 64);
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
