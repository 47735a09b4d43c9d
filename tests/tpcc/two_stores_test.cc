// RocksDB and the memory store are written apart from each other. What both of
// them make of the same transactions is what clause 2 says, or they share a
// misreading.
#include <gtest/gtest.h>

#include "tests/tpcc/kv_fixture.h"
#include "tests/tpcc/store_reading.h"
#include "tpcc/inputs.h"
#include "tpcc/kv_store.h"
#include "tpcc/loader.h"
#include "tpcc/memory_store.h"

namespace waltax::tpcc {
namespace {

constexpr PopulationOptions kPopulation = {2, 1, 1'700'000'000'000};
constexpr int kTransactions = 6'000;

// A clock was read for each store apart: only whether a time is there counts.
Timestamp Known(Timestamp time) { return time == 0 ? 0 : 1; }

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

std::vector<Rows> TimelessContent(const Store& store) {
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

// Runs each transaction on both stores, and compares what they show.
class Both {
 public:
  Both(Session* kv, Session* memory) : kv_(*kv), memory_(*memory) {}

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

  Session& kv_;
  Session& memory_;
  int rollbacks_ = 0;
};

void Both::NewOrder(const NewOrderInput& input) {
  NewOrderOutput a;
  NewOrderOutput b;
  ASSERT_EQ(kv_.NewOrder(input, &a).error, nullptr);
  ASSERT_EQ(memory_.NewOrder(input, &b).error, nullptr);
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

void Both::Payment(const PaymentInput& input) {
  PaymentOutput a;
  PaymentOutput b;
  ASSERT_EQ(kv_.Payment(input, &a).error, nullptr);
  ASSERT_EQ(memory_.Payment(input, &b).error, nullptr);
  EXPECT_EQ(a.c_id, b.c_id);
  EXPECT_EQ(a.c_balance, b.c_balance);
  EXPECT_EQ(a.c_credit_lim, b.c_credit_lim);
  EXPECT_EQ(a.c_discount, b.c_discount);
  EXPECT_EQ(a.c_credit, b.c_credit);
  EXPECT_EQ(a.c_data, b.c_data);
}

void Both::OrderStatus(const OrderStatusInput& input) {
  OrderStatusOutput a;
  OrderStatusOutput b;
  ASSERT_EQ(kv_.OrderStatus(input, &a).error, nullptr);
  ASSERT_EQ(memory_.OrderStatus(input, &b).error, nullptr);
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

void Both::Delivery(const DeliveryInput& input) {
  DeliveryOutput a;
  DeliveryOutput b;
  ASSERT_EQ(kv_.Delivery(input, &a).error, nullptr);
  ASSERT_EQ(memory_.Delivery(input, &b).error, nullptr);
  EXPECT_EQ(a.o_ids, b.o_ids);
}

void Both::StockLevel(const StockLevelInput& input) {
  StockLevelOutput a;
  StockLevelOutput b;
  ASSERT_EQ(kv_.StockLevel(input, &a).error, nullptr);
  ASSERT_EQ(memory_.StockLevel(input, &b).error, nullptr);
  EXPECT_EQ(a.low_stock, b.low_stock);
}

class TwoStores : public ::testing::Test {
 protected:
  void SetUp() override {
    LoadedRows loaded;
    const Status status = Load(
        database_.engine(), kPopulation, 2, [](const LoadedRows&) {}, &loaded);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  void ExpectEqualContent() {
    const std::vector<Rows> a = TimelessContent(kv_);
    const std::vector<Rows> b = TimelessContent(memory_);
    for (size_t i = 0; i < kTables; ++i) {
      EXPECT_TRUE(a[i] == b[i]) << kTableNames[i];
    }
  }

  TemporaryDatabase database_;
  KvStore kv_{database_.engine(), 0};
  MemoryStore memory_{kPopulation, 2};
};

TEST_F(TwoStores, BeginWithTheSameRows) { ExpectEqualContent(); }

TEST_F(TwoStores, ShowAndKeepTheSameAfterTheSameTransactions) {
  const auto kv = kv_.NewSession(1);
  const auto memory = memory_.NewSession(1);
  Both both(kv.get(), memory.get());
  Terminal at_one(0, {1, 1}, 2, {66, 77, 88}, 1);
  Terminal at_two(1, {2, 5}, 2, {66, 77, 88}, 1);
  Inputs inputs;
  for (int i = 0; i < kTransactions && !HasFailure(); ++i) {
    (i % 2 == 0 ? at_one : at_two).Draw(&inputs);
    both.Execute(inputs);
  }
  EXPECT_GT(both.rollbacks(), 0);
  ExpectEqualContent();
}

// More deliveries than orders wait: the queues run dry, and fill again.
TEST_F(TwoStores, AgreeWhenThereIsNothingLeftToDeliver) {
  const auto kv = kv_.NewSession(1);
  const auto memory = memory_.NewSession(1);
  Both both(kv.get(), memory.get());
  Terminal terminal(0, {1, 1}, 2, {66, 77, 88}, 1);
  Inputs deliver;
  deliver.op = Op::kDelivery;
  deliver.delivery = {1, 3};
  Inputs inputs;
  for (int i = 0; i < 1'000 && !HasFailure(); ++i) both.Execute(deliver);
  for (int i = 0; i < 1'000 && !HasFailure(); ++i) {
    terminal.Draw(&inputs);
    both.Execute(inputs);
    if (i % 3 == 0) both.Execute(deliver);
  }
  ExpectEqualContent();
}

}  // namespace
}  // namespace waltax::tpcc
