#include "tpcc/sql_sink.h"

#include "tpcc/keys.h"
#include "tpcc/money.h"
#include "tpcc/row_codec.h"
#include "tpcc/sql_schema.h"
#include "tpcc/sql_text.h"

namespace waltax::tpcc {

namespace {

// The row that Delivery in RocksDB seeks from; no table has it.
bool IsLowWaterMark(Table table, const rocksdb::Slice& key) {
  return table == Table::kNewOrder && NumberOf(key) == 0;
}

}  // namespace

void SqlSink::Put(Table table, const rocksdb::Slice& key,
                  const rocksdb::Slice& value) {
  if (IsLowWaterMark(table, key)) return;
  ++rows_[static_cast<size_t>(table)];
  const size_t place = BulkTableOf(table);
  if (place == kNoBulkTable) return;
  // MyRocks sorts a secondary key among the rows that came before those of
  // another table. Customers are too many for one round trip, and their names
  // are sorted by district: all of a warehouse must be in before the next
  // table.
  if (last_ == Table::kCustomer && table != last_) (void)loader_.Finish();
  last_ = table;
  loader_.BeginRow(place);
  WriteKey(table, key);
  WriteRow(table, value);
  loader_.EndRow();
}

void SqlSink::WriteKey(Table table, const rocksdb::Slice& key) {
  Add(GetBigEndian<uint32_t>(key.data()));  // a warehouse, or an item
  switch (table) {
    case Table::kWarehouse:
    case Table::kItem:
      return;
    case Table::kStock:
      return Add(ItemOf(key));
    case Table::kDistrict:
      return Add(DistrictOf(key));
    default:
      Add(DistrictOf(key));
      Add(NumberOf(key));
  }
  if (table == Table::kHistory) Add(PaymentOf(key));
  if (table == Table::kOrderLine) Add(LineOf(key));
}

void SqlSink::WriteRow(Table table, const rocksdb::Slice& value) {
  switch (table) {
    case Table::kWarehouse:
      return Decode<Warehouse>(value);
    case Table::kDistrict:
      return Decode<District>(value);
    case Table::kCustomer:
      return Decode<Customer>(value);
    case Table::kHistory:
      return Decode<History>(value);
    case Table::kOrder:
      return Decode<Order>(value);
    case Table::kOrderLine:
      return Decode<OrderLine>(value);
    case Table::kItem:
      return Decode<Item>(value);
    case Table::kStock:
      return Decode<Stock>(value);
    default:
      return;  // a row that is all key
  }
}

template <typename Row>
void SqlSink::Decode(const rocksdb::Slice& value) {
  Row row;
  if (DecodeRow(value.ToStringView(), &row)) Write(row);
}

void SqlSink::AddMoney(Cents cents) { loader_.Text(Money(cents)); }

void SqlSink::AddRate(TenThousandths rate) { loader_.Text(RateText(rate)); }

void SqlSink::AddTime(Timestamp time) {
  if (time == 0) return loader_.Null();
  if (time != known_time_) {
    known_time_ = time;
    known_time_text_ = TimeText(time);
  }
  loader_.Text(known_time_text_);
}

void SqlSink::AddAddress(const Address& address) {
  for (const std::string_view part :
       {address.street_1, address.street_2, address.city, address.state,
        address.zip}) {
    loader_.Text(part);
  }
}

void SqlSink::Write(const Warehouse& row) {
  AddRate(row.tax);
  AddMoney(row.ytd);
  loader_.Text(row.name);
  AddAddress(row.address);
}

void SqlSink::Write(const District& row) {
  Add(row.next_o_id);
  AddRate(row.tax);
  AddMoney(row.ytd);
  loader_.Text(row.name);
  AddAddress(row.address);
}

void SqlSink::Write(const Customer& row) {
  AddMoney(row.balance);
  AddMoney(row.ytd_payment);
  Add(row.payment_cnt);
  Add(row.delivery_cnt);
  AddMoney(row.credit_lim);
  AddRate(row.discount);
  AddTime(row.since);
  loader_.Text(row.first);
  loader_.Text(row.middle);
  loader_.Text(row.last);
  loader_.Text(row.phone);
  loader_.Text(row.credit);
  AddAddress(row.address);
  loader_.Text(row.data);
}

void SqlSink::Write(const History& row) {
  Add(row.w_id);
  Add(row.d_id);
  AddTime(row.date);
  AddMoney(row.amount);
  loader_.Text(row.data);
}

void SqlSink::Write(const Order& row) {
  Add(row.c_id);
  AddTime(row.entry_d);
  if (row.carrier_id == 0) {
    loader_.Null();
  } else {
    Add(row.carrier_id);
  }
  Add(row.ol_cnt);
  Add(row.all_local);
}

void SqlSink::Write(const OrderLine& row) {
  Add(row.i_id);
  Add(row.supply_w_id);
  AddTime(row.delivery_d);
  Add(row.quantity);
  AddMoney(row.amount);
  loader_.Text(row.dist_info);
}

void SqlSink::Write(const Item& row) {
  Add(row.im_id);
  AddMoney(row.price);
  loader_.Text(row.name);
  loader_.Text(row.data);
}

void SqlSink::Write(const Stock& row) {
  loader_.Number(int64_t{row.quantity});
  Add(row.order_cnt);
  Add(row.remote_cnt);
  Add(row.ytd);
  for (uint32_t d = 1; d <= kDistricts; ++d) loader_.Text(row.dist(d));
  loader_.Text(row.data);
}

}  // namespace waltax::tpcc
