// What a load writes, and what a data set says of itself.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tpcc/kv/fixture.h"
#include "tests/tpcc/row_store.h"
#include "tests/tpcc/store_reading.h"
#include "tpcc/check/check.h"
#include "tpcc/population.h"
#include "tpcc/store.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {
namespace {

constexpr PopulationOptions kTwoWarehouses = {2, 7, 1'700'000'000'000};

TEST(Loader, WritesThePopulationWithAnyNumberOfThreads) {
  const RowStore population(kTwoWarehouses);
  for (const int threads : {1, 3}) {
    TemporaryDatabase database;
    const LoadedRows loaded = database.Load(kTwoWarehouses, threads);
    const auto store = NewKvStore(database.engine(), 0);
    for (size_t i = 0; i < kTables; ++i) {
      const auto table = static_cast<Table>(i);
      EXPECT_EQ(loaded.rows[i], population.rows(table).size());
      const Rows rows = RowsOf(*store, table);
      EXPECT_TRUE(Rows(population.rows(table).begin(),
                       population.rows(table).end()) == rows)
          << Tables()[i].name;
    }
  }
}

TEST(Loader, LeavesADatabaseThatIsConsistent) {
  TemporaryDatabase database;
  database.Load(kTwoWarehouses);
  CheckResult result;
  ASSERT_TRUE(
      CheckConsistency(*NewKvStore(database.engine(), 0), 2, 2, {}, &result)
          .ok());
  EXPECT_TRUE(result.violations.empty()) << result.violations.front();
}

TEST(DataSet, RemembersWhatARunMustKnow) {
  TemporaryDatabase database;
  const LoadedRows loaded = database.Load(kTwoWarehouses);
  const nlohmann::json record = ToRecord(kTwoWarehouses, loaded);
  DataSet data_set;
  ASSERT_TRUE(FromRecord(record, &data_set));
  EXPECT_EQ(data_set.warehouses, 2U);
  EXPECT_EQ(data_set.c_last, LastNameConstant(7));
  EXPECT_EQ(record["seed"], 7);
  EXPECT_EQ(record["loaded_at_ms"], kTwoWarehouses.loaded_at_ms);
  EXPECT_EQ(record["rows"]["order_line"],
            loaded.rows[static_cast<size_t>(Table::kOrderLine)]);
}

TEST(DataSet, IsRefusedWhenANumberThatARunNeedsCannotBe) {
  DataSet data_set;
  const nlohmann::json whole = {{"warehouses", 2U}, {"c_last", 7U}};
  const std::vector<nlohmann::json> damages = {
      {{"warehouses", 0}},
      {{"warehouses", -1}},
      {{"warehouses", "two"}},
      {{"warehouses", 1.5}},
      {{"warehouses", uint64_t{1} << 32 | 2}},
      {{"c_last", 256}},
      {{"c_last", nullptr}}};
  for (const nlohmann::json& damage : damages) {
    nlohmann::json record = whole;
    record.merge_patch(damage);
    EXPECT_FALSE(FromRecord(record, &data_set)) << damage;
  }
  EXPECT_TRUE(FromRecord(whole, &data_set));
}

TEST(LastNameConstant, IsAnyOfItsRangeBySeed) {
  bool low = false;
  bool high = false;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const uint32_t c = LastNameConstant(seed);
    ASSERT_LE(c, 255U);
    low = low || c == 0;
    high = high || c == 255;
  }
  EXPECT_TRUE(low && high);
}

}  // namespace
}  // namespace waltax::tpcc
