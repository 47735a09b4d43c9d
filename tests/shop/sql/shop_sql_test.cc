#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "shop/sql/loader.h"
#include "shop/sql/store.h"
#include "tests/mariadb/server.h"
#include "tests/shop/store_suite.h"

namespace waltax::shop {
namespace {

struct Database {
  SqlPlace place = {mariadb::TestServer("shop_test"), mariadb::TestEngine()};
  std::unique_ptr<mariadb::Connection> connection =
      mariadb::Connect(place.server);

  void Load(const DataOptions& data) {
    SqlLoaded loaded;
    const Status status =
        LoadSql(place, data, kTestSeed, 2, [](const SqlLoaded&) {}, &loaded);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(loaded.rows, data.rows);
  }
  [[nodiscard]] std::unique_ptr<Store> Open(const DataOptions& data) const {
    return std::make_unique<SqlStore>(place, Population(data.rows, kTestSeed),
                                      100);
  }
  Texts Violations(const DataOptions& data) {
    CheckResult result;
    const Status status = Open(data)->Check(std::nullopt, 2, &result);
    EXPECT_TRUE(status.ok()) << status.message();
    return result.violations;
  }
  void Sql(const std::string& sql) { mariadb::MustExecute(*connection, sql); }
};

std::unique_ptr<Store> OpenSql(std::shared_ptr<void>* keeper) {
  const auto database = std::make_shared<Database>();
  *keeper = database;
  database->Load(TestOptions().data);
  return database->Open(TestOptions().data);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreTest,
                         testing::Values(StoreUnderTest{"sql", OpenSql}),
                         StoreName);

class ShopSqlTest : public testing::Test {
 protected:
  Database database_;
  DataOptions data_ = TestOptions().data;
};

// More than one step of a table; with MyRocks the first by files, the second
// by inserts.
TEST_F(ShopSqlTest, LoadsTheSameRowsSortedAndUnsorted) {
  data_.rows = 50'000;
  database_.Load(data_);
  EXPECT_EQ(database_.Violations(data_), Texts{});
  uint64_t seed = 0;
  mariadb::Connection& connection = *database_.connection;
  EXPECT_TRUE(VerifySqlDataSet(connection, database_.place, data_, &seed).ok());
  EXPECT_EQ(seed, kTestSeed);
  Database other;
  data_.load_order = "unsorted";
  other.Load(data_);
  EXPECT_EQ(other.Violations(data_), Texts{});
}

TEST_F(ShopSqlTest, FindsFaultsOfEachTable) {
  database_.Load(data_);
  const auto id = [](Table table, uint64_t number) {
    return std::to_string(UidOf(table, kLoadMachine, number));
  };
  const std::string customer = id(Table::kCustomers, 1);
  const std::string product = id(Table::kProducts, 2);
  const std::string sold_out = id(Table::kProducts, 4);
  const std::string order = id(Table::kOrders, 3);
  database_.Sql("DELETE FROM customers WHERE customer_id = " + customer);
  database_.Sql("UPDATE products SET price = 0.01 WHERE product_id = " +
                product);
  database_.Sql(
      "UPDATE products SET quantity = -1, changes = 1 WHERE "
      "product_id = " +
      sold_out);  // an update as any other
  database_.Sql("UPDATE orders SET customer_id = 1 WHERE order_id = " + order);
  EXPECT_EQ(database_.Violations(data_),
            (Texts{"customers: " + customer + " is missing",
                   "index: " + order +
                       " has an entry of another customer, or no order",
                   "index: " + order + " has no entry",
                   "orders: " + order + " holds what was never written",
                   "products: " + product + " holds what was never written"}));
}

TEST_F(ShopSqlTest, SaysWhyASessionCannotConnect) {
  SqlPlace nowhere = database_.place;
  nowhere.server.socket += ".none";
  SqlStore store(nowhere, Population(kTestRows, kTestSeed), 1);
  const auto session = store.NewSession(1);
  const Reply reply = session->SetQuantity(1, 1);
  EXPECT_TRUE(reply.fatal);
  ASSERT_NE(reply.error, nullptr);
  EXPECT_NE(reply.error->find(nowhere.server.socket), std::string::npos);
}

}  // namespace
}  // namespace waltax::shop
