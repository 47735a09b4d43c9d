#include "tpcc/check_stock.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace waltax::tpcc {

namespace {

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
