// New-Order on a server.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "driver/sql/transaction.h"
#include "tpcc/order_rules.h"
#include "tpcc/schema.h"
#include "tpcc/sql/statements.h"
#include "tpcc/sql/transactions.h"

namespace waltax::tpcc {

// New-Order (clause 2.4) on a server: nine round trips, and one more for
// each warehouse beyond the first that supplies a line.
class SqlNewOrder {
 public:
  SqlNewOrder(mariadb::Connection* connection,
              mariadb::Transaction* transaction)
      : connection_(connection), transaction_(*transaction) {}

  // One attempt in the session's transaction.
  SqlStatus Try(const NewOrderInput& input, NewOrderOutput* output) {
    entry_.Begin(input, output);
    TRY(TakeNumber(input, output));
    TRY(ReadUnchanging(input, output));
    TRY(ReadItems(input));
    entry_.CollectStock();
    TRY(LockStock(input));
    TRY(insert_order_.Run(input.w_id, input.d_id, output->o_id, input.c_id,
                          TimeText(output->entry_d), input.ol_cnt,
                          entry_.all_local()));
    TRY(insert_new_order_.Run(input.w_id, input.d_id, output->o_id));
    for (size_t i = 0; i < input.ol_cnt; ++i) {
      if (!entry_.knows(i)) continue;
      entry_.TakeFromStock(i, &stock_[entry_.StockOf(input.lines[i])]);
    }
    entry_.ShowTotal();
    TRY(WriteStock());
    TRY(InsertLines(input, *output));
    // Clause 2.4.2.3: only after everything was done for the items that exist.
    return output->rolled_back ? transaction_.Rollback() : SqlStatus();
  }

 private:
  // What the order adds to a row, and its new quantity.
  struct StockRow : Stock {
    std::string own_data;
    std::string dist_info;
  };

  // The district's lock orders the New-Orders of a district.
  SqlStatus TakeNumber(const NewOrderInput& input, NewOrderOutput* output) {
    TRY(UpdateRow(Table::kDistrict, take_number_, input.w_id, input.d_id));
    output->o_id = static_cast<uint32_t>(take_number_.insert_id());
    return {};
  }
  SqlStatus ReadUnchanging(const NewOrderInput& input, NewOrderOutput* output) {
    const mariadb::Statement& row = read_unchanging_;
    TRY(ReadRow(Table::kCustomer, read_unchanging_, input.w_id, input.w_id,
                input.d_id, input.w_id, input.d_id, input.c_id));
    output->w_tax = ParseRate(row.Text(0));
    output->d_tax = ParseRate(row.Text(1));
    output->c_discount = ParseRate(row.Text(2));
    output->c_last = row.Text(3);
    output->c_credit = row.Text(4);
    return {};
  }
  // Several lines may be of one item.
  SqlStatus ReadItems(const NewOrderInput& input) {
    mariadb::Statement& row = read_items_[input.ol_cnt];
    row.Begin();
    for (size_t i = 0; i < input.ol_cnt; ++i) {
      row.Bind(uint64_t{input.lines[i].i_id});
    }
    SqlStatus status = row.Execute();
    while (row.Next(&status)) {
      const uint64_t i_id = row.Unsigned(0);
      const Item item{.price = ParseMoney(row.Text(1)),
                      .name = row.Text(2),
                      .data = row.Text(3)};
      for (size_t i = 0; i < input.ol_cnt; ++i) {
        if (input.lines[i].i_id == i_id) entry_.TakeItem(i, item);
      }
    }
    return status;
  }
  SqlStatus LockStock(const NewOrderInput& input) {
    for (size_t begin = 0; begin < entry_.stocks();) {
      const uint32_t supplier = entry_.supplier(begin);
      size_t end = begin + 1;
      while (end < entry_.stocks() && entry_.supplier(end) == supplier) ++end;
      TRY(LockStockOf(supplier, begin, end, input.d_id));
      begin = end;
    }
    return {};
  }
  SqlStatus LockStockOf(uint32_t supplier, size_t begin, size_t end,
                        uint8_t d_id) {
    mariadb::Statement& rows = lock_stock_[end - begin];
    rows.Begin();
    rows.Bind(uint64_t{d_id});
    rows.Bind(uint64_t{supplier});
    for (size_t i = begin; i < end; ++i) rows.Bind(uint64_t{entry_.item(i)});
    SqlStatus status = rows.Execute();
    size_t found = 0;
    for (; rows.Next(&status); ++found) {
      const auto i_id = static_cast<uint32_t>(rows.Unsigned(0));
      StockRow& row = stock_[entry_.StockOf({i_id, supplier})];
      row.quantity = static_cast<int32_t>(rows.Signed(1));
      row.ytd = row.order_cnt = row.remote_cnt = 0;
      row.own_data = rows.Text(2);
      row.data = row.own_data;
      row.dist_info = rows.Text(3);
    }
    if (!status.ok() || found == end - begin) return status;
    return MissingSqlRow(Table::kStock);
  }
  SqlStatus WriteStock() {
    for (size_t i = 0; i < entry_.stocks(); ++i) {
      const Stock& row = stock_[i];
      take_stock_.AddToBatch(row.quantity, row.ytd, row.order_cnt,
                             row.remote_cnt, entry_.supplier(i),
                             entry_.item(i));
    }
    return take_stock_.ExecuteBatch();
  }
  SqlStatus InsertLines(const NewOrderInput& input,
                        const NewOrderOutput& output) {
    for (uint8_t i = 0; i < input.ol_cnt; ++i) {
      if (!entry_.knows(i)) continue;
      const NewOrderInput::Line& line = input.lines[i];
      insert_line_.AddToBatch(input.w_id, input.d_id, output.o_id, i + 1,
                              line.i_id, line.supply_w_id, line.quantity,
                              Money(output.lines[i].amount),
                              stock_[entry_.StockOf(line)].dist_info);
    }
    return insert_line_.ExecuteBatch();
  }

  mariadb::Connection* connection_;
  mariadb::Transaction& transaction_;
  mariadb::Statement take_number_{connection_, sql::kTakeNumber};
  mariadb::Statement read_unchanging_{connection_, sql::kReadUnchanging};
  mariadb::StatementsByCount read_items_{connection_, sql::ReadItems};
  mariadb::StatementsByCount lock_stock_{connection_, sql::LockStock};
  mariadb::Statement insert_order_{connection_, sql::kInsertOrder};
  mariadb::Statement insert_new_order_{connection_, sql::kInsertNewOrder};
  mariadb::Statement take_stock_{connection_, sql::kTakeStock};
  mariadb::Statement insert_line_{connection_, sql::kInsertLine};
  OrderEntry entry_;
  std::array<StockRow, kMaxOrderLines> stock_;  // by their places in `entry_`
};

}  // namespace waltax::tpcc
