#include "tpcc/check/warehouse.h"

#include <fmt/format.h>

#include "tpcc/keys.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

WarehouseCheck::WarehouseCheck(const CheckContext& context, uint32_t w)
    : context_(context),
      reader_(context.reader),
      w_(w),
      stock_(w, context.findings) {
  for (uint8_t d = 1; d <= kDistricts; ++d) {
    districts_.emplace_back(w, d, context.findings);
  }
}

WarehouseCheck::District& WarehouseCheck::DistrictOfKey(
    const rocksdb::Slice& key) {
  return districts_[DistrictOf(key) - 1U];
}

void WarehouseCheck::Run() {
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
  context_.stock->Add(stock_.Finish());
}

void WarehouseCheck::ReadYtd() {
  const WarehouseKey prefix = KeyOfWarehouse(w_);
  reader_.Read<Warehouse>(Table::kWarehouse, prefix.slice(),
                          [this](const rocksdb::Slice&, const Warehouse& row) {
                            context_.ytd->SetWarehouse(w_, row.ytd);
                          });
  reader_.Read<tpcc::District>(
      Table::kDistrict, prefix.slice(),
      [this](const rocksdb::Slice& key, const tpcc::District& row) {
        context_.ytd->SetDistrict(w_, DistrictOf(key), row.ytd);
        DistrictOfKey(key).next_o_id = row.next_o_id;
      });
}

void WarehouseCheck::ReadCustomers() {
  const WarehouseKey prefix = KeyOfWarehouse(w_);
  reader_.Read<Customer>(
      Table::kCustomer, prefix.slice(),
      [this](const rocksdb::Slice& key, const Customer& row) {
        DistrictOfKey(key).customers.AddCustomer(NumberOf(key), row);
      });
  reader_.Read<EmptyRow>(Table::kCustomerByName, prefix.slice(),
                         [this](const rocksdb::Slice& key, const EmptyRow&) {
                           DistrictOfKey(key).customers.AddName(
                               CustomerOfName(key), key.ToStringView());
                         });
}

void WarehouseCheck::ReadHistory() {
  reader_.Read<History>(
      Table::kHistory, KeyOfWarehouse(w_).slice(),
      [this](const rocksdb::Slice& key, const History& row) {
        DistrictOfKey(key).customers.AddPayment(NumberOf(key), row);
        if (context_.ytd->AddPayment(row)) return;
        context_.findings->Violation(fmt::format(
            "history: {}: it was paid in warehouse {}, district {}, which "
            "cannot be",
            Place(Table::kHistory, key), row.w_id, row.d_id));
      });
}

void WarehouseCheck::ReadOrders() {
  const WarehouseKey prefix = KeyOfWarehouse(w_);
  reader_.Read<Order>(Table::kOrder, prefix.slice(),
                      [this](const rocksdb::Slice& key, const Order& row) {
                        District& district = DistrictOfKey(key);
                        const uint32_t o = NumberOf(key);
                        district.orders.AddOrder(o, row);
                        district.customers.AddOrder(o, row);
                      });
  reader_.Read<EmptyRow>(Table::kOrderByCustomer, prefix.slice(),
                         [this](const rocksdb::Slice& key, const EmptyRow&) {
                           DistrictOfKey(key).orders.AddIndexRow(
                               NumberOf(key), NewestOrderOf(key));
                         });
}

void WarehouseCheck::ReadNewOrders() {
  reader_.ReadValues(
      Table::kNewOrder, KeyOfWarehouse(w_).slice(),
      [this](const rocksdb::Slice& key, std::string_view value) {
        OrdersCheck& orders = DistrictOfKey(key).orders;
        const uint32_t o = NumberOf(key);
        if (o == 0 && reader_.has_low_water_marks()) {
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

void WarehouseCheck::ReadLines() {
  reader_.Read<OrderLine>(
      Table::kOrderLine, KeyOfWarehouse(w_).slice(),
      [this](const rocksdb::Slice& key, const OrderLine& row) {
        District& district = DistrictOfKey(key);
        const uint32_t o = NumberOf(key);
        const uint32_t c = district.orders.AddLine(o, LineOf(key), row);
        district.customers.AddLine(c, row);
        if (o > kOrdersPerDistrict) CheckNewLine(key, row);
      });
}

// Clause 2.4.2.2. Items have the price that they had when they were ordered:
// no transaction changes one. The load draws its amounts (clause 4.3.3.1).
void WarehouseCheck::CheckNewLine(const rocksdb::Slice& key,
                                  const OrderLine& row) {
  stock_.AddLine(row);
  if (row.i_id < 1 || row.i_id > kItems) return;  // said by the stock's check
  const std::optional<Cents>& price = context_.prices[row.i_id - 1];
  if (!price || row.amount == row.quantity * *price) return;
  context_.findings->Violation(
      fmt::format("order line: {}: OL_AMOUNT is {}, want {} times {}",
                  Place(Table::kOrderLine, key), Money(row.amount),
                  row.quantity, Money(*price)));
}

void WarehouseCheck::ReadStock() {
  reader_.Read<Stock>(Table::kStock, KeyOfWarehouse(w_).slice(),
                      [this](const rocksdb::Slice& key, const Stock& row) {
                        stock_.AddStock(ItemOf(key), row);
                      });
}

void WarehouseCheck::VerifyDistrict(uint8_t d) {
  constexpr uint64_t kDeliveredAtLoad = kFirstUndelivered - 1;
  District& district = districts_[d - 1U];
  district.customers.Verify();
  if (district.next_o_id) {
    district.orders.Verify(*district.next_o_id);
    if (reader_.has_low_water_marks()) {
      district.orders.VerifyOldest(*district.next_o_id);
    }
    context_.expected.VerifyDistrict(w_, d, *district.next_o_id,
                                     &district.orders, context_.findings);
  }
  const uint64_t undelivered = district.orders.new_orders();
  const uint64_t want =
      undelivered + kDeliveredAtLoad + district.customers.deliveries();
  if (district.orders.orders() == want) return;
  context_.findings->Violation(fmt::format(
      "condition 11: warehouse {}: district {}: {} orders less {} NEW-ORDER "
      "rows, want {} and the {} of C_DELIVERY_CNT",
      w_, d, district.orders.orders(), undelivered, kDeliveredAtLoad,
      district.customers.deliveries()));
}

}  // namespace waltax::tpcc
