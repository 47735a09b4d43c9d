// New-Order on a server.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "tpcc/order_rules.h"
#include "tpcc/schema.h"
#include "tpcc/sql/statements.h"
#include "tpcc/sql/transactions.h"

namespace waltax::tpcc {

// New-Order (clause 2.4) on a server: nine round trips, and one more for
// each warehouse beyond the first that supplies a line.
class SqlNewOrder {
 public:
  explicit SqlNewOrder(mariadb::Transaction* transaction)
      : transaction_(*transaction) {}
  Status Prepare(mariadb::Connection& connection) {
    Status status =
        PrepareAll(connection, {{&take_number_, sql::kTakeNumber},
                                {&read_unchanging_, sql::kReadUnchanging},
                                {&insert_order_, sql::kInsertOrder},
                                {&insert_new_order_, sql::kInsertNewOrder},
                                {&take_stock_, sql::kTakeStock},
                                {&insert_line_, sql::kInsertLine}});
    for (size_t n = 1; n <= kMaxOrderLines && status.ok(); ++n) {
      status = PrepareAll(connection, {{&read_items_[n], sql::ReadItems(n)},
                                       {&lock_stock_[n], sql::LockStock(n)}});
    }
    return status;
  }

  // One attempt in the session's transaction.
  SqlStatus Try(const NewOrderInput& input, NewOrderOutput* output) {
    output->rolled_back = false;
    output->total_amount = 0;
    output->entry_d = Now();
    SqlStatus status = TakeNumber(input, output);
    if (status.ok()) status = ReadUnchanging(input, output);
    if (status.ok()) status = ReadItems(input, output);
    if (status.ok()) CollectStock(input);
    if (status.ok()) status = LockStock(input);
    if (status.ok()) status = InsertOrder(input, *output);
    if (status.ok()) EnterLines(input, output);
    if (status.ok()) status = WriteStock();
    if (status.ok()) status = InsertLines(input, *output);
    // Clause 2.4.2.3: only after everything was done for the items that exist.
    if (status.ok() && output->rolled_back) return transaction_.Rollback();
    return status;
  }

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

  // The district's lock orders the New-Orders of a district.
  SqlStatus TakeNumber(const NewOrderInput& input, NewOrderOutput* output) {
    const SqlStatus status =
        UpdateRow(Table::kDistrict, *take_number_, input.w_id, input.d_id);
    output->o_id = static_cast<uint32_t>(take_number_->insert_id());
    return status;
  }
  SqlStatus ReadUnchanging(const NewOrderInput& input, NewOrderOutput* output) {
    mariadb::Statement& row = *read_unchanging_;
    const SqlStatus status =
        ReadRow(Table::kCustomer, row, input.w_id, input.w_id, input.d_id,
                input.w_id, input.d_id, input.c_id);
    if (!status.ok()) return status;
    output->w_tax = ParseRate(row.Text(0));
    output->d_tax = ParseRate(row.Text(1));
    output->c_discount = ParseRate(row.Text(2));
    output->c_last = row.Text(3);
    output->c_credit = row.Text(4);
    return status;
  }
  SqlStatus ReadItems(const NewOrderInput& input, NewOrderOutput* output) {
    mariadb::Statement& rows = *read_items_[input.ol_cnt];
    rows.Begin();
    for (size_t i = 0; i < input.ol_cnt; ++i) {
      rows.Bind(uint64_t{input.lines[i].i_id});
      items_[i].found = false;
    }
    SqlStatus status = rows.Execute();
    while (status.ok() && rows.Next(&status)) TakeItem(input);
    for (size_t i = 0; i < input.ol_cnt; ++i) {
      // Clause 2.4.1.5: an unused item.
      output->rolled_back = output->rolled_back || !items_[i].found;
    }
    return status;
  }
  // Several lines may be of one item.
  void TakeItem(const NewOrderInput& input) {
    const mariadb::Statement& row = *read_items_[input.ol_cnt];
    const uint64_t i_id = row.Unsigned(0);
    for (size_t i = 0; i < input.ol_cnt; ++i) {
      if (input.lines[i].i_id != i_id) continue;
      items_[i].found = true;
      items_[i].price = ParseMoney(row.Text(1));
      items_[i].name = row.Text(2);
      items_[i].original = IsOriginal(row.Text(3));
    }
  }
  void CollectStock(const NewOrderInput& input) {
    std::array<uint64_t, kMaxOrderLines> ids{};
    auto* end = ids.begin();
    for (size_t i = 0; i < input.ol_cnt; ++i) {
      if (items_[i].found) *end++ = StockId(input.lines[i]);
    }
    std::make_heap(ids.begin(), end);  // std::sort has GCC 14 warn
    std::sort_heap(ids.begin(), end);
    stocks_ = static_cast<size_t>(std::unique(ids.begin(), end) - ids.begin());
    for (size_t i = 0; i < stocks_; ++i) {
      StockRow& row = stock_[i];
      row.id = ids[i];
      row.ytd = row.order_cnt = row.remote_cnt = 0;
    }
  }
  // In the order of their keys, so that two orders never wait for each other.
  SqlStatus LockStock(const NewOrderInput& input) {
    SqlStatus status;
    for (size_t begin = 0; begin < stocks_ && status.ok();) {
      const auto supplier = static_cast<uint32_t>(stock_[begin].id >> 32);
      size_t end = begin + 1;
      while (end < stocks_ && stock_[end].id >> 32 == supplier) ++end;
      status = LockStockOf(supplier, begin, end, input.d_id);
      begin = end;
    }
    return status;
  }
  SqlStatus LockStockOf(uint32_t supplier, size_t begin, size_t end,
                        uint8_t d_id) {
    mariadb::Statement& rows = *lock_stock_[end - begin];
    rows.Begin();
    rows.Bind(uint64_t{d_id});
    rows.Bind(uint64_t{supplier});
    for (size_t i = begin; i < end; ++i) {
      rows.Bind(stock_[i].id & UINT32_MAX);
    }
    SqlStatus status = rows.Execute();
    size_t found = 0;
    while (status.ok() && rows.Next(&status)) {
      StockRow* row = StockOf(uint64_t{supplier} << 32 | rows.Unsigned(0));
      row->quantity = static_cast<int32_t>(rows.Signed(1));
      row->original = IsOriginal(rows.Text(2));
      row->dist = rows.Text(3);
      ++found;
    }
    if (status.ok() && found != end - begin)
      return MissingSqlRow(Table::kStock);
    return status;
  }
  SqlStatus InsertOrder(const NewOrderInput& input,
                        const NewOrderOutput& output) {
    const int all_local = IsLocal(input) ? 1 : 0;
    const SqlStatus status =
        insert_order_->Run(input.w_id, input.d_id, output.o_id, input.c_id,
                           TimeText(output.entry_d), input.ol_cnt, all_local);
    if (!status.ok()) return status;
    return insert_new_order_->Run(input.w_id, input.d_id, output.o_id);
  }
  // Clause 2.4.2.2, for each item. A second line of the same item meets what
  // the first one left in stock.
  void EnterLines(const NewOrderInput& input, NewOrderOutput* output) {
    Cents sum = 0;
    for (uint8_t i = 0; i < input.ol_cnt; ++i) {
      if (!items_[i].found) continue;
      EnterLine(input, i, output);
      sum += output->lines[i].amount;
    }
    if (!output->rolled_back) output->total_amount = TotalAmount(sum, *output);
  }
  void EnterLine(const NewOrderInput& input, uint8_t i,
                 NewOrderOutput* output) {
    const NewOrderInput::Line& line = input.lines[i];
    StockRow* stock = StockOf(StockId(line));
    stock->quantity = QuantityAfter(stock->quantity, line.quantity);
    stock->ytd += line.quantity;
    ++stock->order_cnt;
    if (line.supply_w_id != input.w_id) ++stock->remote_cnt;
    NewOrderOutput::Line& shown = output->lines[i];
    shown.i_name = items_[i].name;
    shown.s_quantity = stock->quantity;
    shown.brand_generic = BrandGeneric(items_[i].original, stock->original);
    shown.i_price = items_[i].price;
    shown.amount = line.quantity * items_[i].price;
  }
  SqlStatus WriteStock() {
    for (size_t i = 0; i < stocks_; ++i) {
      const StockRow& row = stock_[i];
      take_stock_->AddToBatch(row.quantity, row.ytd, row.order_cnt,
                              row.remote_cnt, row.id >> 32,
                              row.id & UINT32_MAX);
    }
    return take_stock_->ExecuteBatch();
  }
  SqlStatus InsertLines(const NewOrderInput& input,
                        const NewOrderOutput& output) {
    for (uint8_t i = 0; i < input.ol_cnt; ++i) {
      if (!items_[i].found) continue;
      const NewOrderInput::Line& line = input.lines[i];
      insert_line_->AddToBatch(input.w_id, input.d_id, output.o_id, i + 1,
                               line.i_id, line.supply_w_id, line.quantity,
                               Money(output.lines[i].amount),
                               StockOf(StockId(line))->dist);
    }
    return insert_line_->ExecuteBatch();
  }
  SqlNewOrder::StockRow* StockOf(uint64_t id) {
    return std::lower_bound(
        stock_.begin(), stock_.begin() + stocks_, id,
        [](const StockRow& row, uint64_t wanted) { return row.id < wanted; });
  }

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
