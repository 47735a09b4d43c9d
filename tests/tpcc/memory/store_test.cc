// The memory store: its population, its scans, and New-Order.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

#include "tests/tpcc/memory/fixture.h"
#include "tpcc/draws.h"
#include "tpcc/terminal.h"

namespace waltax::tpcc {

namespace {

TEST_F(Memory, HoldsAConsistentPopulation) {
  EXPECT_EQ(Violations(), std::vector<std::string>());
}

TEST_F(Memory, ScansOnlyWhatBeginsWithThePrefix) {
  const auto count = [&](Table table, const auto& key) {
    return RowsOf(store_, table, key.slice().ToStringView()).size();
  };
  EXPECT_EQ(count(Table::kCustomer, KeyOfDistrict(2, 3)), 3000U);
  EXPECT_EQ(count(Table::kCustomer, KeyOfWarehouse(2)), 30'000U);
  EXPECT_EQ(count(Table::kStock, KeyOfWarehouse(1)), 100'000U);
  EXPECT_EQ(count(Table::kNewOrder, KeyOfDistrict(1, 1)), 901U);
  EXPECT_EQ(count(Table::kOrder, KeyOfOrder(1, 1, 17)), 1U);
  EXPECT_EQ(count(Table::kHistory, KeyOfCustomer(1, 1, 17)), 1U);
  EXPECT_EQ(count(Table::kItem, KeyOfItem(5)), 1U);
}

TEST_F(Memory, ScansEveryTableInTheOrderOfItsKeys) {
  Buy(7, {{1, 1, 1}});
  for (const Rows& rows : ContentOf(store_)) {
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    EXPECT_FALSE(rows.empty());
  }
}

TEST_F(Memory, GivesANewOrderTheDistrictsNextNumber) {
  EXPECT_EQ(Buy(7, {{1, 1, 1}}).o_id, 3001U);
  EXPECT_EQ(Buy(8, {{1, 1, 1}}).o_id, 3002U);
  EXPECT_EQ(district(1, kD)->next_o_id, 3003U);
  EXPECT_EQ(district(1, kD + 1)->next_o_id, 3001U);
  EXPECT_EQ(order(kD, 3002)->c_id, 8U);
  EXPECT_EQ(order(kD, 3002)->carrier_id, 0);
  EXPECT_EQ(RowsOf(store_, Table::kNewOrder,
                   KeyOfNewOrder(1, kD, 3002).slice().ToStringView())
                .size(),
            1U);
}

TEST_F(Memory, TakesWhatANewOrderNamesFromTheSuppliersStock) {
  const int32_t at_home = stock(1, 11)->quantity;
  const int32_t remote = stock(2, 22)->quantity;
  const NewOrderOutput shown = Buy(7, {{11, 1, 1}, {22, 2, 9}});
  EXPECT_EQ(stock(1, 11)->quantity, at_home >= 11 ? at_home - 1 : at_home + 90);
  EXPECT_EQ(stock(1, 11)->ytd, 1U);
  EXPECT_EQ(stock(1, 11)->order_cnt, 1U);
  EXPECT_EQ(stock(1, 11)->remote_cnt, 0U);
  EXPECT_EQ(stock(2, 22)->quantity, remote >= 19 ? remote - 9 : remote + 82);
  EXPECT_EQ(stock(2, 22)->ytd, 9U);
  EXPECT_EQ(stock(2, 22)->remote_cnt, 1U);
  EXPECT_EQ(stock(1, 22)->ytd, 0U);
  EXPECT_EQ(shown.lines[1].s_quantity, stock(2, 22)->quantity);
  EXPECT_EQ(order(kD, 3001)->all_local, 0);
  EXPECT_EQ(line(kD, 3001, 2)->dist_info, stock(2, 22)->dist(kD));
}

TEST_F(Memory, RestocksBy91BeforeLessThanTenRemain) {
  int32_t before = stock(1, 33)->quantity;
  for (int i = 0; i < 200; ++i) {
    const int32_t after = Buy(7, {{33, 1, 7}}).lines[0].s_quantity;
    EXPECT_EQ(after, before - 7 >= 10 ? before - 7 : before - 7 + 91);
    before = after;
  }
}

TEST_F(Memory, PricesANewOrderWithDiscountAndTaxes) {
  const NewOrderOutput shown = Buy(7, {{11, 1, 2}, {12, 1, 3}});
  const Cents sum = 2 * item(11)->price + 3 * item(12)->price;
  EXPECT_EQ(line(kD, 3001, 1)->amount, 2 * item(11)->price);
  EXPECT_EQ(line(kD, 3001, 2)->amount, 3 * item(12)->price);
  const double total =
      static_cast<double>(sum) * (1 - customer(1, kD, 7)->discount / 1e4) *
      (1 + warehouse(1)->tax / 1e4 + district(1, kD)->tax / 1e4);
  EXPECT_NEAR(static_cast<double>(shown.total_amount), total, 0.51);
  EXPECT_EQ(shown.c_last, customer(1, kD, 7)->last);
}

TEST_F(Memory, CallsALineBrandOnlyWhenItemAndStockAreOriginal) {
  std::set<char> seen;
  for (uint32_t i = 1; i <= 500; ++i) {
    const bool original =
        item(i)->data.find("ORIGINAL") != std::string::npos &&
        stock(1, i)->data.find("ORIGINAL") != std::string::npos;
    const char brand = Buy(7, {{i, 1, 1}}).lines[0].brand_generic;
    EXPECT_EQ(brand, original ? 'B' : 'G') << i;
    seen.insert(brand);
  }
  EXPECT_EQ(seen.size(), 2U);
}

TEST_F(Memory, TakesAnItemTwiceWhenAnOrderNamesItTwice) {
  Buy(7, {{11, 1, 2}, {11, 1, 3}});
  EXPECT_EQ(stock(1, 11)->ytd, 5U);
  EXPECT_EQ(stock(1, 11)->order_cnt, 2U);
}

TEST_F(Memory, LeavesNoTraceOfAnOrderWithAnUnusedItem) {
  const std::vector<Rows> before = ContentOf(store_);
  const NewOrderOutput shown =
      Buy(7, {{11, 1, 2}, {11, 1, 3}, {12, 2, 1}, {kUnusedItem, 1, 1}});
  EXPECT_TRUE(shown.rolled_back);
  EXPECT_TRUE(ContentOf(store_) == before);
  const NewOrderOutput next = Buy(7, {{11, 1, 2}});
  EXPECT_FALSE(next.rolled_back);
  EXPECT_EQ(next.o_id, shown.o_id);
}

}  // namespace

// The memory store: the four transactions beside New-Order, and all at once.

namespace {

TEST_F(Memory, BooksAPaymentWithWarehouseDistrictAndCustomer) {
  const Cents balance = customer(2, 9, 5)->balance;
  PaymentOutput shown;
  session_->Payment({1, kD, {2, 9, 5, {}}, 12'345}, &shown);
  EXPECT_EQ(warehouse(1)->ytd, 30'000'000 + 12'345);
  EXPECT_EQ(district(1, kD)->ytd, 3'000'000 + 12'345);
  EXPECT_EQ(warehouse(2)->ytd, 30'000'000);
  EXPECT_EQ(customer(2, 9, 5)->balance, balance - 12'345);
  EXPECT_EQ(customer(2, 9, 5)->ytd_payment, 1'000 + 12'345);
  EXPECT_EQ(customer(2, 9, 5)->payment_cnt, 2U);
  EXPECT_EQ(shown.c_balance, balance - 12'345);
  const StoredRow<History> history(store_, Table::kHistory,
                                   KeyOfHistory(2, 9, 5, 2));
  EXPECT_EQ(history->w_id, 1U);
  EXPECT_EQ(history->d_id, kD);
  EXPECT_EQ(history->amount, 12'345);
  EXPECT_EQ(history->data, std::string(warehouse(1)->name) + "    " +
                               std::string(district(1, kD)->name));
}

TEST_F(Memory, NotesAPaymentInTheDataOfBadCreditOnly) {
  std::set<std::string> credits;
  for (uint32_t c = 1; c <= 100; ++c) {
    const std::string data(customer(1, kD, c)->data);
    PaymentOutput shown;
    session_->Payment({1, 2, {1, kD, c, {}}, 12'305}, &shown);
    credits.insert(shown.c_credit);
    const std::string note = std::to_string(c) + " 4 1 2 1 123.05 ";
    const std::string want =
        shown.c_credit == "BC" ? (note + data).substr(0, 500) : data;
    EXPECT_EQ(customer(1, kD, c)->data, want);
    EXPECT_EQ(shown.c_data, shown.c_credit == "BC" ? want.substr(0, 200) : "");
  }
  EXPECT_EQ(credits, (std::set<std::string>{"BC", "GC"}));
}

TEST_F(Memory, ChoosesTheMiddleOneOfThoseWithALastName) {
  std::set<size_t> parities;
  for (uint32_t number = 350; number < 358; ++number) {
    const std::vector<uint32_t> namesakes = Namesakes(kD, LastName(number));
    parities.insert(namesakes.size() % 2);
    OrderStatusOutput shown;
    session_->OrderStatus({{1, kD, 0, LastName(number)}}, &shown);
    EXPECT_EQ(shown.c_id, namesakes[(namesakes.size() + 1) / 2 - 1]) << number;
  }
  EXPECT_EQ(parities.size(), 2U);
}

TEST_F(Memory, ShowsTheNewestOrderOfACustomer) {
  OrderStatusOutput shown;
  session_->OrderStatus({{1, kD, 7, {}}}, &shown);
  EXPECT_LE(shown.o_id, 3000U);
  EXPECT_EQ(shown.lines.size(), order(kD, shown.o_id)->ol_cnt);
  Buy(7, {{11, 1, 2}, {12, 2, 3}});
  session_->OrderStatus({{1, kD, 7, {}}}, &shown);
  EXPECT_EQ(shown.o_id, 3001U);
  EXPECT_EQ(shown.carrier_id, 0);
  ASSERT_EQ(shown.lines.size(), 2U);
  EXPECT_EQ(shown.lines[1].i_id, 12U);
  EXPECT_EQ(shown.lines[1].supply_w_id, 2U);
  EXPECT_EQ(shown.lines[1].quantity, 3);
  EXPECT_EQ(shown.lines[1].delivery_d, 0U);
}

TEST_F(Memory, DeliversTheOldestOrderOfEachDistrict) {
  const uint32_t c = order(kD, 2101)->c_id;
  const Cents balance = customer(1, kD, c)->balance;
  DeliveryOutput shown;
  session_->Delivery({1, 6}, &shown);
  for (const uint32_t o_id : shown.o_ids) EXPECT_EQ(o_id, 2101U);
  EXPECT_EQ(order(kD, 2101)->carrier_id, 6);
  Cents sum = 0;
  for (uint8_t n = 1; n <= order(kD, 2101)->ol_cnt; ++n) {
    sum += line(kD, 2101, n)->amount;
    EXPECT_NE(line(kD, 2101, n)->delivery_d, 0U);
  }
  EXPECT_GT(sum, 0);
  EXPECT_EQ(customer(1, kD, c)->balance, balance + sum);
  EXPECT_EQ(customer(1, kD, c)->delivery_cnt, 1U);
  EXPECT_EQ(Mark(kD), 2102U);
  EXPECT_TRUE(RowsOf(store_, Table::kNewOrder,
                     KeyOfNewOrder(1, kD, 2101).slice().ToStringView())
                  .empty());
}

TEST_F(Memory, SkipsADistrictThatHasNothingToDeliver) {
  DeliveryOutput shown;
  for (int i = 0; i < 900; ++i) session_->Delivery({1, 6}, &shown);
  EXPECT_EQ(shown.o_ids[kD - 1U], 3000U);
  Buy(7, {{11, 1, 2}, {12, 1, 2}, {13, 1, 2}, {14, 1, 2}, {15, 1, 2}});
  session_->Delivery({1, 6}, &shown);
  EXPECT_EQ(shown.o_ids[kD - 1U], 3001U);
  EXPECT_EQ(shown.o_ids[0], 0U);
  session_->Delivery({1, 6}, &shown);
  EXPECT_EQ(shown.o_ids[kD - 1U], 0U);
  EXPECT_EQ(Violations(), std::vector<std::string>());
}

TEST_F(Memory, CountsTheScarceItemsOfTheLast20OrdersOnce) {
  for (int32_t threshold = 10; threshold <= 101; threshold += 45) {
    std::set<uint32_t> scarce;
    for (uint32_t o = 2981; o <= 3000; ++o) {
      for (uint8_t n = 1; n <= order(kD, o)->ol_cnt; ++n) {
        const uint32_t i = line(kD, o, n)->i_id;
        if (stock(1, i)->quantity < threshold) scarce.insert(i);
      }
    }
    StockLevelOutput shown;
    session_->StockLevel({1, kD, threshold}, &shown);
    EXPECT_EQ(shown.low_stock, scarce.size()) << threshold;
  }
}

TEST_F(Memory, StaysConsistentUnderFourThreads) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      Terminal terminal(t, HomeOf(t, 4, kWarehouses), kWarehouses, {66, 77, 88},
                        1);
      const std::unique_ptr<Session> session = store_.NewSession(0);
      Inputs inputs;
      NewOrderOutput new_order;
      PaymentOutput payment;
      DeliveryOutput delivery;
      for (int i = 0; i < 5'000; ++i) {
        terminal.Draw(&inputs);
        if (inputs.op == Op::kNewOrder) {
          session->NewOrder(inputs.new_order, &new_order);
        } else if (inputs.op == Op::kPayment) {
          session->Payment(inputs.payment, &payment);
        } else if (inputs.op == Op::kDelivery) {
          session->Delivery(inputs.delivery, &delivery);
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ(Violations(), std::vector<std::string>());
}

}  // namespace

}  // namespace waltax::tpcc
