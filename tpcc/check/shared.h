// What the checks of all warehouses share, because no warehouse can settle it
// alone: what a process knows to have committed, the year-to-date sums, and the
// counters of STOCK.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "driver/findings.h"
#include "tpcc/check/check.h"
#include "tpcc/check/district.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

struct NumberedOrder {
  AcknowledgedOrder order;
  uint64_t number = 0;  // of its line, from 0
};

// What a process knows to have committed, against what the database has.
// Thread-safe.
class ExpectedOrders {
 public:
  explicit ExpectedOrders(const CheckExpectations& expect);

  // REQUIRES: all orders of the district were added to `orders`.
  void VerifyDistrict(uint32_t w, uint8_t d, uint32_t next_o_id,
                      OrdersCheck* orders, Findings* findings) const;
  // Reports what no district has. To be called once.
  void VerifyPlaces(uint32_t warehouses, Findings* findings) const;

 private:
  std::vector<uint32_t> next_o_ids_;
  std::vector<NumberedOrder> acknowledged_;  // by w, d, o
};

// The year-to-date sums of warehouses and districts for the check: conditions
// 1, 8 and 9. A payment is filed under its customer, who may be of another
// warehouse, so that the sums are complete only when all history was read.
//
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

// Whether the counters of STOCK are those of the order lines. An order line may
// be supplied by another warehouse, so that this is settled in two steps: each
// warehouse with its own lines, and then what is left with the remote ones.

struct StockCounts {
  uint64_t ytd = 0;
  uint32_t order_cnt = 0;
  uint32_t remote_cnt = 0;

  bool operator==(const StockCounts&) const = default;
};

// A line that was supplied by another warehouse than that of its order.
struct RemoteLine {
  uint32_t supply_w_id = 0;
  uint32_t i_id = 0;
  uint8_t quantity = 0;
};

// A stock row whose counters are not those of its own warehouse's lines.
struct StockRest {
  uint32_t w_id = 0;
  uint32_t i_id = 0;
  StockCounts stored;
  StockCounts lines;  // of the same warehouse
};

// What one warehouse leaves to be settled.
struct OpenStock {
  std::vector<RemoteLine> remote_lines;  // of its orders
  std::vector<StockRest> rests;          // of its stock, by item
};

// One warehouse. Not thread-safe.
class StockCheck {
 public:
  StockCheck(uint32_t w, Findings* findings)
      : w_(w), findings_(*findings), items_(kItems) {}

  // A line of an order that was added since the load: the load's own are not
  // counted (clause 4.3.3.1).
  void AddLine(const OrderLine& row);
  // REQUIRES: all lines were added.
  void AddStock(uint32_t i, const Stock& row);
  OpenStock Finish();

 private:
  struct Facts {
    bool exists = false;
    StockCounts lines;
  };

  uint32_t w_;
  Findings& findings_;
  std::vector<Facts> items_;  // item i at i - 1
  OpenStock open_;
};

// Thread-safe, except Verify().
class StockTotals {
 public:
  void Add(const OpenStock& open);
  // REQUIRES: all warehouses were added.
  void Verify(Findings* findings);

 private:
  std::mutex mutex_;
  OpenStock open_;
};

}  // namespace waltax::tpcc
