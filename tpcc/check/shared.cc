#include "tpcc/check/shared.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "tpcc/schema.h"

namespace waltax::tpcc {

namespace {

auto DistrictOf(const NumberedOrder& acknowledged) {
  return std::tuple(acknowledged.order.w_id, acknowledged.order.d_id);
}

void Report(const NumberedOrder& acknowledged, const std::string& sentence,
            Findings* findings) {
  const AcknowledgedOrder& order = acknowledged.order;
  findings->Lost(
      acknowledged.number,
      fmt::format(
          "acknowledged: warehouse {}: district {}: order {} of customer {}: "
          "{}",
          order.w_id, order.d_id, order.o_id, order.c_id, sentence));
}

// Clause 4.3.3.1; clause 2.4.2.2 never leaves it.
constexpr int32_t kLeastStock = 10;
constexpr int32_t kMostStock = 100;

using StockId = std::pair<uint32_t, uint32_t>;  // w, i

StockId IdOf(const RemoteLine& line) { return {line.supply_w_id, line.i_id}; }
StockId IdOf(const StockRest& rest) { return {rest.w_id, rest.i_id}; }

template <typename T>
void SortById(std::vector<T>* all) {
  std::sort(all->begin(), all->end(), [](const T& left, const T& right) {
    return IdOf(left) < IdOf(right);
  });
}

void Compare(const StockId& id, const char* column, uint64_t stored,
             uint64_t lines, Findings* findings) {
  if (stored == lines) return;
  findings->Violation(
      fmt::format("stock: warehouse {}: item {}: {} is {}, the order lines "
                  "have {}",
                  id.first, id.second, column, stored, lines));
}

void Compare(const StockId& id, const StockCounts& stored,
             const StockCounts& lines, Findings* findings) {
  Compare(id, "S_YTD", stored.ytd, lines.ytd, findings);
  Compare(id, "S_ORDER_CNT", stored.order_cnt, lines.order_cnt, findings);
  Compare(id, "S_REMOTE_CNT", stored.remote_cnt, lines.remote_cnt, findings);
}

using RemoteLines = std::vector<RemoteLine>;

// Of the lines of one row, which are the next ones; moves behind them.
StockCounts SumOf(const StockId& id, RemoteLines::const_iterator end,
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

}  // namespace

ExpectedOrders::ExpectedOrders(const CheckExpectations& expect)
    : next_o_ids_(expect.next_o_ids) {
  acknowledged_.reserve(expect.acknowledged.size());
  for (const AcknowledgedOrder& order : expect.acknowledged) {
    acknowledged_.push_back({order, acknowledged_.size()});
  }
  std::sort(acknowledged_.begin(), acknowledged_.end(),
            [](const NumberedOrder& left, const NumberedOrder& right) {
              return std::tuple(DistrictOf(left), left.order.o_id) <
                     std::tuple(DistrictOf(right), right.order.o_id);
            });
}

void ExpectedOrders::VerifyDistrict(uint32_t w, uint8_t d, uint32_t next_o_id,
                                    OrdersCheck* orders,
                                    Findings* findings) const {
  const size_t index = (size_t{w} - 1) * kDistricts + d - 1;
  if (!next_o_ids_.empty()) findings->Count("committed districts", 1);
  if (!next_o_ids_.empty() && next_o_ids_.at(index) != next_o_id) {
    findings->Violation(
        fmt::format("committed: warehouse {}: district {}: D_NEXT_O_ID is {}, "
                    "the committed New-Orders make it {}",
                    w, d, next_o_id, next_o_ids_[index]));
  }
  const auto [begin, end] = std::equal_range(
      acknowledged_.begin(), acknowledged_.end(), NumberedOrder{{w, d, 0, 0}},
      [](const NumberedOrder& left, const NumberedOrder& right) {
        return DistrictOf(left) < DistrictOf(right);
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

void ExpectedOrders::VerifyPlaces(uint32_t warehouses,
                                  Findings* findings) const {
  findings->Acknowledged(acknowledged_.size());
  for (const NumberedOrder& acknowledged : acknowledged_) {
    const AcknowledgedOrder& order = acknowledged.order;
    if (order.w_id < 1 || order.w_id > warehouses || order.d_id < 1 ||
        order.d_id > kDistricts) {
      Report(acknowledged, "there is no such district", findings);
    }
  }
}

bool YtdCheck::AddPayment(const History& row) {
  if (row.w_id < 1 || row.w_id > warehouses_.size()) return false;
  if (row.d_id < 1 || row.d_id > kDistricts) return false;
  paid_[Index(row.w_id, row.d_id)].fetch_add(row.amount,
                                             std::memory_order_relaxed);
  return true;
}

void YtdCheck::Verify(Findings* findings) const {
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

void YtdCheck::VerifyDistrict(uint32_t w, uint32_t d,
                              Findings* findings) const {
  const std::optional<Cents>& ytd = districts_[Index(w, d)];
  const Cents paid = paid_[Index(w, d)];
  if (!ytd) {
    findings->Violation(fmt::format(
        "district: warehouse {}: district {}: the row is missing", w, d));
  } else if (*ytd != paid) {
    findings->Violation(
        fmt::format("condition 9: warehouse {}: district {}: D_YTD is {}, the "
                    "sum of H_AMOUNT is {}",
                    w, d, Money(*ytd), Money(paid)));
  }
}

void YtdCheck::VerifyWarehouse(uint32_t w, Cents d_ytd, Cents h_amount,
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
        "condition 8: warehouse {}: W_YTD is {}, the sum of H_AMOUNT is {}", w,
        Money(*ytd), Money(h_amount)));
  }
}

void StockCheck::AddLine(const OrderLine& row) {
  if (row.supply_w_id != w_) {
    open_.remote_lines.push_back({row.supply_w_id, row.i_id, row.quantity});
    return;
  }
  if (row.i_id < 1 || row.i_id > kItems) {
    findings_.Violation(fmt::format(
        "stock: warehouse {}: item {}: an order line has it, the table cannot",
        w_, row.i_id));
    return;
  }
  StockCounts& lines = items_[row.i_id - 1].lines;
  lines.ytd += row.quantity;
  ++lines.order_cnt;
}

void StockCheck::AddStock(uint32_t i, const Stock& row) {
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

OpenStock StockCheck::Finish() {
  for (uint32_t i = 1; i <= kItems; ++i) {
    if (items_[i - 1].exists) continue;
    findings_.Violation(
        fmt::format("stock: warehouse {}: item {}: the row is missing", w_, i));
  }
  return std::move(open_);
}

void StockTotals::Add(const OpenStock& open) {
  const std::scoped_lock lock(mutex_);
  Append(open.remote_lines, &open_.remote_lines);
  Append(open.rests, &open_.rests);
}

void StockTotals::Verify(Findings* findings) {
  SortById(&open_.remote_lines);
  SortById(&open_.rests);
  RemoteLines::const_iterator line = open_.remote_lines.begin();
  const RemoteLines::const_iterator end = open_.remote_lines.end();
  // A row that its own lines explain has an S_REMOTE_CNT of 0: none of these
  // lines was counted there.
  const auto report_unknown = [&](const StockId& until) {
    while (line != end && IdOf(*line) < until) {
      const StockId id = IdOf(*line);
      const StockCounts remote = SumOf(id, end, &line);
      Compare(id, "S_REMOTE_CNT", 0, remote.remote_cnt, findings);
    }
  };
  for (StockRest& rest : open_.rests) {
    const StockId id = IdOf(rest);
    report_unknown(id);
    const StockCounts remote = SumOf(id, end, &line);
    rest.lines.ytd += remote.ytd;
    rest.lines.order_cnt += remote.order_cnt;
    rest.lines.remote_cnt += remote.remote_cnt;
    Compare(id, rest.stored, rest.lines, findings);
  }
  report_unknown({UINT32_MAX, UINT32_MAX});
}

}  // namespace waltax::tpcc
