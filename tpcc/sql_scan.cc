#include "tpcc/sql_scan.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "mariadb/statement.h"
#include "tpcc/keys.h"
#include "tpcc/row_codec.h"
#include "tpcc/sql_schema.h"
#include "tpcc/sql_text.h"

namespace waltax::tpcc {

namespace {

// Takes the columns of a row one after the other.
class Columns {
 public:
  explicit Columns(const mariadb::Statement& row) : row_(row) {}
  template <typename Number = uint32_t>
  Number Take() {
    return static_cast<Number>(row_.Signed(next_++));
  }
  std::string_view Text() { return row_.Text(next_++); }
  Cents TakeMoney() { return ParseMoney(Text()); }
  TenThousandths TakeRate() { return ParseRate(Text()); }
  Timestamp TakeTime() { return ParseTime(Text()); }
  // In the order in which they are written, which braces keep.
  Address TakeAddress() { return {Text(), Text(), Text(), Text(), Text()}; }

 private:
  const mariadb::Statement& row_;
  size_t next_ = 0;
};

Warehouse TakeWarehouse(Columns& in) {
  return {in.TakeRate(), in.TakeMoney(), in.Text(), in.TakeAddress()};
}

District TakeDistrict(Columns& in) {
  return {in.Take(), in.TakeRate(), in.TakeMoney(), in.Text(),
          in.TakeAddress()};
}

Customer TakeCustomer(Columns& in) {
  return {in.TakeMoney(),   in.TakeMoney(), in.Take(),     in.Take(),
          in.TakeMoney(),   in.TakeRate(),  in.TakeTime(), in.Text(),
          in.Text(),        in.Text(),      in.Text(),     in.Text(),
          in.TakeAddress(), in.Text()};
}

History TakeHistory(Columns& in) {
  return {in.Take(), in.Take<uint8_t>(), in.TakeTime(), in.TakeMoney(),
          in.Text()};
}

Order TakeOrder(Columns& in) {
  return {in.Take(), in.TakeTime(), in.Take<uint8_t>(), in.Take<uint8_t>(),
          in.Take<uint8_t>()};
}

OrderLine TakeOrderLine(Columns& in) {
  return {in.Take(),          in.Take(),      in.TakeTime(),
          in.Take<uint8_t>(), in.TakeMoney(), in.Text()};
}

Item TakeItem(Columns& in) {
  return {in.Take(), in.TakeMoney(), in.Text(), in.Text()};
}

// `dists` is where the ten columns become one.
Stock TakeStock(Columns& in, std::string* dists) {
  Stock row = {in.Take<int32_t>(),  in.Take(), in.Take(),
               in.Take<uint64_t>(), {},        {}};
  dists->clear();
  for (uint32_t d = 1; d <= kDistricts; ++d) dists->append(in.Text());
  row.dists = *dists;
  row.data = in.Text();
  return row;
}

// Encodes the rows of a scan and shows those that are wanted.
class Shower {
 public:
  Shower(Table table, std::string_view prefix, RowVisitor* visitor)
      : table_(table), prefix_(prefix), visitor_(*visitor) {}

  void ShowRow(const mariadb::Statement& row) {
    Columns in(row);
    const uint32_t first = in.Take();
    if (table_ == Table::kWarehouse) {
      return Show(KeyOfWarehouse(first), TakeWarehouse(in));
    }
    if (table_ == Table::kItem) return Show(KeyOfItem(first), TakeItem(in));
    if (table_ == Table::kStock) {
      const StockKey key = KeyOfStock(first, in.Take());
      return Show(key, TakeStock(in, &dists_));
    }
    ShowOfDistrict(first, in.Take<uint8_t>(), in);
  }
  // The rows of an index that were held back.
  void Finish() { ShowOrdersOfCustomer(); }

 private:
  void ShowOfDistrict(uint32_t w, uint8_t d, Columns& in) {
    switch (table_) {
      case Table::kDistrict:
        return Show(KeyOfDistrict(w, d), TakeDistrict(in));
      case Table::kCustomerByName:
        return ShowName(w, d, in);
      case Table::kOrderByCustomer: {
        const CustomerKey customer = KeyOfCustomer(w, d, in.Take());
        return HoldOrder(customer, in.Take());
      }
      default:
        return ShowNumbered(w, d, in.Take(), in);
    }
  }
  void ShowNumbered(uint32_t w, uint8_t d, uint32_t number, Columns& in) {
    switch (table_) {
      case Table::kCustomer:
        return Show(KeyOfCustomer(w, d, number), TakeCustomer(in));
      case Table::kOrder:
        return Show(KeyOfOrder(w, d, number), TakeOrder(in));
      case Table::kNewOrder:
        return ShowBytes(KeyOfNewOrder(w, d, number).slice(), {});
      case Table::kHistory: {
        const HistoryKey key = KeyOfHistory(w, d, number, in.Take());
        return Show(key, TakeHistory(in));
      }
      default: {
        const OrderLineKey key =
            KeyOfOrderLine(w, d, number, in.Take<uint8_t>());
        return Show(key, TakeOrderLine(in));
      }
    }
  }
  void ShowName(uint32_t w, uint8_t d, Columns& in) {
    const std::string_view last = in.Text();
    const std::string_view first = in.Text();
    value_.clear();
    AppendCustomerByName(w, d, last, first, in.Take(), &value_);
    ShowBytes(value_, {});
  }
  // The index has a customer's oldest order first, keys the newest.
  void HoldOrder(const CustomerKey& customer, uint32_t o) {
    if (customer.slice() != held_customer_.slice()) ShowOrdersOfCustomer();
    held_customer_ = customer;
    held_orders_.push_back(o);
  }
  void ShowOrdersOfCustomer() {
    const rocksdb::Slice customer = held_customer_.slice();
    for (; !held_orders_.empty(); held_orders_.pop_back()) {
      const OrderByCustomerKey key =
          KeyOfOrderByCustomer(WarehouseOf(customer), DistrictOf(customer),
                               NumberOf(customer), held_orders_.back());
      ShowBytes(key.slice(), {});
    }
  }
  template <typename SomeKey, typename Row>
  void Show(const SomeKey& key, const Row& row) {
    EncodeRow(row, &value_);
    ShowBytes(key.slice(), value_);
  }
  void ShowBytes(const rocksdb::Slice& key, std::string_view value) {
    if (!key.ToStringView().starts_with(prefix_)) return;
    visitor_.Visit(key.ToStringView(), value);
  }

  Table table_;
  std::string_view prefix_;
  RowVisitor& visitor_;
  std::string value_;
  std::string dists_;
  CustomerKey held_customer_{};
  std::vector<uint32_t> held_orders_;
};

}  // namespace

Status ScanTable(mariadb::Connection& connection, Table table,
                 std::string_view prefix, RowVisitor* visitor) {
  std::unique_ptr<mariadb::Statement> rows;
  const Status prepared = mariadb::Statement::Prepare(
      &connection, ScanStatement(table, prefix), &rows);
  if (!prepared.ok()) return prepared;
  Shower shower(table, prefix, visitor);
  mariadb::SqlStatus status = rows->Run();
  while (status.ok() && rows->Next(&status)) shower.ShowRow(*rows);
  if (!status.ok()) {
    return Explained(status, fmt::format("read table {}", SqlTableName(table)));
  }
  shower.Finish();
  return Status::Ok();
}

}  // namespace waltax::tpcc
