#include "tpcc/check/check.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "driver/findings.h"
#include "driver/steps.h"
#include "driver/table/reader.h"
#include "tpcc/check/district.h"
#include "tpcc/check/shared.h"
#include "tpcc/keys.h"
#include "tpcc/schema.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {

namespace {

// Used once, by one thread.
class WarehouseCheck {
 public:
  WarehouseCheck(const SharedChecks& shared, uint32_t w)
      : shared_(shared), w_(w) {
    for (uint8_t d = 1; d <= kDistricts; ++d) {
      districts_.emplace_back(w, d, shared);
    }
  }
  // Leaves to `shared` what other warehouses have a share in.
  void Run() {
    const auto prefix = KeyOfWarehouse(w_);
    shared_.reader.Read<Warehouse>(
        Table::kWarehouse, prefix.view(),
        [this](std::string_view /*key*/, const Warehouse& row) {
          shared_.ytd->SetWarehouse(w_, row.ytd);
        });
    ReadDistricts<District>(Table::kDistrict);
    ReadDistricts<Customer>(Table::kCustomer);
    ReadDistricts<CustomerNameRow>(Table::kCustomerByName);
    ReadDistricts<History>(Table::kHistory);
    ReadDistricts<Order>(Table::kOrder);
    ReadDistricts<OrderIndexRow>(Table::kOrderByCustomer);
    ReadDistricts<NewOrderRow>(Table::kNewOrder);
    ReadDistricts<OrderLine>(Table::kOrderLine);
    shared_.reader.Read<Stock>(
        Table::kStock, prefix.view(),
        [this](std::string_view key, const Stock& row) {
          shared_.stock->AddStock(w_, row);
          shared_.findings->Want(
              row.quantity >= kLeastStock && row.quantity <= kMostStock,
              "stock: warehouse {}: item {}: S_QUANTITY is {}, want {} to {}",
              w_, ItemOf(key), row.quantity, kLeastStock, kMostStock);
        });
    // What could not be read must not be called missing.
    if (shared_.findings->failed()) return;
    for (DistrictCheck& district : districts_) district.Verify();
  }

 private:
  template <typename Row>
  void ReadDistricts(Table table) {
    shared_.reader.Read<Row>(table, KeyOfWarehouse(w_).view(),
                             [this](std::string_view key, const Row& row) {
                               districts_[DistrictOf(key) - 1U].Take(key, row);
                             });
  }

  const SharedChecks& shared_;
  uint32_t w_;
  std::vector<DistrictCheck> districts_;
};

}  // namespace

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
  const ExpectedOrders expected(expect);
  YtdCheck ytd(warehouses);
  StockCheck stock(warehouses);
  SharedChecks shared = {
      reader, store.has_low_water_marks(), expected, {}, &findings, &ytd,
      &stock};
  // All items must be there, and none ever changes.
  shared.prices.resize(kItems);
  reader.Read<Item>(Table::kItem, {},
                    [&](std::string_view key, const Item& row) {
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
      WarehouseCheck(shared, static_cast<uint32_t>(i + 1)).Run();
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
