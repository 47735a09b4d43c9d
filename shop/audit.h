// What a check of a shop knows of the rows that it has seen so far.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driver/findings.h"
#include "shop/rows.h"
#include "shop/store.h"

namespace waltax::shop {

// Whether a row, and its entry in the index, were seen.
inline constexpr uint8_t kRow = 1;
inline constexpr uint8_t kEntry = 2;

// By the numbers of loaded rows. Thread-safe.
class Seen {
 public:
  explicit Seen(uint64_t rows) : seen_(rows) {}
  // False when there is no such number.
  bool Mark(uint64_t number, uint8_t what) {
    if (number >= seen_.size()) return false;
    seen_[number].fetch_or(what, std::memory_order_relaxed);
    return true;
  }
  [[nodiscard]] uint64_t size() const { return seen_.size(); }
  [[nodiscard]] uint8_t operator[](uint64_t number) const {
    return seen_[number].load(std::memory_order_relaxed);
  }

 private:
  std::vector<std::atomic<uint8_t>> seen_;
};

// An order of a run.
struct Inserted {
  uint8_t seen = 0;
  uint64_t customer_id = 0;  // by its row
  uint64_t indexed_id = 0;   // by its entry
};

// How often a product's quantity was changed, and by how many orders of runs.
struct Changed {
  std::atomic<uint32_t> changes = 0;
  std::atomic<uint32_t> orders = 0;
};

// Looks at rows from several threads, and puts together what they say of each
// other when it has seen all.
class Audit {
 public:
  Audit(const Population& population, const std::optional<Expected>& expected)
      : population_(population),
        expected_(expected),
        customers_(population.sizes().customers),
        products_(population.sizes().products),
        orders_(population.sizes().orders),
        changed_(population.sizes().products) {}

  void Look(const Customer& customer);
  void Look(const Product& product);
  void Look(const Order& order);
  void LookAtEntry(uint64_t customer_id, uint64_t order_id);
  // To be called once, when all rows were seen.
  void End();

  Findings findings;

 private:
  void Report(std::string_view kind, uint64_t id, std::string_view what);
  void LookAtInserted(uint64_t number, const Order& order);
  void CheckLoaded();
  void CheckInserted();
  void CheckAcknowledged(const Expected& expected);
  void CheckChanges();

  const Population& population_;
  const std::optional<Expected>& expected_;
  Seen customers_;
  Seen products_;
  Seen orders_;
  std::vector<Changed> changed_;
  std::mutex mutex_;
  std::unordered_map<uint64_t, Inserted> inserted_;  // by number
};

}  // namespace waltax::shop
