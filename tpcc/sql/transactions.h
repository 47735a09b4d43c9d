// The five transactions on a server, each with its prepared statements. Used by
// one thread.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/status.h"
#include "mariadb/connection.h"
#include "mariadb/statement.h"
#include "mariadb/text_read.h"
#include "mariadb/transaction.h"
#include "mariadb/values.h"
#include "tpcc/schema.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

using SqlStatement = std::unique_ptr<mariadb::Statement>;

using mariadb::ParseTime;
using mariadb::TimeText;
inline Cents ParseMoney(std::string_view text) {
  return mariadb::ParseDecimal(text, 2);
}
inline TenThousandths ParseRate(std::string_view text) {
  return static_cast<TenThousandths>(mariadb::ParseDecimal(text, 4));
}

struct ToPrepare {
  SqlStatement* statement;
  std::string_view sql;
};
Status PrepareAll(mariadb::Connection& connection,
                  std::initializer_list<ToPrepare> statements);

// What is broken about a table whose rows TPC-C never deletes.
mariadb::SqlStatus MissingSqlRow(Table table);

// Two transactions took the same row where only one can: to be tried again.
mariadb::SqlStatus LostRace(std::string_view what);

// Executes a query of a row that must be there, and reads it.
template <typename... Values>
mariadb::SqlStatus ReadRow(Table table, mariadb::Statement& query,
                           const Values&... values) {
  mariadb::SqlStatus status = query.Run(values...);
  if (!status.ok() || query.Next(&status)) return status;
  return status.ok() ? MissingSqlRow(table) : status;
}

// Executes an UPDATE of a row that must be there.
template <typename... Values>
mariadb::SqlStatus UpdateRow(Table table, mariadb::Statement& update,
                             const Values&... values) {
  mariadb::SqlStatus status = update.Run(values...);
  if (!status.ok() || update.matched_rows() == 1) return status;
  return MissingSqlRow(table);
}

// Which customer is meant (clauses 2.5.1.2, 2.5.2.2 and 2.6.2.2).
class SqlCustomerNames {
 public:
  void Prepare(mariadb::Connection& connection);

  // Of the n customers with the wanted last name, ordered by first name, the
  // one at position n/2, rounded up; or simply the wanted number.
  mariadb::SqlStatus Find(const CustomerChoice& choice, uint32_t* c_id);

 private:
  std::optional<mariadb::TextRead> find_by_name_;
  std::vector<uint32_t> namesakes_;
};

// New-Order (clause 2.4) on a server: nine round trips, and one more for
// each warehouse beyond the first that supplies a line.
class SqlNewOrder {
 public:
  explicit SqlNewOrder(mariadb::Transaction* transaction)
      : transaction_(*transaction) {}
  Status Prepare(mariadb::Connection& connection);

  // One attempt in the session's transaction.
  mariadb::SqlStatus Try(const NewOrderInput& input, NewOrderOutput* output);

 private:
  struct ItemRow {
    bool found = false;
    bool original = false;
    Cents price = 0;
    std::string name;
  };
  // A row of stock that the order takes from, by one line or by several.
  struct StockRow {
    uint64_t id = 0;
    bool original = false;
    int32_t quantity = 0;
    uint32_t ytd = 0;  // what the order adds, as the next two
    uint32_t order_cnt = 0;
    uint32_t remote_cnt = 0;
    std::string dist;
  };

  mariadb::SqlStatus TakeNumber(const NewOrderInput& input,
                                NewOrderOutput* output);
  mariadb::SqlStatus ReadUnchanging(const NewOrderInput& input,
                                    NewOrderOutput* output);
  mariadb::SqlStatus ReadItems(const NewOrderInput& input,
                               NewOrderOutput* output);
  void TakeItem(const NewOrderInput& input);
  void CollectStock(const NewOrderInput& input);
  mariadb::SqlStatus LockStock(const NewOrderInput& input);
  mariadb::SqlStatus LockStockOf(uint32_t supplier, size_t begin, size_t end,
                                 uint8_t d_id);
  mariadb::SqlStatus InsertOrder(const NewOrderInput& input,
                                 const NewOrderOutput& output);
  void EnterLines(const NewOrderInput& input, NewOrderOutput* output);
  void EnterLine(const NewOrderInput& input, uint8_t i, NewOrderOutput* output);
  mariadb::SqlStatus WriteStock();
  mariadb::SqlStatus InsertLines(const NewOrderInput& input,
                                 const NewOrderOutput& output);
  StockRow* StockOf(uint64_t id);

  mariadb::Transaction& transaction_;
  SqlStatement take_number_;
  SqlStatement read_unchanging_;
  SqlStatement insert_order_;
  SqlStatement insert_new_order_;
  SqlStatement take_stock_;
  SqlStatement insert_line_;
  // By the number of items; none for 0.
  std::array<SqlStatement, kMaxOrderLines + 1> read_items_;
  std::array<SqlStatement, kMaxOrderLines + 1> lock_stock_;
  std::array<ItemRow, kMaxOrderLines> items_;  // by line
  // Each once, ascending.
  std::array<StockRow, kMaxOrderLines> stock_;
  size_t stocks_ = 0;
};

// Payment (clause 2.5) on a server: six round trips, and one more to find a
// customer by name.
class SqlPayment {
 public:
  explicit SqlPayment(SqlCustomerNames* names) : names_(*names) {}
  Status Prepare(mariadb::Connection& connection);

  // One attempt in the session's transaction.
  mariadb::SqlStatus Try(const PaymentInput& input, PaymentOutput* output);

 private:
  mariadb::SqlStatus Pay(const PaymentInput& input, uint32_t c_id);
  mariadb::SqlStatus ReadPaid(const PaymentInput& input, uint32_t c_id,
                              PaymentOutput* output);
  mariadb::SqlStatus InsertHistory(const PaymentInput& input,
                                   const PaymentOutput& output);

  SqlCustomerNames& names_;
  SqlStatement pay_warehouse_;
  SqlStatement pay_district_;
  SqlStatement pay_customer_;
  SqlStatement read_paid_;
  SqlStatement insert_history_;
  uint32_t payment_cnt_ = 0;
  std::string customer_data_;
  std::string history_data_;
};

// Order-Status (clause 2.6) on a server.
class SqlOrderStatus {
 public:
  explicit SqlOrderStatus(SqlCustomerNames* names) : names_(*names) {}
  Status Prepare(mariadb::Connection& connection);

  mariadb::SqlStatus Read(const OrderStatusInput& input,
                          OrderStatusOutput* output);

 private:
  mariadb::SqlStatus ReadNewest(const CustomerChoice& customer, uint32_t c_id,
                                OrderStatusOutput* output);
  mariadb::SqlStatus ReadLines(const CustomerChoice& customer,
                               OrderStatusOutput* output);

  SqlCustomerNames& names_;
  SqlStatement read_newest_;
  SqlStatement read_lines_;
};

// Delivery (clause 2.7) on a server: one transaction of 17 round trips, ten of
// which find the oldest order of a district each.
class SqlDelivery {
 public:
  Status Prepare(mariadb::Connection& connection);

  // One attempt in the session's transaction.
  mariadb::SqlStatus Try(const DeliveryInput& input, DeliveryOutput* output);

 private:
  using OrderNumbers = std::array<uint32_t, kDistricts>;
  mariadb::SqlStatus LockOldest(uint32_t w_id, OrderNumbers* o_ids);
  mariadb::SqlStatus TakeFromQueue(uint32_t w_id, const OrderNumbers& o_ids);
  mariadb::SqlStatus ReadOrders(uint32_t w_id, const OrderNumbers& o_ids);
  mariadb::SqlStatus StampOrders(const DeliveryInput& input,
                                 const OrderNumbers& o_ids);
  mariadb::SqlStatus SumLines(uint32_t w_id, const OrderNumbers& o_ids);
  mariadb::SqlStatus StampLines(uint32_t w_id, const OrderNumbers& o_ids);
  mariadb::SqlStatus CreditCustomers(uint32_t w_id, const OrderNumbers& o_ids);

  SqlStatement lock_oldest_;
  SqlStatement take_from_queue_;
  SqlStatement read_orders_;
  SqlStatement stamp_orders_;
  SqlStatement sum_lines_;
  SqlStatement stamp_lines_;
  SqlStatement credit_customer_;
  // By district, of the attempt under way.
  std::array<uint32_t, kDistricts> customers_{};
  std::array<std::string, kDistricts> amounts_;  // as decimal text
  size_t orders_ = 0;
};

// Stock-Level (clause 2.8) on a server.
class SqlStockLevel {
 public:
  Status Prepare(mariadb::Connection& connection);

  mariadb::SqlStatus Read(const StockLevelInput& input,
                          StockLevelOutput* output);

 private:
  SqlStatement read_next_order_;
  SqlStatement count_low_;
};

}  // namespace waltax::tpcc
