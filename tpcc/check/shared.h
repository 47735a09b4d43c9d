// What the checks of all warehouses share, because no warehouse can settle it
// alone: what a process knows to have committed, the year-to-date sums, and the
// counters of STOCK.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
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

  // REQUIRES: all orders of the district were added to `orders`.
  void VerifyDistrict(uint32_t w, uint8_t d, uint32_t next_o_id,
                      OrdersCheck* orders, Findings* findings) const {
    const size_t index = (size_t{w} - 1) * kDistricts + d - 1;
    if (!next_o_ids_.empty()) findings->Count("committed districts", 1);
    if (!next_o_ids_.empty() && next_o_ids_.at(index) != next_o_id) {
      findings->Violation(fmt::format(
          "committed: warehouse {}: district {}: D_NEXT_O_ID is {}, "
          "the committed New-Orders make it {}",
          w, d, next_o_id, next_o_ids_[index]));
    }
    const auto [begin, end] = std::equal_range(
        acknowledged_.begin(), acknowledged_.end(), NumberedOrder{{w, d, 0, 0}},
        [](const NumberedOrder& left, const NumberedOrder& right) {
          return PlaceOf(left) < PlaceOf(right);
        });
    findings->Count("acknowledged orders", static_cast<uint64_t>(end - begin));
    for (auto at = begin; at != end; ++at) {
      const AcknowledgedOrder& order = at->order;
      const uint32_t c = orders->CustomerOf(order.o_id);
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
    if (!ytd) {
      findings->Violation(fmt::format(
          "district: warehouse {}: district {}: the row is missing", w, d));
    } else if (*ytd != paid) {
      findings->Violation(fmt::format(
          "condition 9: warehouse {}: district {}: D_YTD is {}, the "
          "sum of H_AMOUNT is {}",
          w, d, Money(*ytd), Money(paid)));
    }
  }
  void VerifyWarehouse(uint32_t w, Cents d_ytd, Cents h_amount,
                       Findings* findings) const {
    const std::optional<Cents>& ytd = warehouses_[w - 1];
    if (!ytd) {
      findings->Violation(
          fmt::format("warehouse: warehouse {}: the row is missing", w));
      return;
    }
    if (*ytd != d_ytd) {
      findings->Violation(fmt::format(
          "condition 1: warehouse {}: W_YTD is {}, the sum of D_YTD is {}", w,
          Money(*ytd), Money(d_ytd)));
    }
    if (*ytd != h_amount) {
      findings->Violation(fmt::format(
          "condition 8: warehouse {}: W_YTD is {}, the sum of H_AMOUNT is {}",
          w, Money(*ytd), Money(h_amount)));
    }
  }

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

// Clause 4.3.3.1; clause 2.4.2.2 never leaves it.
inline constexpr int32_t kLeastStock = 10;
inline constexpr int32_t kMostStock = 100;

using StockPlace = std::pair<uint32_t, uint32_t>;  // w, i

inline StockPlace IdOf(const RemoteLine& line) {
  return {line.supply_w_id, line.i_id};
}
inline StockPlace IdOf(const StockRest& rest) { return {rest.w_id, rest.i_id}; }

template <typename T>
void SortById(std::vector<T>* all) {
  std::sort(all->begin(), all->end(), [](const T& left, const T& right) {
    return IdOf(left) < IdOf(right);
  });
}

inline void Compare(const StockPlace& id, const char* column, uint64_t stored,
                    uint64_t lines, Findings* findings) {
  if (stored == lines) return;
  findings->Violation(
      fmt::format("stock: warehouse {}: item {}: {} is {}, the order lines "
                  "have {}",
                  id.first, id.second, column, stored, lines));
}

inline void Compare(const StockPlace& id, const StockCounts& stored,
                    const StockCounts& lines, Findings* findings) {
  Compare(id, "S_YTD", stored.ytd, lines.ytd, findings);
  Compare(id, "S_ORDER_CNT", stored.order_cnt, lines.order_cnt, findings);
  Compare(id, "S_REMOTE_CNT", stored.remote_cnt, lines.remote_cnt, findings);
}

using RemoteLines = std::vector<RemoteLine>;

// Of the lines of one row, which are the next ones; moves behind them.
inline StockCounts SumOf(const StockPlace& id, RemoteLines::const_iterator end,
                         RemoteLines::const_iterator* line) {
  StockCounts sum;
  for (; *line != end && IdOf(**line) == id; ++*line) {
    sum.ytd += (*line)->quantity;
    ++sum.order_cnt;
    ++sum.remote_cnt;
  }
  return sum;
}

template <typename T>
void Append(const std::vector<T>& more, std::vector<T>* all) {
  all->insert(all->end(), more.begin(), more.end());
}

// One warehouse. Not thread-safe.
class StockCheck {
 public:
  StockCheck(uint32_t w, Findings* findings)
      : w_(w), findings_(*findings), items_(kItems) {}

  // A line of an order that was added since the load: the load's own are not
  // counted (clause 4.3.3.1).
  void AddLine(const OrderLine& row) {
    if (row.supply_w_id != w_) {
      open_.remote_lines.push_back({row.supply_w_id, row.i_id, row.quantity});
      return;
    }
    if (row.i_id < 1 || row.i_id > kItems) {
      findings_.Violation(
          fmt::format("stock: warehouse {}: item {}: an order line has it, the "
                      "table cannot",
                      w_, row.i_id));
      return;
    }
    StockCounts& lines = items_[row.i_id - 1].lines;
    lines.ytd += row.quantity;
    ++lines.order_cnt;
  }
  // REQUIRES: all lines were added.
  void AddStock(uint32_t i, const Stock& row) {
    Facts& facts = items_[i - 1];
    facts.exists = true;
    if (row.quantity < kLeastStock || row.quantity > kMostStock) {
      findings_.Violation(
          fmt::format("stock: warehouse {}: item {}: S_QUANTITY is {}, want {} "
                      "to {}",
                      w_, i, row.quantity, kLeastStock, kMostStock));
    }
    const StockCounts stored = {row.ytd, row.order_cnt, row.remote_cnt};
    if (stored == facts.lines) return;
    open_.rests.push_back({w_, i, stored, facts.lines});
  }
  OpenStock Finish() {
    for (uint32_t i = 1; i <= kItems; ++i) {
      if (items_[i - 1].exists) continue;
      findings_.Violation(fmt::format(
          "stock: warehouse {}: item {}: the row is missing", w_, i));
    }
    return std::move(open_);
  }

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
  void Add(const OpenStock& open) {
    const std::scoped_lock lock(mutex_);
    Append(open.remote_lines, &open_.remote_lines);
    Append(open.rests, &open_.rests);
  }
  // REQUIRES: all warehouses were added.
  void Verify(Findings* findings) {
    SortById(&open_.remote_lines);
    SortById(&open_.rests);
    RemoteLines::const_iterator line = open_.remote_lines.begin();
    const RemoteLines::const_iterator end = open_.remote_lines.end();
    // A row that its own lines explain has an S_REMOTE_CNT of 0: none of these
    // lines was counted there.
    const auto report_unknown = [&](const StockPlace& until) {
      while (line != end && IdOf(*line) < until) {
        const StockPlace id = IdOf(*line);
        const StockCounts remote = SumOf(id, end, &line);
        Compare(id, "S_REMOTE_CNT", 0, remote.remote_cnt, findings);
      }
    };
    for (StockRest& rest : open_.rests) {
      const StockPlace id = IdOf(rest);
      report_unknown(id);
      const StockCounts remote = SumOf(id, end, &line);
      rest.lines.ytd += remote.ytd;
      rest.lines.order_cnt += remote.order_cnt;
      rest.lines.remote_cnt += remote.remote_cnt;
      Compare(id, rest.stored, rest.lines, findings);
    }
    report_unknown({UINT32_MAX, UINT32_MAX});
  }

 private:
  std::mutex mutex_;
  OpenStock open_;
};

}  // namespace waltax::tpcc
