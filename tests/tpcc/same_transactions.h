// Whether two stores, written apart from each other, show and keep the same
// after the same transactions.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tpcc/store_reading.h"
#include "tpcc/store.h"
#include "tpcc/terminal.h"

namespace waltax::tpcc {

// A clock was read for each store apart: only whether a time is there counts.
inline Timestamp Known(Timestamp time) { return time == 0 ? 0 : 1; }

template <typename Row>
void Rewrite(Rows* rows, void (*forget)(Row*)) {
  for (auto& [key, value] : *rows) {
    const std::string before = value;
    Row row;
    ASSERT_TRUE(DecodeRow(before, &row));
    forget(&row);
    EncodeRow(row, &value);
  }
}

inline std::vector<Rows> TimelessContent(const Store& store) {
  std::vector<Rows> tables = ContentOf(store);
  Rewrite<Order>(&tables[static_cast<size_t>(Table::kOrder)],
                 [](Order* row) { row->entry_d = Known(row->entry_d); });
  Rewrite<OrderLine>(
      &tables[static_cast<size_t>(Table::kOrderLine)],
      [](OrderLine* row) { row->delivery_d = Known(row->delivery_d); });
  Rewrite<History>(&tables[static_cast<size_t>(Table::kHistory)],
                   [](History* row) { row->date = Known(row->date); });
  return tables;
}

// Runs each transaction on two stores, and compares what they show.
class Both {
 public:
  Both(Session* one, Session* other) : one_(*one), other_(*other) {}

  void Execute(const Inputs& inputs) {
    switch (inputs.op) {
      case Op::kNewOrder:
        return NewOrder(inputs.new_order);
      case Op::kPayment:
        return Payment(inputs.payment);
      case Op::kOrderStatus:
        return OrderStatus(inputs.order_status);
      case Op::kDelivery:
        return Delivery(inputs.delivery);
      case Op::kStockLevel:
        return StockLevel(inputs.stock_level);
    }
  }
  [[nodiscard]] int rollbacks() const { return rollbacks_; }

 private:
  void NewOrder(const NewOrderInput& input);
  void Payment(const PaymentInput& input);
  void OrderStatus(const OrderStatusInput& input);
  void Delivery(const DeliveryInput& input);
  void StockLevel(const StockLevelInput& input);

  Session& one_;
  Session& other_;
  int rollbacks_ = 0;
};

inline void Both::NewOrder(const NewOrderInput& input) {
  NewOrderOutput a;
  NewOrderOutput b;
  ASSERT_EQ(one_.NewOrder(input, &a).error, nullptr);
  ASSERT_EQ(other_.NewOrder(input, &b).error, nullptr);
  ASSERT_EQ(a.rolled_back, b.rolled_back);
  EXPECT_EQ(a.o_id, b.o_id);
  EXPECT_EQ(a.c_last, b.c_last);
  EXPECT_EQ(a.c_credit, b.c_credit);
  EXPECT_EQ(a.c_discount, b.c_discount);
  EXPECT_EQ(a.w_tax, b.w_tax);
  EXPECT_EQ(a.d_tax, b.d_tax);
  rollbacks_ += a.rolled_back;
  if (a.rolled_back) return;  // its screen has no lines (clause 2.4.3.4)
  EXPECT_EQ(a.total_amount, b.total_amount);
  for (size_t i = 0; i < input.ol_cnt; ++i) {
    EXPECT_EQ(a.lines[i].i_name, b.lines[i].i_name);
    EXPECT_EQ(a.lines[i].s_quantity, b.lines[i].s_quantity);
    EXPECT_EQ(a.lines[i].brand_generic, b.lines[i].brand_generic);
    EXPECT_EQ(a.lines[i].i_price, b.lines[i].i_price);
    EXPECT_EQ(a.lines[i].amount, b.lines[i].amount);
  }
}

inline void Both::Payment(const PaymentInput& input) {
  PaymentOutput a;
  PaymentOutput b;
  ASSERT_EQ(one_.Payment(input, &a).error, nullptr);
  ASSERT_EQ(other_.Payment(input, &b).error, nullptr);
  EXPECT_EQ(a.c_id, b.c_id);
  EXPECT_EQ(a.c_balance, b.c_balance);
  EXPECT_EQ(a.c_credit_lim, b.c_credit_lim);
  EXPECT_EQ(a.c_discount, b.c_discount);
  EXPECT_EQ(a.c_credit, b.c_credit);
  EXPECT_EQ(a.c_data, b.c_data);
}

inline void Both::OrderStatus(const OrderStatusInput& input) {
  OrderStatusOutput a;
  OrderStatusOutput b;
  ASSERT_EQ(one_.OrderStatus(input, &a).error, nullptr);
  ASSERT_EQ(other_.OrderStatus(input, &b).error, nullptr);
  EXPECT_EQ(a.c_id, b.c_id);
  EXPECT_EQ(a.c_balance, b.c_balance);
  EXPECT_EQ(a.o_id, b.o_id);
  EXPECT_EQ(a.carrier_id, b.carrier_id);
  ASSERT_EQ(a.lines.size(), b.lines.size());
  for (size_t i = 0; i < a.lines.size(); ++i) {
    EXPECT_EQ(a.lines[i].i_id, b.lines[i].i_id);
    EXPECT_EQ(a.lines[i].supply_w_id, b.lines[i].supply_w_id);
    EXPECT_EQ(a.lines[i].quantity, b.lines[i].quantity);
    EXPECT_EQ(a.lines[i].amount, b.lines[i].amount);
    EXPECT_EQ(Known(a.lines[i].delivery_d), Known(b.lines[i].delivery_d));
  }
}

inline void Both::Delivery(const DeliveryInput& input) {
  DeliveryOutput a;
  DeliveryOutput b;
  ASSERT_EQ(one_.Delivery(input, &a).error, nullptr);
  ASSERT_EQ(other_.Delivery(input, &b).error, nullptr);
  EXPECT_EQ(a.o_ids, b.o_ids);
}

inline void Both::StockLevel(const StockLevelInput& input) {
  StockLevelOutput a;
  StockLevelOutput b;
  ASSERT_EQ(one_.StockLevel(input, &a).error, nullptr);
  ASSERT_EQ(other_.StockLevel(input, &b).error, nullptr);
  EXPECT_EQ(a.low_stock, b.low_stock);
}

}  // namespace waltax::tpcc
