#include "tpcc/check/check.h"

#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "driver/findings.h"
#include "tpcc/check/warehouse.h"
#include "tpcc/keys.h"

namespace waltax::tpcc {

namespace {

// All items must be there, and none ever changes.
ItemPrices ReadPrices(const RowReader& reader, Findings* findings) {
  ItemPrices prices(kItems);
  reader.Read<Item>(Table::kItem, {},
                    [&](const rocksdb::Slice& key, const Item& row) {
                      prices[NumberOfItem(key) - 1] = row.price;
                    });
  if (findings->failed()) return prices;
  for (uint32_t i = 1; i <= kItems; ++i) {
    if (prices[i - 1]) continue;
    findings->Violation(fmt::format("item: item {}: the row is missing", i));
  }
  return prices;
}

void CheckWarehouses(const CheckContext& context, uint32_t warehouses,
                     std::atomic<uint32_t>* next) {
  for (uint32_t w = ++*next; w <= warehouses; w = ++*next) {
    if (context.findings->failed()) return;
    WarehouseCheck(context, w).Run();
  }
}

}  // namespace

Status CheckConsistency(const Store& store, uint32_t warehouses, int threads,
                        const CheckExpectations& expect, CheckResult* result) {
  Findings findings;
  const RowReader reader(store, &findings);
  const ExpectedOrders expected(expect);
  YtdCheck ytd(warehouses);
  StockTotals stock;
  const ItemPrices prices = ReadPrices(reader, &findings);
  const CheckContext context = {reader,    expected, prices,
                                &findings, &ytd,     &stock};
  std::atomic<uint32_t> next = 0;
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back(CheckWarehouses, std::cref(context), warehouses,
                         &next);
  }
  for (std::thread& worker : workers) worker.join();
  if (!findings.failed()) {
    expected.VerifyPlaces(warehouses, &findings);
    ytd.Verify(&findings);
    stock.Verify(&findings);
  }
  return findings.Take(result);
}

}  // namespace waltax::tpcc
