// The year-to-date sums of warehouses and districts for the check: conditions
// 1, 8 and 9. A payment is filed under its customer, who may be of another
// warehouse, so that the sums are complete only when all history was read.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "driver/findings.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

// AddPayment() is thread-safe. The setters are, too, for different warehouses.
class YtdCheck {
 public:
  explicit YtdCheck(uint32_t warehouses)
      : warehouses_(warehouses),
        districts_(uint64_t{warehouses} * kDistricts),
        paid_(districts_.size()) {}

  // REQUIRES: the warehouse and the district are there by number.
  void SetWarehouse(uint32_t w, Cents ytd) { warehouses_[w - 1] = ytd; }
  void SetDistrict(uint32_t w, uint8_t d, Cents ytd) {
    districts_[Index(w, d)] = ytd;
  }
  // False when there can be no such district.
  bool AddPayment(const History& row);

  // Reports rows that are missing, too. REQUIRES: all rows were added.
  void Verify(Findings* findings) const;

 private:
  [[nodiscard]] static size_t Index(uint32_t w, uint32_t d) {
    return (size_t{w} - 1) * kDistricts + d - 1;
  }
  void VerifyDistrict(uint32_t w, uint32_t d, Findings* findings) const;
  void VerifyWarehouse(uint32_t w, Cents d_ytd, Cents h_amount,
                       Findings* findings) const;

  std::vector<std::optional<Cents>> warehouses_;
  std::vector<std::optional<Cents>> districts_;
  std::vector<std::atomic<Cents>> paid_;  // sums of H_AMOUNT by H_W_ID, H_D_ID
};

}  // namespace waltax::tpcc
