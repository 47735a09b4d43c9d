// The locks of some warehouses in memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "tpcc/memory_store.h"

namespace waltax::tpcc {

// Taken in ascending order, so that no two transactions wait for each other.
class WarehouseLocks {
 public:
  explicit WarehouseLocks(MemoryStore* store) : store_(*store) {}
  WarehouseLocks(const WarehouseLocks&) = delete;
  WarehouseLocks& operator=(const WarehouseLocks&) = delete;
  ~WarehouseLocks() {
    for (size_t i = 0; i < wanted_; ++i) {
      store_.warehouse(w_ids_[i]).mutex.unlock();
    }
  }

  // REQUIRES: at most one for each line of an order, and one more.
  void Want(uint32_t w_id) {
    const auto end = w_ids_.begin() + wanted_;
    if (std::find(w_ids_.begin(), end, w_id) == end) w_ids_[wanted_++] = w_id;
  }
  // To be called once.
  void Take() {
    std::sort(w_ids_.begin(), w_ids_.begin() + wanted_);
    for (size_t i = 0; i < wanted_; ++i) {
      store_.warehouse(w_ids_[i]).mutex.lock();
    }
  }

 private:
  MemoryStore& store_;
  std::array<uint32_t, kMaxOrderLines + 1> w_ids_{};
  size_t wanted_ = 0;
};

}  // namespace waltax::tpcc
