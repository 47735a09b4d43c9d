#include "queue.h"

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
