// What the checks of all warehouses share, because no warehouse can settle it
// alone: what a process knows to have committed, the year-to-date sums, and the
// counters of STOCK.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "driver/findings.h"
#include "driver/table/reader.h"
#include "tpcc/check/check.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

struct NumberedOrder {
  AcknowledgedOrder order;
  uint64_t number = 0;  // of its line, from 0
};

inline auto PlaceOf(const NumberedOrder& acknowledged) {
  return std::tuple(acknowledged.order.w_id, acknowledged.order.d_id);
}

inline void Report(const NumberedOrder& acknowledged,
                   const std::string& sentence, Findings* findings) {
  const AcknowledgedOrder& order = acknowledged.order;
  findings->Lost(
      acknowledged.number,
      fmt::format(
          "acknowledged: warehouse {}: district {}: order {} of customer {}: "
          "{}",
          order.w_id, order.d_id, order.o_id, order.c_id, sentence));
}

// What a process knows to have committed, against what the database has.
// Thread-safe.
class ExpectedOrders {
 public:
  explicit ExpectedOrders(const CheckExpectations& expect)
      : next_o_ids_(expect.next_o_ids) {
    acknowledged_.reserve(expect.acknowledged.size());
    for (const AcknowledgedOrder& order : expect.acknowledged) {
      acknowledged_.push_back({order, acknowledged_.size()});
    }
    std::sort(acknowledged_.begin(), acknowledged_.end(),
              [](const NumberedOrder& left, const NumberedOrder& right) {
                return std::tuple(PlaceOf(left), left.order.o_id) <
                       std::tuple(PlaceOf(right), right.order.o_id);
              });
  }

  // `customer_of(o)` is who ordered it; 0 when there is no such order.
  template <typename CustomerOf>
  void VerifyDistrict(uint32_t w, uint8_t d, uint32_t next_o_id,
                      const CustomerOf& customer_of, Findings* findings) const {
    const size_t index = (size_t{w} - 1) * kDistricts + d - 1;
    if (!next_o_ids_.empty()) {
      findings->Count("committed districts", 1);
      findings->Want(next_o_ids_[index] == next_o_id,
                     "committed: warehouse {}: district {}: D_NEXT_O_ID is {}, "
                     "the committed New-Orders make it {}",
                     w, d, next_o_id, next_o_ids_[index]);
    }
    const auto [begin, end] = std::equal_range(
        acknowledged_.begin(), acknowledged_.end(), NumberedOrder{{w, d, 0, 0}},
        [](const NumberedOrder& left, const NumberedOrder& right) {
          return PlaceOf(left) < PlaceOf(right);
        });
    findings->Count("acknowledged orders", static_cast<uint64_t>(end - begin));
    for (auto at = begin; at != end; ++at) {
      const AcknowledgedOrder& order = at->order;
      const uint32_t c = customer_of(order.o_id);
      if (c == 0) {
        Report(*at, "there is no such order", findings);
      } else if (c != order.c_id) {
        Report(*at, fmt::format("O_C_ID is {}", c), findings);
      }
      if (at != begin && std::prev(at)->order.o_id == order.o_id) {
        Report(*at, "its number was given out twice", findings);
      }
    }
  }
  // Reports what no district has. To be called once.
  void VerifyPlaces(uint32_t warehouses, Findings* findings) const {
    findings->Acknowledged(acknowledged_.size());
    for (const NumberedOrder& acknowledged : acknowledged_) {
      const AcknowledgedOrder& order = acknowledged.order;
      if (order.w_id < 1 || order.w_id > warehouses || order.d_id < 1 ||
          order.d_id > kDistricts) {
        Report(acknowledged, "there is no such district", findings);
      }
    }
  }

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
  bool AddPayment(const History& row) {
    if (row.w_id < 1 || row.w_id > warehouses_.size()) return false;
    if (row.d_id < 1 || row.d_id > kDistricts) return false;
    paid_[Index(row.w_id, row.d_id)].fetch_add(row.amount,
                                               std::memory_order_relaxed);
    return true;
  }

  // Reports rows that are missing, too. REQUIRES: all rows were added.
  void Verify(Findings* findings) const {
    for (uint32_t w = 1; w <= warehouses_.size(); ++w) {
      Cents d_ytd = 0;
      Cents h_amount = 0;
      for (uint32_t d = 1; d <= kDistricts; ++d) {
        d_ytd += districts_[Index(w, d)].value_or(0);
        h_amount += paid_[Index(w, d)];
        VerifyDistrict(w, d, findings);
      }
      VerifyWarehouse(w, d_ytd, h_amount, findings);
    }
  }

 private:
  [[nodiscard]] static size_t Index(uint32_t w, uint32_t d) {
    return (size_t{w} - 1) * kDistricts + d - 1;
  }
  void VerifyDistrict(uint32_t w, uint32_t d, Findings* findings) const {
    const std::optional<Cents>& ytd = districts_[Index(w, d)];
    const Cents paid = paid_[Index(w, d)];
    findings->Want(ytd.has_value(),
                   "district: warehouse {}: district {}: the row is missing", w,
                   d);
    findings->Want(ytd.value_or(paid) == paid,
                   "condition 9: warehouse {}: district {}: D_YTD is {}, the "
                   "sum of H_AMOUNT is {}",
                   w, d, Money(ytd.value_or(paid)), Money(paid));
  }
  void VerifyWarehouse(uint32_t w, Cents d_ytd, Cents h_amount,
                       Findings* findings) const {
    const std::optional<Cents>& ytd = warehouses_[w - 1];
    findings->Want(ytd.has_value(),
                   "warehouse: warehouse {}: the row is missing", w);
    if (!ytd) return;
    findings->Want(
        *ytd == d_ytd,
        "condition 1: warehouse {}: W_YTD is {}, the sum of D_YTD is {}", w,
        Money(*ytd), Money(d_ytd));
    findings->Want(
        *ytd == h_amount,
        "condition 8: warehouse {}: W_YTD is {}, the sum of H_AMOUNT is {}", w,
        Money(*ytd), Money(h_amount));
  }

  std::vector<std::optional<Cents>> warehouses_;
  std::vector<std::optional<Cents>> districts_;
  std::vector<std::atomic<Cents>> paid_;  // sums of H_AMOUNT by H_W_ID, H_D_ID
};

// Clause 4.3.3.1; clause 2.4.2.2 never leaves it.
inline constexpr int32_t kLeastStock = 10;
inline constexpr int32_t kMostStock = 100;

// Whether the counters of STOCK, summed up over a warehouse, are those of the
// order lines that it supplied, whatever warehouse they are of. Thread-safe.
class StockCheck {
 public:
  explicit StockCheck(uint32_t warehouses) : warehouses_(warehouses) {}

  // REQUIRES: the warehouse is there by number.
  void AddStock(uint32_t w, const Stock& row) {
    Rest& rest = warehouses_[w - 1];
    ++rest.rows;
    rest.ytd += static_cast<int64_t>(row.ytd);
    rest.order_cnt += static_cast<int64_t>(row.order_cnt);
    rest.remote_cnt += static_cast<int64_t>(row.remote_cnt);
  }
  // A line of an order of warehouse `w` that was added since the load: the
  // load's own are not counted (clause 4.3.3.1). False when there can be no
  // such stock.
  bool AddLine(uint32_t w, const OrderLine& row) {
    if (row.supply_w_id < 1 || row.supply_w_id > warehouses_.size() ||
        row.i_id < 1 || row.i_id > kItems) {
      return false;
    }
    Rest& rest = warehouses_[row.supply_w_id - 1];
    rest.ytd -= row.quantity;
    --rest.order_cnt;
    rest.remote_cnt -= row.supply_w_id == w ? 0 : 1;
    return true;
  }
  // REQUIRES: all rows were added.
  void Verify(Findings* findings) const {
    for (uint32_t w = 1; w <= warehouses_.size(); ++w) {
      const Rest& rest = warehouses_[w - 1];
      const uint64_t rows = rest.rows;
      findings->Want(rows == kItems, "stock: warehouse {}: {} rows, want {}", w,
                     rows, kItems);
      for (const auto& [column, more] :
           {std::pair("S_YTD", rest.ytd.load()),
            std::pair("S_ORDER_CNT", rest.order_cnt.load()),
            std::pair("S_REMOTE_CNT", rest.remote_cnt.load())}) {
        findings->Want(more == 0,
                       "stock: warehouse {}: the sum of {} less that of the "
                       "order lines is {}, want 0",
                       w, column, more);
      }
    }
  }

 private:
  // What the rows have more than the lines.
  struct Rest {
    std::atomic<uint64_t> rows = 0;
    std::atomic<int64_t> ytd = 0;
    std::atomic<int64_t> order_cnt = 0;
    std::atomic<int64_t> remote_cnt = 0;
  };
  std::vector<Rest> warehouses_;
};

// All of them.
struct SharedChecks {
  const table::RowReader<Table>& reader;
  bool low_water_marks;
  const ExpectedOrders& expected;
  // By i - 1; empty where there is no such item.
  std::vector<std::optional<Cents>> prices;
  Findings* findings;
  YtdCheck* ytd;
  StockCheck* stock;
};

}  // namespace waltax::tpcc
