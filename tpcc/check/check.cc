#include "tpcc/check/check.h"

#include <fmt/format.h>

#include "driver/findings.h"
#include "driver/steps.h"
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
  // Readers tell the findings of a failure, which ends the others' work.
  (void)RunSteps(threads, warehouses, [&](uint64_t i) {
    if (!findings.failed()) {
      WarehouseCheck(context, static_cast<uint32_t>(i + 1)).Run();
    }
    return Status::Ok();
  });
  if (!findings.failed()) {
    expected.VerifyPlaces(warehouses, &findings);
    ytd.Verify(&findings);
    stock.Verify(&findings);
  }
  return findings.Take(result);
}

}  // namespace waltax::tpcc
