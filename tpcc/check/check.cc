#include "tpcc/check/check.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "driver/findings.h"
#include "driver/steps.h"
#include "driver/table/reader.h"
#include "tpcc/check/district.h"
#include "tpcc/keys.h"
#include "tpcc/schema.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {

namespace {

// Clause 4.3.3.1; clause 2.4.2.2 never leaves it.
constexpr int32_t kLeastStock = 10;
constexpr int32_t kMostStock = 100;

// Hands each row of a warehouse's districts to its district, table by table.
template <typename... Rows>
void ReadDistricts(const SharedFacts& shared, uint32_t w,
                   std::vector<DistrictCheck>* districts) {
  (shared.reader.Read<Rows>(KeyOfWarehouse(w).view(),
                            [&](std::string_view key, const Rows& row) {
                              (*districts)[DistrictOf(key) - 1U].Take(key, row);
                            }),
   ...);
}

// Leaves to the sums of `shared` what other warehouses have a share in.
void CheckWarehouse(const SharedFacts& shared, uint32_t w) {
  WarehouseSums& sums = shared.warehouses[w - 1];
  std::vector<DistrictCheck> districts;
  for (uint8_t d = 1; d <= kDistricts; ++d) {
    districts.emplace_back(w, d, shared);
  }
  const auto prefix = KeyOfWarehouse(w);
  shared.reader.Read<Warehouse>(
      prefix.view(), [&](std::string_view /*key*/, const Warehouse& row) {
        sums.ytd = row.ytd;
      });
  ReadDistricts<District, Customer, CustomerName, History, Order, CustomerOrder,
                NewOrderRow, OrderLine>(shared, w, &districts);
  shared.reader.Read<Stock>(
      prefix.view(), [&](std::string_view key, const Stock& row) {
        ++sums.stock_rows;
        sums.s_ytd += static_cast<int64_t>(row.ytd);
        sums.s_order_cnt += row.order_cnt;
        sums.s_remote_cnt += row.remote_cnt;
        shared.findings.Want(
            row.quantity >= kLeastStock && row.quantity <= kMostStock,
            "stock: warehouse {}: item {}: S_QUANTITY is {}, want {} to {}", w,
            ItemOf(key), row.quantity, kLeastStock, kMostStock);
      });
  // What could not be read must not be called missing.
  if (shared.findings.failed()) return;
  for (DistrictCheck& district : districts) district.Verify();
}

// Conditions 1, 8 and 9, and the counters of STOCK. REQUIRES: all rows of all
// warehouses were added.
void VerifySums(uint32_t w, const WarehouseSums& sums, Findings* findings) {
  Cents d_ytd = 0;
  Cents h_amount = 0;
  for (uint32_t d = 1; d <= kDistricts; ++d) {
    const Cents paid = sums.paid[d - 1];
    const Cents ytd = sums.district_ytd[d - 1].value_or(paid);
    findings->Want(sums.district_ytd[d - 1].has_value(),
                   "district: warehouse {}: district {}: the row is missing", w,
                   d);
    findings->Want(ytd == paid,
                   "condition 9: warehouse {}: district {}: D_YTD is {}, the "
                   "sum of H_AMOUNT is {}",
                   w, d, Money(ytd), Money(paid));
    d_ytd += sums.district_ytd[d - 1].value_or(0);
    h_amount += paid;
  }
  findings->Want(sums.ytd.has_value(),
                 "warehouse: warehouse {}: the row is missing", w);
  if (sums.ytd) {
    const std::string w_ytd = Money(*sums.ytd);
    findings->Want(
        *sums.ytd == d_ytd,
        "condition 1: warehouse {}: W_YTD is {}, the sum of D_YTD is {}", w,
        w_ytd, Money(d_ytd));
    findings->Want(
        *sums.ytd == h_amount,
        "condition 8: warehouse {}: W_YTD is {}, the sum of H_AMOUNT is {}", w,
        w_ytd, Money(h_amount));
  }
  findings->Want(sums.stock_rows == kItems,
                 "stock: warehouse {}: {} rows, want {}", w, sums.stock_rows,
                 kItems);
  for (const auto& [column, more] :
       {std::pair("S_YTD", sums.s_ytd.load()),
        std::pair("S_ORDER_CNT", sums.s_order_cnt.load()),
        std::pair("S_REMOTE_CNT", sums.s_remote_cnt.load())}) {
    findings->Want(more == 0,
                   "stock: warehouse {}: the sum of {} less that of the order "
                   "lines is {}, want 0",
                   w, column, more);
  }
}

// What no district can look for.
Status VerifyExpected(const Store& store, const CheckExpectations& expect,
                      const SharedFacts& shared) {
  Findings& findings = shared.findings;
  if (expect.next_orders) {
    uint64_t sum = 0;
    TRY(SumNextOrders(store, &sum));
    findings.Want(sum == *expect.next_orders,
                  "committed: the sum of D_NEXT_O_ID is {}, the committed "
                  "New-Orders make it {}",
                  sum, *expect.next_orders);
  }
  if (!expect.acknowledged) return Status::Ok();
  findings.Acknowledged(expect.acknowledged->size());
  findings.Count("acknowledged orders", expect.acknowledged->size());
  for (const auto& [place, orders] : shared.acknowledged) {
    const auto [w, d] = place;
    if (w >= 1 && w <= shared.warehouses.size() && d >= 1 && d <= kDistricts) {
      continue;
    }
    for (const NumberedOrder& each : orders) {
      ReportLost(each, "there is no such district", &findings);
    }
  }
  return Status::Ok();
}

}  // namespace

Status ReadAckLog(const std::string& path,
                  std::vector<AcknowledgedOrder>* orders) {
  constexpr AckFormat kFormat = {
      "the four numbers of warehouse, district, order and customer", 4};
  orders->clear();
  return ReadAckLines(path, kFormat, [orders](const AckLine& line) {
    const std::vector<uint64_t>& numbers = line.numbers;
    orders->push_back(
        {static_cast<uint32_t>(numbers[0]), static_cast<uint8_t>(numbers[1]),
         static_cast<uint32_t>(numbers[2]), static_cast<uint32_t>(numbers[3])});
    return numbers[1] <= UINT8_MAX &&
           std::max({numbers[0], numbers[2], numbers[3]}) <= UINT32_MAX;
  });
}

Status SumNextOrders(const Store& store, uint64_t* sum) {
  *sum = 0;
  return store.Scan(Table::kDistrict, {},
                    [sum](std::string_view /*key*/, std::string_view value) {
                      District row;
                      if (DecodeRow(value, &row)) *sum += row.next_o_id;
                    });
}

Status CheckConsistency(const Store& store, uint32_t warehouses, int threads,
                        const CheckExpectations& expect, CheckResult* result) {
  Findings findings;
  const table::RowReader<Table> reader(
      Tables(),
      [&store](Table table, const table::KeyRange& range,
               const table::Visit& visit) {
        return store.Scan(table, range.first, visit);
      },
      &findings);
  SharedFacts shared = {reader,   store.has_low_water_marks(),
                        findings, std::vector<std::optional<Cents>>(kItems),
                        {},       std::vector<WarehouseSums>(warehouses)};
  for (uint64_t number = 0;
       const AcknowledgedOrder& order :
       expect.acknowledged.value_or(std::vector<AcknowledgedOrder>())) {
    shared.acknowledged[{order.w_id, order.d_id}].push_back({order, number++});
  }
  // All items must be there, and none ever changes.
  reader.Read<Item>({}, [&](std::string_view key, const Item& row) {
    shared.prices[NumberOfItem(key) - 1] = row.price;
  });
  if (findings.failed()) return findings.Take(result);
  for (uint32_t i = 1; i <= kItems; ++i) {
    findings.Want(shared.prices[i - 1].has_value(),
                  "item: item {}: the row is missing", i);
  }
  // Readers tell the findings of a failure, which ends the others' work.
  (void)RunSteps(threads, warehouses, [&](uint64_t i, int /*thread*/) {
    if (!findings.failed()) {
      CheckWarehouse(shared, static_cast<uint32_t>(i + 1));
    }
    return Status::Ok();
  });
  if (!findings.failed()) {
    findings.Fail(VerifyExpected(store, expect, shared));
    for (uint32_t w = 1; w <= warehouses; ++w) {
      VerifySums(w, shared.warehouses[w - 1], &findings);
    }
  }
  return findings.Take(result);
}

}  // namespace waltax::tpcc
