// Faults that are planted in a server's tables: the check must name each, and
// nothing else once it is taken back.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "driver/sql/tables.h"
#include "tests/tpcc/sql/fixture.h"
#include "tpcc/keys.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {
namespace {

struct Fault {
  const char* plant;
  const char* take_back;
  const char* condition;  // what a violation begins with
};

constexpr Fault kFaults[] = {
    {"UPDATE warehouse SET w_ytd = w_ytd + 0.01 WHERE w_id = 1",
     "UPDATE warehouse SET w_ytd = w_ytd - 0.01 WHERE w_id = 1", "condition 1"},
    {"UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = 2 AND "
     "d_id = 9",
     "UPDATE district SET d_next_o_id = d_next_o_id - 1 WHERE d_w_id = 2 AND "
     "d_id = 9",
     "condition 2"},
    {"DELETE FROM new_orders WHERE no_w_id = 1 AND no_d_id = 8 AND no_o_id = "
     "2500",
     "INSERT INTO new_orders VALUES (1, 8, 2500)", "condition 3"},
    {"INSERT INTO new_orders VALUES (1, 8, 0)",
     "DELETE FROM new_orders WHERE no_w_id = 1 AND no_d_id = 8 AND no_o_id = 0",
     "condition 5"},
    {"UPDATE orders SET o_ol_cnt = o_ol_cnt + 1 WHERE o_w_id = 1 AND o_d_id = "
     "8 AND o_id = 3",
     "UPDATE orders SET o_ol_cnt = o_ol_cnt - 1 WHERE o_w_id = 1 AND o_d_id = "
     "8 AND o_id = 3",
     "condition 6"},
    {"UPDATE order_line SET ol_delivery_d = '2024-01-01' WHERE ol_w_id = 1 AND "
     "ol_d_id = 8 AND ol_o_id = 2999",
     "UPDATE order_line SET ol_delivery_d = NULL WHERE ol_w_id = 1 AND "
     "ol_d_id = 8 AND ol_o_id = 2999",
     "condition 7"},
    {"UPDATE history SET h_amount = h_amount + 0.02 WHERE h_c_w_id = 1 AND "
     "h_c_d_id = 8 AND h_c_id = 77 AND h_payment = 1",
     "UPDATE history SET h_amount = h_amount - 0.02 WHERE h_c_w_id = 1 AND "
     "h_c_d_id = 8 AND h_c_id = 77 AND h_payment = 1",
     "condition 8"},
    {"UPDATE customer SET c_balance = c_balance + 0.01 WHERE c_w_id = 1 AND "
     "c_d_id = 8 AND c_id = 77",
     "UPDATE customer SET c_balance = c_balance - 0.01 WHERE c_w_id = 1 AND "
     "c_d_id = 8 AND c_id = 77",
     "condition 10"},
    {"UPDATE stock SET s_ytd = s_ytd + 1 WHERE s_w_id = 2 AND s_i_id = 99999",
     "UPDATE stock SET s_ytd = s_ytd - 1 WHERE s_w_id = 2 AND s_i_id = 99999",
     "stock"},
};

using SqlCheck = SqlTest;

TEST_F(SqlCheck, NamesEachFaultThatIsPlanted) {
  // All at once, since a check takes seconds: no two are of one condition.
  for (const Fault& fault : kFaults) Execute(fault.plant);
  const std::vector<std::string> violations = Violations();
  for (const Fault& fault : kFaults) {
    bool named = false;
    for (const std::string& sentence : violations) {
      named = named || sentence.starts_with(fault.condition);
    }
    EXPECT_TRUE(named) << fault.condition;
    Execute(fault.take_back);
  }
  ExpectConsistent();
}

// An index that is read by way of its table could not differ from it.
TEST_F(SqlCheck, ReadsEachIndexForItself) {
  for (const auto& [table, index] :
       {std::pair(Table::kCustomerByName, "customer_name"),
        std::pair(Table::kOrderByCustomer, "orders_customer")}) {
    const WarehouseKey prefix = KeyOfWarehouse(1);
    std::vector<std::vector<std::string>> plan;
    ASSERT_TRUE(connection_
                    ->Query("EXPLAIN " + mariadb::ScanStatement(
                                             TableOf(table),
                                             prefix.slice().ToStringView()),
                            &plan)
                    .ok());
    ASSERT_EQ(plan.size(), 1U);
    EXPECT_EQ(plan[0][5], index);
    EXPECT_NE(plan[0][9].find("Using index"), std::string::npos);
    EXPECT_EQ(plan[0][9].find("filesort"), std::string::npos);
  }
}

// tpcc_load makes no such index, and its history has no number of a payment.
TEST_F(SqlCheck, SaysWhichIndexOrColumnIsMissing) {
  const auto refusal = [&] {
    CheckResult result;
    const Status status = CheckConsistency(*store_, 2, 2, {}, &result);
    EXPECT_EQ(status.exit_code(), 2);
    return status.message();
  };
  Execute("ALTER TABLE customer DROP KEY customer_name");
  std::string said = refusal();
  EXPECT_NE(said.find("--database: "), said.npos) << said;
  EXPECT_NE(said.find("Key 'customer_name' doesn't exist"), said.npos) << said;
  Execute(
      "ALTER TABLE customer ADD KEY customer_name "
      "(c_w_id, c_d_id, c_last, c_first)");
  Execute("ALTER TABLE history RENAME COLUMN h_payment TO h_other");
  said = refusal();
  EXPECT_NE(said.find("h_payment"), said.npos) << said;
  Execute("ALTER TABLE history RENAME COLUMN h_other TO h_payment");
}

TEST_F(SqlCheck, LetsAClientInsertHistoryWithTheSpecificationsColumnsOnly) {
  for (int payment = 0; payment < 3; ++payment) {
    Execute(
        "INSERT INTO history (h_c_d_id, h_c_w_id, h_c_id, h_d_id, h_w_id, "
        "h_date, h_amount, h_data) VALUES (8, 1, 77, 8, 1, NOW(), 1, 'x')");
  }
  EXPECT_EQ(Ask("SELECT COUNT(*) FROM history WHERE h_c_w_id = 1 AND h_c_d_id "
                "= 8 AND h_c_id = 77 AND h_payment >= 2147483648"),
            "3");
  Execute("DELETE FROM history WHERE h_data = 'x'");
}

TEST_F(SqlCheck, ReadsTheRowsOfAnyPrefix) {
  const auto count = [&](Table table, const auto& key, size_t bytes) {
    return RowsOf(*store_, table, key.slice().ToStringView().substr(0, bytes))
        .size();
  };
  EXPECT_EQ(count(Table::kDistrict, KeyOfDistrict(2, 1), 4), 10U);
  EXPECT_EQ(count(Table::kDistrict, KeyOfDistrict(2, 1), 5), 1U);
  EXPECT_EQ(count(Table::kCustomer, KeyOfCustomer(2, 1, 0), 5), 3000U);
  // Numbers 256 to 511: the prefix ends inside of a number.
  EXPECT_EQ(count(Table::kCustomer, KeyOfCustomer(2, 1, 256), 8), 256U);
  EXPECT_EQ(count(Table::kItem, KeyOfItem(5), 4), 1U);
}

}  // namespace
}  // namespace waltax::tpcc
