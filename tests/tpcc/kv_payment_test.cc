#include <gtest/gtest.h>

#include "tests/tpcc/kv_small_world.h"

namespace waltax::tpcc {
namespace {

class KvPaymentTest : public testing::Test {
 protected:
  PaymentOutput Pay(const PaymentInput& input) {
    PaymentOutput output;
    EXPECT_TRUE(Done(session_->Payment(input, &output)));
    return output;
  }
  uint32_t PayerNamed(std::string_view last) {
    PaymentInput input = PaymentOf(1, 1, 0, 100);
    input.customer.last = last;
    return Pay(input).c_id;
  }

  SmallWorld world_;
  std::unique_ptr<Session> session_ = world_.NewSession();
};

TEST_F(KvPaymentTest, AddsToWarehouseAndDistrict) {
  const Cents w_ytd = world_.warehouse(1)->ytd;
  const Cents d_ytd = world_.district(1, 4)->ytd;
  Pay(PaymentOf(1, 4, 2, 12345));
  EXPECT_EQ(world_.warehouse(1)->ytd, w_ytd + 12345);
  EXPECT_EQ(world_.district(1, 4)->ytd, d_ytd + 12345);
  EXPECT_EQ(world_.district(1, 4)->next_o_id, 7);
  EXPECT_EQ(world_.warehouse(2)->ytd, w_ytd);
}

TEST_F(KvPaymentTest, UpdatesAllThreeColumnsOfTheCustomer) {
  const PaymentOutput output = Pay(PaymentOf(1, 4, 2, 12345));
  const auto customer = world_.customer(1, 4, 2);
  EXPECT_EQ(customer->balance, -1000 - 12345);
  EXPECT_EQ(customer->ytd_payment, 1000 + 12345);
  EXPECT_EQ(customer->payment_cnt, 2);
  EXPECT_EQ(customer->data, "first data");
  EXPECT_EQ(customer->last, "BARBARBAR");
  EXPECT_EQ(output.c_balance, customer->balance);
  EXPECT_EQ(output.c_credit_lim, 5'000'000);
  EXPECT_EQ(output.c_credit, "GC");
  EXPECT_EQ(output.c_data, "");
}

TEST_F(KvPaymentTest, KeepsEachPaymentAsHistoryOfItsCustomer) {
  PaymentInput input = PaymentOf(1, 4, 2, 12345);
  input.customer.w_id = 2;
  input.customer.d_id = 9;
  const PaymentOutput output = Pay(input);
  Pay(input);
  const ReadBack<History> history(world_.tables(), Table::kHistory,
                                  KeyOfHistory(2, 9, 2, 2).slice());
  EXPECT_EQ(history->w_id, 1);
  EXPECT_EQ(history->d_id, 4);
  EXPECT_EQ(history->amount, 12345);
  EXPECT_EQ(history->date, output.date);
  EXPECT_EQ(history->data, "North    Upper");
  EXPECT_TRUE(world_.Has(Table::kHistory, KeyOfHistory(2, 9, 2, 3).slice()));
  EXPECT_EQ(world_.customer(2, 9, 2)->payment_cnt, 3);
}

TEST_F(KvPaymentTest, PutsThePaymentBeforeTheDataOfABadCredit) {
  const PaymentOutput output = Pay(PaymentOf(1, 4, 6, 12305));
  EXPECT_EQ(world_.customer(1, 4, 6)->data, "6 4 1 4 1 123.05 first data");
  EXPECT_EQ(output.c_credit, "BC");
  EXPECT_EQ(output.c_data, "6 4 1 4 1 123.05 first data");
}

TEST_F(KvPaymentTest, CutsTheDataOfABadCreditAt500AndShows200) {
  for (int i = 0; i < 40; ++i) Pay(PaymentOf(1, 4, 6, 12305));
  const PaymentOutput output = Pay(PaymentOf(1, 4, 6, 777));
  const auto customer = world_.customer(1, 4, 6);
  EXPECT_EQ(customer->data.size(), 500);
  EXPECT_TRUE(customer->data.starts_with("6 4 1 4 1 7.77 6 4 1 4 1 123.05 "));
  EXPECT_EQ(output.c_data, customer->data.substr(0, 200));
}

TEST_F(KvPaymentTest, ChoosesTheMiddleOneOfAnOddNumberOfNamesakes) {
  // By first name: Anna (2), Bert (3), Carl (1).
  EXPECT_EQ(PayerNamed("BARBARBAR"), 3);
}

TEST_F(KvPaymentTest, ChoosesTheFirstOfTwoNamesakes) {
  // By first name: Yan (5), Zoe (4).
  EXPECT_EQ(PayerNamed("OUGHTOUGHTOUGHT"), 5);
}

TEST_F(KvPaymentTest, TakesNoNameThatOnlyBeginsLikeIt) {
  std::string longer;
  AppendCustomerByName(1, 1, "ABLEABLEABLEX", "Aaa", 1, &longer);
  world_.PutBytes(Table::kCustomerByName, longer, "");
  EXPECT_EQ(PayerNamed("ABLEABLEABLE"), 6);
}

}  // namespace
}  // namespace waltax::tpcc
