#include "tpcc/check.h"

#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "driver/findings.h"
#include "tpcc/check_warehouse.h"
#include "tpcc/keys.h"

namespace waltax::tpcc {

namespace {

// Items are read by New-Order only; all must be there.
void CheckItems(const RowReader& reader, Findings* findings) {
  std::vector<bool> exists(kItems);
  reader.Read<Item>(Table::kItem, {},
                    [&](const rocksdb::Slice& key, const Item&) {
                      exists[NumberOfItem(key) - 1] = true;
                    });
  if (findings->failed()) return;
  for (uint32_t i = 1; i <= kItems; ++i) {
    if (exists[i - 1]) continue;
    findings->Violation(fmt::format("item: item {}: the row is missing", i));
  }
}

// Part 0 is the items, part w is warehouse w.
void CheckParts(const CheckContext& context, uint32_t parts,
                std::atomic<uint32_t>* next) {
  for (uint32_t part = (*next)++; part < parts; part = (*next)++) {
    if (context.findings->failed()) return;
    if (part == 0) {
      CheckItems(context.reader, context.findings);
    } else {
      WarehouseCheck(context, part).Run();
    }
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
  const CheckContext context = {reader, expected, &findings, &ytd, &stock};
  std::atomic<uint32_t> next = 0;
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back(CheckParts, std::cref(context), warehouses + 1, &next);
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
