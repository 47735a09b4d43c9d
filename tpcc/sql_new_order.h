// New-Order (clause 2.4) on a server: nine round trips, and one more for
// each warehouse beyond the first that supplies a line.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "mariadb/transaction.h"
#include "tpcc/sql_rows.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

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

}  // namespace waltax::tpcc
