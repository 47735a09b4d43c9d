#include "tpcc/check/check.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
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

using RowReader = table::RowReader<Table>;

// The value of an index row and of a NEW-ORDER row.
struct EmptyRow {
  static constexpr auto Columns() { return std::tuple(); }
};

// The value of the row that holds a district's low-water mark.
struct OldestNewOrder {
  uint32_t o_id = 0;

  static constexpr auto Columns() {
    return std::tuple(Column{"o_id", kInt, &OldestNewOrder::o_id});
  }
};

// By i - 1; empty where there is no such item.
using ItemPrices = std::vector<std::optional<Cents>>;

// What the checks of all warehouses share.
struct CheckContext {
  const RowReader& reader;
  bool low_water_marks;
  const ExpectedOrders& expected;
  const ItemPrices& prices;
  Findings* findings;
  YtdCheck* ytd;
  StockCheck* stock;
};

// Used once, by one thread.
class WarehouseCheck {
 public:
  WarehouseCheck(const CheckContext& context, uint32_t w)
      : context_(context), reader_(context.reader), w_(w) {
    for (uint8_t d = 1; d <= kDistricts; ++d) {
      districts_.emplace_back(w, d, context.findings);
    }
  }
  // Leaves to `ytd` and `stock` what other warehouses have a share in.
  void Run() {
    ReadYtd();
    ReadCustomers();
    ReadHistory();
    ReadOrders();
    ReadNewOrders();
    ReadLines();
    ReadStock();
    // What could not be read must not be called missing.
    if (context_.findings->failed()) return;
    for (uint8_t d = 1; d <= kDistricts; ++d) VerifyDistrict(d);
  }

 private:
  struct District {
    District(uint32_t w, uint8_t d, Findings* findings)
        : orders(w, d, findings), customers(w, d, findings) {}
    std::optional<uint32_t> next_o_id;
    OrdersCheck orders;
    CustomersCheck customers;
  };

  District& DistrictOfKey(std::string_view key) {
    return districts_[DistrictOf(key) - 1U];
  }
  void ReadYtd() {
    const WarehouseKey prefix = KeyOfWarehouse(w_);
    reader_.Read<Warehouse>(
        Table::kWarehouse, prefix.view(),
        [this](std::string_view /*key*/, const Warehouse& row) {
          context_.ytd->SetWarehouse(w_, row.ytd);
        });
    reader_.Read<tpcc::District>(
        Table::kDistrict, prefix.view(),
        [this](std::string_view key, const tpcc::District& row) {
          context_.ytd->SetDistrict(w_, DistrictOf(key), row.ytd);
          DistrictOfKey(key).next_o_id = row.next_o_id;
        });
  }
  void ReadCustomers() {
    const WarehouseKey prefix = KeyOfWarehouse(w_);
    reader_.Read<Customer>(Table::kCustomer, prefix.view(),
                           [this](std::string_view key, const Customer& row) {
                             DistrictOfKey(key).customers.AddCustomer(
                                 NumberOf(key), row);
                           });
    reader_.Read<EmptyRow>(Table::kCustomerByName, prefix.view(),
                           [this](std::string_view key, const EmptyRow&) {
                             DistrictOfKey(key).customers.AddName(
                                 CustomerOfName(key), key);
                           });
  }
  void ReadHistory() {
    reader_.Read<History>(
        Table::kHistory, KeyOfWarehouse(w_).view(),
        [this](std::string_view key, const History& row) {
          DistrictOfKey(key).customers.AddPayment(NumberOf(key), row);
          if (context_.ytd->AddPayment(row)) return;
          context_.findings->Violation(fmt::format(
              "history: {}: it was paid in warehouse {}, district {}, which "
              "cannot be",
              PlaceOf(TableOf(Table::kHistory), key), row.w_id, row.d_id));
        });
  }
  void ReadOrders() {
    const WarehouseKey prefix = KeyOfWarehouse(w_);
    reader_.Read<Order>(Table::kOrder, prefix.view(),
                        [this](std::string_view key, const Order& row) {
                          District& district = DistrictOfKey(key);
                          const uint32_t o = NumberOf(key);
                          district.orders.AddOrder(o, row);
                          district.customers.AddOrder(o, row);
                        });
    reader_.Read<EmptyRow>(Table::kOrderByCustomer, prefix.view(),
                           [this](std::string_view key, const EmptyRow&) {
                             DistrictOfKey(key).orders.AddIndexRow(
                                 NumberOf(key), NewestOrderOf(key));
                           });
  }
  void ReadNewOrders() {
    reader_.ReadValues(
        Table::kNewOrder, KeyOfWarehouse(w_).view(),
        [this](std::string_view key, std::string_view value) {
          OrdersCheck& orders = DistrictOfKey(key).orders;
          const uint32_t o = NumberOf(key);
          if (o == 0 && context_.low_water_marks) {
            OldestNewOrder row;
            if (!reader_.Decode(Table::kNewOrder, key, value, &row)) return;
            orders.SetOldest(row.o_id);
          } else {
            EmptyRow row;
            if (!reader_.Decode(Table::kNewOrder, key, value, &row)) return;
            orders.AddNewOrder(o);
          }
        });
  }
  void ReadLines() {
    reader_.Read<OrderLine>(Table::kOrderLine, KeyOfWarehouse(w_).view(),
                            [this](std::string_view key, const OrderLine& row) {
                              District& district = DistrictOfKey(key);
                              const uint32_t o = NumberOf(key);
                              const uint32_t c =
                                  district.orders.AddLine(o, LineOf(key), row);
                              district.customers.AddLine(c, row);
                              if (o > kOrdersPerDistrict)
                                CheckNewLine(key, row);
                            });
  }
  // A line of an order that was added since the load.
  // Clause 2.4.2.2. Items have the price that they had when they were ordered:
  // no transaction changes one. The load draws its amounts (clause 4.3.3.1).
  void CheckNewLine(std::string_view key, const OrderLine& row) {
    if (!context_.stock->AddLine(w_, row)) {
      context_.findings->Violation(fmt::format(
          "order line: {}: there is no stock of item {} in warehouse {}",
          PlaceOf(TableOf(Table::kOrderLine), key), row.i_id, row.supply_w_id));
      return;
    }
    const std::optional<Cents>& price = context_.prices[row.i_id - 1];
    if (!price || row.amount == row.quantity * *price) return;
    context_.findings->Violation(
        fmt::format("order line: {}: OL_AMOUNT is {}, want {} times {}",
                    PlaceOf(TableOf(Table::kOrderLine), key), Money(row.amount),
                    row.quantity, Money(*price)));
  }
  void ReadStock() {
    reader_.Read<Stock>(
        Table::kStock, KeyOfWarehouse(w_).view(),
        [this](std::string_view key, const Stock& row) {
          context_.stock->AddStock(w_, row);
          context_.findings->Want(
              row.quantity >= kLeastStock && row.quantity <= kMostStock,
              "stock: warehouse {}: item {}: S_QUANTITY is {}, want {} to {}",
              w_, ItemOf(key), row.quantity, kLeastStock, kMostStock);
        });
  }
  void VerifyDistrict(uint8_t d) {
    constexpr uint64_t kDeliveredAtLoad = kFirstUndelivered - 1;
    District& district = districts_[d - 1U];
    district.customers.Verify();
    if (district.next_o_id) {
      district.orders.Verify(*district.next_o_id);
      if (context_.low_water_marks) {
        district.orders.VerifyOldest(*district.next_o_id);
      }
      context_.expected.VerifyDistrict(w_, d, *district.next_o_id,
                                       &district.orders, context_.findings);
    }
    const uint64_t undelivered = district.orders.new_orders();
    const uint64_t want =
        undelivered + kDeliveredAtLoad + district.customers.deliveries();
    context_.findings->Want(
        district.orders.orders() == want,
        "condition 11: warehouse {}: district {}: {} orders less {} NEW-ORDER "
        "rows, want {} and the {} of C_DELIVERY_CNT",
        w_, d, district.orders.orders(), undelivered, kDeliveredAtLoad,
        district.customers.deliveries());
  }

  const CheckContext& context_;
  const RowReader& reader_;
  uint32_t w_;
  std::vector<District> districts_;
};

// All items must be there, and none ever changes.
ItemPrices ReadPrices(const RowReader& reader, Findings* findings) {
  ItemPrices prices(kItems);
  reader.Read<Item>(Table::kItem, {},
                    [&](std::string_view key, const Item& row) {
                      prices[NumberOfItem(key) - 1] = row.price;
                    });
  if (findings->failed()) return prices;
  for (uint32_t i = 1; i <= kItems; ++i) {
    findings->Want(prices[i - 1].has_value(),
                   "item: item {}: the row is missing", i);
  }
  return prices;
}

}  // namespace

Status CheckConsistency(const Store& store, uint32_t warehouses, int threads,
                        const CheckExpectations& expect, CheckResult* result) {
  Findings findings;
  const RowReader reader(
      Tables(),
      [&store](Table table, const table::KeyRange& range,
               const table::Visit& visit) {
        return store.Scan(table, range.first, visit);
      },
      &findings);
  const ExpectedOrders expected(expect);
  YtdCheck ytd(warehouses);
  StockCheck stock(warehouses);
  const ItemPrices prices = ReadPrices(reader, &findings);
  const CheckContext context = {
      reader, store.has_low_water_marks(), expected, prices, &findings, &ytd,
      &stock};
  // Readers tell the findings of a failure, which ends the others' work.
  (void)RunSteps(threads, warehouses, [&](uint64_t i, int /*thread*/) {
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
