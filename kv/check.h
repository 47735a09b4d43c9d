// Whether the families hold what was written, and nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driver/status.h"
#include "driver/workload.h"
#include "kv/store.h"
#include "kv/writes.h"

namespace waltax::kv {

// The writes of this process: all numbers from `first` to before `next`.
struct Expected {
  uint64_t first = 0;
  uint64_t next = 0;
  std::vector<uint64_t> doubtful;  // not acknowledged: there or not
  // One worker wrote, so that of two writes to a key the later one stays.
  bool in_order = false;
};

// Without `expected`, what runs wrote is checked by its contents alone.
Status CheckStore(const Store& store, const Writes& writes,
                  const std::optional<Expected>& expected, CheckResult* result);

// The number behind the highest that a run wrote.
Status NextWrite(const Store& store, const Writes& writes, uint64_t* next);

}  // namespace waltax::kv
