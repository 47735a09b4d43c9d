#include "tpcc/check/check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "tests/tpcc/check/fixture.h"
#include "tpcc/keys.h"
#include "tpcc/schema.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {
namespace {

TEST(Money, IsWrittenWithTwoDecimals) {
  EXPECT_EQ(Money(1234), "12.34");
  EXPECT_EQ(Money(-5), "-0.05");
  EXPECT_EQ(Money(-100'000), "-1000.00");
}

TEST_F(CheckTest, FindsNothingAfterTheLoad) {
  CheckResult result;
  ASSERT_TRUE(CheckConsistency(*store_, 2, 3, {}, &result).ok());
  EXPECT_EQ(result.violations, Sentences());
  std::map<std::string, uint64_t> counted(result.counted.begin(),
                                          result.counted.end());
  for (size_t i = 0; i < kTables; ++i) {
    EXPECT_EQ(counted[std::string(Tables()[i].name)],
              store_->rows(static_cast<Table>(i)).size());
  }
}

TEST_F(CheckTest, FindsNothingAfterTransactionsAcrossWarehouses) {
  PlaceOrder();
  Pay();
  CreditCustomer(OrderOf(2101).c_id, TakeToCustomer());
  EXPECT_EQ(Violations(), Sentences());
}

TEST_F(CheckTest, Condition1ComparesWarehouseAndDistricts) {
  store_->Change<Warehouse>(Table::kWarehouse, KeyOfWarehouse(2).slice(),
                            [](Warehouse* row) { row->ytd += 1; });
  EXPECT_EQ(Violations(),
            Sentences({"condition 1: warehouse 2: W_YTD is 300000.01, the sum "
                       "of D_YTD is 300000.00",
                       "condition 8: warehouse 2: W_YTD is 300000.01, the sum "
                       "of H_AMOUNT is 300000.00"}));
}

TEST_F(CheckTest, Condition2ComparesTheNextOrderWithOrdersAndNewOrders) {
  store_->Change<District>(Table::kDistrict, KeyOfDistrict(1, 2).slice(),
                           [](District* row) { ++row->next_o_id; });
  EXPECT_EQ(Violations(),
            Sentences({"condition 2: warehouse 1: district 2: D_NEXT_O_ID is "
                       "3002, the largest NO_O_ID 3000",
                       "condition 2: warehouse 1: district 2: D_NEXT_O_ID is "
                       "3002, the largest O_ID 3000"}));
}

TEST_F(CheckTest, Condition3And5FindALostNewOrder) {
  store_->Erase(Table::kNewOrder, KeyOfNewOrder(1, 2, 2500).slice());
  EXPECT_EQ(Violations(),
            Sentences({"condition 11: warehouse 1: district 2: 3000 orders "
                       "less 899 NEW-ORDER rows, want 2100 and the 0 of "
                       "C_DELIVERY_CNT",
                       "condition 3: warehouse 1: district 2: NO_O_ID is from "
                       "2101 to 3000, NEW-ORDER has 899 rows",
                       "condition 5: warehouse 1: district 2: order 2500: "
                       "O_CARRIER_ID is NULL, NEW-ORDER has no row"}));
}

TEST_F(CheckTest, Condition4And6FindALostOrderLine) {
  const uint8_t lines = OrderOf(2500).ol_cnt;
  uint64_t sum = 0;
  for (uint32_t o = 1; o <= 3000; ++o) sum += OrderOf(o).ol_cnt;
  store_->Erase(Table::kOrderLine, KeyOfOrderLine(1, 2, 2500, 3).slice());
  EXPECT_EQ(
      Violations(),
      Sentences({fmt::format("condition 4: warehouse 1: district 2: the sum of "
                             "O_OL_CNT is {}, ORDER-LINE has {} rows",
                             sum, sum - 1),
                 fmt::format("condition 6: warehouse 1: district 2: order "
                             "2500: O_OL_CNT is {}, ORDER-LINE has {} rows",
                             lines, lines - 1),
                 "order line: warehouse 1: district 2: order 2500: line 4 "
                 "comes after line 2"}));
}

TEST_F(CheckTest, Condition5FindsANewOrderOfADeliveredOrder) {
  ChangeOrder(2500, [](Order* row) { row->carrier_id = 3; });
  const Sentences found = Violations();
  EXPECT_EQ(found.front(),
            "condition 5: warehouse 1: district 2: order 2500: O_CARRIER_ID is "
            "3, NEW-ORDER has a row");
}

TEST_F(CheckTest, Condition7FindsALineThatWasDeliveredAlone) {
  // Its amount is set to 0, so that its customer's balance is right.
  ChangeLine(2500, 3, [](OrderLine* row) {
    row->delivery_d = kNow;
    row->amount = 0;
  });
  EXPECT_EQ(Violations(),
            Sentences({"condition 7: warehouse 1: district 2: order 2500: line "
                       "3: OL_DELIVERY_D is set, O_CARRIER_ID is NULL"}));
}

TEST_F(CheckTest, Condition8And9FindAPaymentThatReachedNoDistrict) {
  Pay();
  store_->Change<Warehouse>(Table::kWarehouse, KeyOfWarehouse(2).slice(),
                            [](Warehouse* row) { row->ytd -= 1234; });
  store_->Change<District>(Table::kDistrict, KeyOfDistrict(2, 3).slice(),
                           [](District* row) { row->ytd -= 1234; });
  EXPECT_EQ(Violations(),
            Sentences({"condition 8: warehouse 2: W_YTD is 300000.00, the sum "
                       "of H_AMOUNT is 300012.34",
                       "condition 9: warehouse 2: district 3: D_YTD is "
                       "30000.00, the sum of H_AMOUNT is 30012.34"}));
}

TEST_F(CheckTest, FindsAPaymentThatWasUndoneAtTheCustomer) {
  Pay();
  ChangeCustomer(4, [](Customer* row) {
    row->balance += 1234;
    row->ytd_payment -= 1234;
    --row->payment_cnt;
  });
  EXPECT_EQ(Violations(),
            Sentences({"condition 10: warehouse 1: district 2: customer 4: "
                       "C_BALANCE is -10.00, the delivered lines less the "
                       "payments are 0.00 - 22.34",
                       "payment count: warehouse 1: district 2: customer 4: "
                       "C_PAYMENT_CNT is 1, HISTORY has 2 rows"}));
}

TEST_F(CheckTest, FindsAPaymentWhoseHistoryWasUndone) {
  Pay();
  store_->Erase(Table::kHistory, KeyOfHistory(1, 2, 4, 2).slice());
  EXPECT_EQ(Violations(),
            Sentences({"condition 10: warehouse 1: district 2: customer 4: "
                       "C_BALANCE is -22.34, the delivered lines less the "
                       "payments are 0.00 - 10.00",
                       "condition 8: warehouse 2: W_YTD is 300012.34, the sum "
                       "of H_AMOUNT is 300000.00",
                       "condition 9: warehouse 2: district 3: D_YTD is "
                       "30012.34, the sum of H_AMOUNT is 30000.00",
                       "payment count: warehouse 1: district 2: customer 4: "
                       "C_PAYMENT_CNT is 2, HISTORY has 1 rows"}));
}

TEST_F(CheckTest, Condition10And11And12FindASecondDelivery) {
  const uint32_t c = OrderOf(2101).c_id;
  const Cents amount = TakeToCustomer();
  CreditCustomer(c, amount);
  CreditCustomer(c, amount);
  const std::string twice = Money(2 * amount - 1000);
  EXPECT_EQ(
      Violations(),
      Sentences(
          {fmt::format("condition 10: warehouse 1: district 2: customer {}: "
                       "C_BALANCE is {}, the delivered lines less the payments "
                       "are {} - 10.00",
                       c, twice, Money(amount)),
           "condition 11: warehouse 1: district 2: 3000 orders less 899 "
           "NEW-ORDER rows, want 2100 and the 2 of C_DELIVERY_CNT",
           fmt::format("condition 12: warehouse 1: district 2: customer {}: "
                       "C_BALANCE + C_YTD_PAYMENT is {}, the delivered lines "
                       "are {}",
                       c, Money(2 * amount), Money(amount)),
           fmt::format("delivery count: warehouse 1: district 2: customer {}: "
                       "C_DELIVERY_CNT is 2, 1 orders were delivered since the "
                       "load",
                       c)}));
}

TEST_F(CheckTest, Condition12FindsAPaymentThatIsNotInTheYear) {
  ChangeCustomer(4, [](Customer* row) { row->ytd_payment += 500; });
  EXPECT_EQ(Violations(),
            Sentences({"condition 12: warehouse 1: district 2: customer 4: "
                       "C_BALANCE + C_YTD_PAYMENT is 5.00, the delivered lines "
                       "are 0.00"}));
}

}  // namespace
}  // namespace waltax::tpcc
