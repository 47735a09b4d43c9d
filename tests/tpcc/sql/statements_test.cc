// The plans of all statements at the server's own settings. An optimizer that
// believes in an estimate of one row may take any index for any statement.
#include "tpcc/sql/statements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/tpcc/sql/fixture.h"

namespace waltax::tpcc {
namespace {

struct Plan {
  std::string sql;
  std::set<std::string> keys;
  // For its places; 1 for those that are not here.
  std::vector<std::string> texts = {};
};

std::vector<Plan> Plans() {
  const std::set<std::string> primary = {"PRIMARY"};
  std::vector<Plan> plans;
  for (const std::string_view sql :
       {sql::kTakeNumber, sql::kReadUnchanging, sql::kTakeStock,
        sql::kPayWarehouse, sql::kPayDistrict, sql::kPayCustomer,
        sql::kReadPaid, sql::kReadLines, sql::kLockOldest, sql::kTakeFromQueue,
        sql::kCreditCustomer, sql::kReadNextOrder}) {
    plans.push_back({std::string(sql), primary});
  }
  for (const std::string& sql :
       {sql::ReadItems(1), sql::ReadItems(15), sql::LockStock(1),
        sql::LockStock(15), sql::ReadDeliveredOrders(), sql::StampOrders(),
        sql::SumLines(), sql::StampLines()}) {
    plans.push_back({sql, primary});
  }
  plans.push_back({std::string(sql::kFindByName),
                   {"customer_name"},
                   {"1", "1", "BARBARBAR"}});
  plans.push_back(
      {std::string(sql::kReadNewest), {"PRIMARY", "orders_customer"}});
  plans.push_back({std::string(sql::kCountLow),
                   primary,
                   {"1", "1", "2981", "3001", "1", "15"}});
  return plans;
}

using SqlStatements = SqlTest;

TEST_F(SqlStatements, UseTheIndexThatIsMadeForThem) {
  for (const Plan& plan : Plans()) {
    const auto explain = std::make_unique<mariadb::Statement>(
        connection_.get(), "EXPLAIN " + plan.sql);
    explain->Begin();
    const auto places = std::count(plan.sql.begin(), plan.sql.end(), '?');
    for (size_t i = 0; i < static_cast<size_t>(places); ++i) {
      if (i < plan.texts.size()) {
        explain->Bind(plan.texts[i]);
      } else {
        explain->Bind(uint64_t{1});
      }
    }
    mariadb::SqlStatus status = explain->Execute();
    std::set<std::string> keys;
    while (explain->Next(&status)) {
      keys.emplace(explain->Text(5));
      EXPECT_EQ(explain->Text(9).find("filesort"), std::string_view::npos)
          << plan.sql;
      EXPECT_EQ(explain->Text(9).find("temporary"), std::string_view::npos)
          << plan.sql;
    }
    ASSERT_TRUE(status.ok()) << ToString(status);
    EXPECT_EQ(keys, plan.keys) << plan.sql;
  }
}

}  // namespace
}  // namespace waltax::tpcc
