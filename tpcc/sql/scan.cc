#include "tpcc/sql/scan.h"

#include <fmt/format.h>
#include <mysqld_error.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mariadb/statement.h"
#include "tpcc/keys.h"
#include "tpcc/row_codec.h"
#include "tpcc/sql/schema.h"
#include "tpcc/sql/text.h"

namespace waltax::tpcc {

namespace {

// A column that keys begin with, and its bytes there.
struct KeyColumn {
  std::string_view name;
  size_t bytes;
};

struct ScanPlan {
  Table table;
  std::string_view columns;
  std::string_view index;
  std::array<KeyColumn, 4> key;  // those without bytes are none
  std::string_view order;
};

// In the order of the enum.
constexpr std::array<ScanPlan, kTables> kPlans = {{
    {Table::kWarehouse,
     "w_id, w_tax, w_ytd, w_name, w_street_1, w_street_2, w_city, w_state, "
     "w_zip",
     "PRIMARY",
     {{{"w_id", 4}}},
     "w_id"},
    {Table::kDistrict,
     "d_w_id, d_id, d_next_o_id, d_tax, d_ytd, d_name, d_street_1, "
     "d_street_2, d_city, d_state, d_zip",
     "PRIMARY",
     {{{"d_w_id", 4}, {"d_id", 1}}},
     "d_w_id, d_id"},
    {Table::kCustomer,
     "c_w_id, c_d_id, c_id, c_balance, c_ytd_payment, c_payment_cnt, "
     "c_delivery_cnt, c_credit_lim, c_discount, c_since, c_first, c_middle, "
     "c_last, c_phone, c_credit, c_street_1, c_street_2, c_city, c_state, "
     "c_zip, c_data",
     "PRIMARY",
     {{{"c_w_id", 4}, {"c_d_id", 1}, {"c_id", 4}}},
     "c_w_id, c_d_id, c_id"},
    {Table::kCustomerByName,
     "c_w_id, c_d_id, c_last, c_first, c_id",
     "customer_name",
     {{{"c_w_id", 4}, {"c_d_id", 1}}},
     "c_w_id, c_d_id, c_last, c_first, c_id"},
    {Table::kHistory,
     "h_c_w_id, h_c_d_id, h_c_id, h_payment, h_w_id, h_d_id, h_date, "
     "h_amount, h_data",
     "PRIMARY",
     {{{"h_c_w_id", 4}, {"h_c_d_id", 1}, {"h_c_id", 4}, {"h_payment", 4}}},
     "h_c_w_id, h_c_d_id, h_c_id, h_payment"},
    {Table::kOrder,
     "o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, "
     "o_all_local",
     "PRIMARY",
     {{{"o_w_id", 4}, {"o_d_id", 1}, {"o_id", 4}}},
     "o_w_id, o_d_id, o_id"},
    {Table::kOrderByCustomer,
     "o_w_id, o_d_id, o_c_id, o_id",
     "orders_customer",
     {{{"o_w_id", 4}, {"o_d_id", 1}, {"o_c_id", 4}}},
     "o_w_id, o_d_id, o_c_id, o_id"},
    {Table::kNewOrder,
     "no_w_id, no_d_id, no_o_id",
     "PRIMARY",
     {{{"no_w_id", 4}, {"no_d_id", 1}, {"no_o_id", 4}}},
     "no_w_id, no_d_id, no_o_id"},
    {Table::kOrderLine,
     "ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, "
     "ol_delivery_d, ol_quantity, ol_amount, ol_dist_info",
     "PRIMARY",
     {{{"ol_w_id", 4}, {"ol_d_id", 1}, {"ol_o_id", 4}, {"ol_number", 1}}},
     "ol_w_id, ol_d_id, ol_o_id, ol_number"},
    {Table::kItem,
     "i_id, i_im_id, i_price, i_name, i_data",
     "PRIMARY",
     {{{"i_id", 4}}},
     "i_id"},
    {Table::kStock,
     "s_w_id, s_i_id, s_quantity, s_order_cnt, s_remote_cnt, s_ytd, "
     "s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, "
     "s_dist_07, s_dist_08, s_dist_09, s_dist_10, s_data",
     "PRIMARY",
     {{{"s_w_id", 4}, {"s_i_id", 4}}},
     "s_w_id, s_i_id"},
}};

uint32_t NumberOfBytes(std::string_view bytes) {
  uint32_t number = 0;
  for (const char byte : bytes) {
    number = number << 8 | static_cast<uint8_t>(byte);
  }
  return number;
}

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

// Whether the server knows no such table, column or index.
bool IsOtherSchema(const mariadb::SqlStatus& status) {
  return status.code == ER_NO_SUCH_TABLE || status.code == ER_BAD_FIELD_ERROR ||
         status.code == ER_KEY_DOES_NOT_EXISTS;
}

}  // namespace

std::string ScanStatement(Table table, std::string_view prefix) {
  const ScanPlan& plan = kPlans[static_cast<size_t>(table)];
  std::string where;
  for (const KeyColumn& column : plan.key) {
    // What is left of the prefix is compared with each key.
    if (column.bytes == 0 || prefix.size() < column.bytes) break;
    where +=
        fmt::format("{}{} = {}", where.empty() ? " WHERE " : " AND ",
                    column.name, NumberOfBytes(prefix.substr(0, column.bytes)));
    prefix.remove_prefix(column.bytes);
  }
  return fmt::format("SELECT {} FROM {} FORCE INDEX ({}){} ORDER BY {}",
                     plan.columns, SqlTableName(table), plan.index, where,
                     plan.order);
}

Status ScanTable(mariadb::Connection& connection, Table table,
                 std::string_view prefix, RowVisitor* visitor) {
  std::unique_ptr<mariadb::Statement> rows;
  mariadb::SqlStatus status = mariadb::Statement::TryPrepare(
      &connection, ScanStatement(table, prefix), &rows);
  if (IsOtherSchema(status)) {
    return Status::Usage(fmt::format(
        "--database: its tables are not those that `load` makes: {}. Load "
        "another database, or add to this one what is missing of\n  {}",
        status.message, NeededTables()));
  }
  if (!status.ok()) {
    return Explained(status,
                     fmt::format("prepare to read {}", SqlTableName(table)));
  }
  Shower shower(table, prefix, visitor);
  status = rows->Run();
  while (status.ok() && rows->Next(&status)) shower.ShowRow(*rows);
  if (!status.ok()) {
    return Explained(status, fmt::format("read table {}", SqlTableName(table)));
  }
  shower.Finish();
  return Status::Ok();
}

}  // namespace waltax::tpcc
