// What single columns of orders, lines and customers must say.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/tpcc/check/fixture.h"
#include "tpcc/keys.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {
namespace {

class CheckColumnsTest : public CheckTest {};

TEST_F(CheckColumnsTest, WantsTheAmountOfANewLineToBeQuantityTimesPrice) {
  PlaceOrder();
  const Cents price =
      store_->Get<Item>(Table::kItem, KeyOfItem(13).slice()).price;
  ChangeLine(3001, 3, [](OrderLine* row) { row->amount += 1; });
  EXPECT_EQ(Violations(),
            Sentences({fmt::format("order line: warehouse 1: district 2: order "
                                   "3001: line 3: OL_AMOUNT is {}, want 3 "
                                   "times {}",
                                   Money(3 * price + 1), Money(price))}));
}

TEST_F(CheckColumnsTest, WantsLinesNumberedFrom1WithoutAGap) {
  const auto line_5 = KeyOfOrderLine(1, 2, 2500, 5);
  const auto row = store_->Get<OrderLine>(Table::kOrderLine, line_5.slice());
  const uint8_t lines = OrderOf(2500).ol_cnt;
  const auto beyond = static_cast<uint8_t>(lines + 1);
  store_->WriteRow(Table::kOrderLine,
                   KeyOfOrderLine(1, 2, 2500, beyond).slice(), row);
  store_->Erase(Table::kOrderLine, KeyOfOrderLine(1, 2, 2500, 1).slice());
  EXPECT_EQ(Violations(),
            Sentences({"order line: warehouse 1: district 2: order 2500: line "
                       "2 comes after line 0"}));
}

TEST_F(CheckColumnsTest, WantsAllLocalToAgreeWithTheSuppliers) {
  PlaceOrder();
  ChangeOrder(3001, [](Order* row) { row->all_local = 1; });
  ChangeOrder(2500, [](Order* row) { row->all_local = 0; });
  EXPECT_EQ(Violations(),
            Sentences({"order: warehouse 1: district 2: order 2500: "
                       "O_ALL_LOCAL is 0, want 1, since no line has another "
                       "supplier",
                       "order: warehouse 1: district 2: order 3001: "
                       "O_ALL_LOCAL is 1, want 0, since a line has another "
                       "supplier"}));
}

TEST_F(CheckColumnsTest, WantsOneOfTenCarriers) {
  ChangeOrder(2000, [](Order* row) { row->carrier_id = 10; });
  EXPECT_EQ(Violations(), Sentences());
  ChangeOrder(2000, [](Order* row) { row->carrier_id = 11; });
  EXPECT_EQ(Violations(),
            Sentences({"order: warehouse 1: district 2: order 2000: "
                       "O_CARRIER_ID is 11, want NULL or 1 to 10"}));
}

TEST_F(CheckColumnsTest, WantsFiveToFifteenLines) {
  PlaceOrder();
  ChangeOrder(3001, [](Order* row) { row->ol_cnt = 4; });
  ChangeOrder(2500, [](Order* row) { row->ol_cnt = 16; });
  const Sentences found = Violations();
  for (const char* sentence :
       {"order: warehouse 1: district 2: order 3001: O_OL_CNT is 4, want 5 to "
        "15",
        "order: warehouse 1: district 2: order 2500: O_OL_CNT is 16, want 5 to "
        "15"}) {
    EXPECT_EQ(std::count(found.begin(), found.end(), sentence), 1) << sentence;
  }
}

// The sum over the district, which condition 11 looks at, is right.
TEST_F(CheckColumnsTest, WantsADeliveryCountedAtTheCustomerWhoOrdered) {
  const uint32_t c = OrderOf(2101).c_id;
  const uint32_t other = c == 1 ? 2 : 1;
  CreditCustomer(c, TakeToCustomer());
  ChangeCustomer(c, [](Customer* row) { --row->delivery_cnt; });
  ChangeCustomer(other, [](Customer* row) { ++row->delivery_cnt; });
  Sentences want = {
      fmt::format("delivery count: warehouse 1: district 2: customer {}: "
                  "C_DELIVERY_CNT is 0, 1 orders were delivered since the load",
                  c),
      fmt::format("delivery count: warehouse 1: district 2: customer {}: "
                  "C_DELIVERY_CNT is 1, 0 orders were delivered since the load",
                  other)};
  std::sort(want.begin(), want.end());
  EXPECT_EQ(Violations(), want);
}

}  // namespace
}  // namespace waltax::tpcc
