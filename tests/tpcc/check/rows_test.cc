// Rows that are missing, garbled, or in one of two places only.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/tpcc/check/fixture.h"
#include "tpcc/keys.h"

namespace waltax::tpcc {
namespace {

class CheckRowsTest : public CheckTest {};

TEST_F(CheckRowsTest, ComparesTheCustomerIndexBothWays) {
  std::string key;
  const Customer customer = CustomerRow(4);
  AppendCustomerByName(1, 2, customer.last, customer.first, 4, &key);
  store_->Erase(Table::kCustomerByName, key);
  EXPECT_EQ(Violations(),
            Sentences({"customer index: warehouse 1: district 2: customer 4: "
                       "the table has a row, the index has none"}));
  std::string other;
  AppendCustomerByName(1, 2, "BARBARBAR", "Another", 4, &other);
  store_->Write(Table::kCustomerByName, key, "");
  store_->Write(Table::kCustomerByName, other, "");
  EXPECT_EQ(Violations(),
            Sentences({"customer index: warehouse 1: district 2: customer 4: "
                       "the index has a row of another name"}));
}

TEST_F(CheckRowsTest, ComparesTheOrderIndexBothWays) {
  const uint32_t c = OrderOf(2500).c_id;
  const uint32_t other = c == 1 ? 2 : 1;
  store_->Erase(Table::kOrderByCustomer,
                KeyOfOrderByCustomer(1, 2, c, 2500).slice());
  store_->Write(Table::kOrderByCustomer,
                KeyOfOrderByCustomer(1, 2, other, 2500).slice(), "");
  store_->Write(Table::kOrderByCustomer,
                KeyOfOrderByCustomer(1, 2, c, 9999).slice(), "");
  Sentences want = {
      fmt::format("order index: warehouse 1: district 2: customer {}: order "
                  "9999: there is no such order",
                  c),
      fmt::format("order index: warehouse 1: district 2: customer {}: order "
                  "2500: O_C_ID is {}",
                  other, c),
      fmt::format("order index: warehouse 1: district 2: customer {}: order "
                  "2500: no index row",
                  c)};
  std::sort(want.begin(), want.end());
  EXPECT_EQ(Violations(), want);
}

TEST_F(CheckRowsTest, FindsRowsWithoutTheirOrder) {
  store_->WriteRow(Table::kOrderLine, KeyOfOrderLine(1, 2, 3005, 1).slice(),
                   OrderLine{11, 1, 0, 0, 999, "dist"});
  store_->Write(Table::kNewOrder, KeyOfNewOrder(1, 2, 3005).slice(), "");
  const Sentences found = Violations();
  for (const std::string_view sentence :
       {"condition 5: warehouse 1: district 2: order 3005: a NEW-ORDER row "
        "without an order",
        "condition 6: warehouse 1: district 2: order 3005: line 1 without an "
        "order"}) {
    EXPECT_EQ(std::count(found.begin(), found.end(), sentence), 1) << sentence;
  }
}

TEST_F(CheckRowsTest, MissesNoRowOfATableThatNeverGrows) {
  store_->Erase(Table::kItem, KeyOfItem(77).slice());
  store_->Erase(Table::kStock, KeyOfStock(2, 78).slice());
  EXPECT_EQ(Violations(),
            Sentences({"item: item 77: the row is missing",
                       "stock: warehouse 2: 99999 rows, want 100000"}));
  store_->Restore();
  store_->Erase(Table::kWarehouse, KeyOfWarehouse(2).slice());
  EXPECT_EQ(Violations(),
            Sentences({"warehouse: warehouse 2: the row is missing"}));
  store_->Restore();
  store_->Erase(Table::kDistrict, KeyOfDistrict(1, 2).slice());
  EXPECT_EQ(Violations(),
            Sentences({"condition 1: warehouse 1: W_YTD is 300000.00, the sum "
                       "of D_YTD is 270000.00",
                       "district: warehouse 1: district 2: the row is "
                       "missing"}));
  store_->Restore();
  store_->Erase(Table::kCustomer, KeyOfCustomer(1, 2, 4).slice());
  EXPECT_EQ(Violations(),
            Sentences({"customer index: warehouse 1: district 2: customer 4: "
                       "the index has a row, the table has none",
                       "customer: warehouse 1: district 2: customer 4: the row "
                       "is missing"}));
}

TEST_F(CheckRowsTest, NamesValuesThatDoNotDecode) {
  store_->Write(Table::kHistory, KeyOfHistory(1, 2, 4, 2).slice(), "short");
  store_->Write(Table::kItem, KeyOfItem(77).slice(), "");
  store_->Write(Table::kNewOrder, KeyOfNewOrder(1, 2, 2500).slice(), "x");
  const Sentences found = Violations();
  for (const std::string_view sentence :
       {"history: warehouse 1: district 2: customer 4: the value does not "
        "decode",
        "item: item 77: the value does not decode",
        "new_order: warehouse 1: district 2: order 2500: the value does not "
        "decode"}) {
    EXPECT_EQ(std::count(found.begin(), found.end(), sentence), 1) << sentence;
  }
}

TEST_F(CheckRowsTest, NamesKeysThatCannotBe) {
  const std::string warehouse = KeyOfWarehouse(1).slice().ToString();
  store_->Write(Table::kOrder, warehouse + "x", "");
  store_->Write(Table::kCustomerByName, warehouse, "");
  store_->Write(Table::kOrderLine, KeyOfOrderLine(1, 11, 5, 6).slice(), "");
  store_->Write(Table::kHistory, KeyOfHistory(1, 2, 3001, 1).slice(), "");
  store_->Write(Table::kStock, KeyOfStock(1, 100'001).slice(), "");
  EXPECT_EQ(
      Violations(),
      Sentences({"customer_by_name: a key of 4 bytes",
                 "history: warehouse 1: district 2: customer 3001: there can "
                 "be no such row",
                 "order_line: warehouse 1: district 11: order 5: line 6: there "
                 "can be no such row",
                 "orders: a key of 5 bytes",
                 "stock: warehouse 1: item 100001: there can be no such row"}));
}

TEST_F(CheckRowsTest, NamesAPaymentInADistrictThatCannotBe) {
  Pay();
  store_->WriteRow(Table::kHistory, KeyOfHistory(1, 2, 4, 2).slice(),
                   History{2, 11, kNow, 1234, "data"});
  const Sentences found = Violations();
  EXPECT_EQ(std::count(found.begin(), found.end(),
                       "history: warehouse 1: district 2: customer 4: it was "
                       "paid in warehouse 2, district 11, which cannot be"),
            1);
}

// A store that cannot be read.
class BrokenStore : public Store {
 public:
  std::unique_ptr<Session> NewSession(uint64_t) override { return nullptr; }
  Status Scan(Table, std::string_view, const table::Visit&) const override {
    return Status::Failed("an I/O error");
  }
  [[nodiscard]] std::string_view isolation() const override { return "none"; }
};

TEST(Check, FailsWhenTheStoreCannotBeRead) {
  CheckResult result;
  const Status status = CheckConsistency(BrokenStore(), 3, 2, {}, &result);
  EXPECT_EQ(status.message(), "an I/O error");
  EXPECT_EQ(result.violations, Sentences());  // nothing is called missing
}

}  // namespace
}  // namespace waltax::tpcc
