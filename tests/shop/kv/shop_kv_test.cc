// What only the store on RocksDB does: loads, and faults below its seam.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "shop/kv/loader.h"
#include "shop/kv/row_codec.h"
#include "shop/kv/store.h"
#include "tests/driver/rocksdb/temporary_database.h"

namespace waltax::shop {
namespace {

using Texts = std::vector<std::string>;

class ShopKvTest : public testing::Test {
 protected:
  DataOptions Loaded(const std::string& order, uint64_t rows) {
    DataOptions data;
    data.rows = rows;
    data.load_order = order;
    KvLoaded loaded;
    const Status status =
        Load(database_.engine(), data, 7, 2, [](const KvLoaded&) {}, &loaded);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(loaded.rows, rows);
    EXPECT_GT(loaded.bytes, 300 * rows);  // such texts do not compress
    return data;
  }
  Texts Violations(const DataOptions& data) {
    CheckResult result;
    const Status status =
        KvStore(database_.engine(), Population(data.rows, 7), 1)
            .Check(std::nullopt, 2, &result);
    if (!status.ok()) return {status.message()};
    return result.violations;
  }

  TemporaryDatabase database_{KvTableNames()};
};

// More than one step of a table.
TEST_F(ShopKvTest, LoadsAllRowsSorted) {
  EXPECT_EQ(Violations(Loaded("sorted", 50'000)), Texts{});
}

TEST_F(ShopKvTest, LoadsTheSameRowsUnsorted) {
  const DataOptions data = Loaded("unsorted", 50'000);
  EXPECT_EQ(Violations(data), Texts{});
  // They are in tables, though no log has them.
  database_.Close();
  database_.Open();
  EXPECT_EQ(Violations(data), Texts{});
}

TEST_F(ShopKvTest, KnowsWhatItWasLoadedWith) {
  DataOptions data = Loaded("sorted", 1'000);
  uint64_t seed = 0;
  EXPECT_TRUE(VerifyDataSet(database_.engine(), "x", data, &seed).ok());
  EXPECT_EQ(seed, 7U);
  data.load_order = "unsorted";
  const Status status = VerifyDataSet(database_.engine(), "x", data, &seed);
  EXPECT_EQ(status.message(),
            "--load-order: found unsorted, but the data set in x was loaded "
            "with sorted: pass that, or load another");
}

TEST_F(ShopKvTest, FindsBytesThatAreNoRow) {
  const DataOptions data = Loaded("sorted", 1'000);
  const auto key = RowKey(UidOf(Table::kProducts, kLoadMachine, 0));
  const auto write = database_.engine().write_options();
  ASSERT_TRUE(
      database_.db()->Put(write, database_.table(2), key.slice(), "x").ok());
  const Texts found = Violations(data);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].ends_with("of products has bytes that are no row"))
      << found[0];
}

TEST_F(ShopKvTest, FindsAnEntryThatWasLost) {
  const DataOptions data = Loaded("sorted", 1'000);
  Order order;
  Population(1'000, 7).Write(11, &order);
  const auto key = EntryKey(order.customer_id, order.id);
  ASSERT_TRUE(database_.db()
                  ->Delete(database_.engine().write_options(),
                           database_.table(4), key.slice())
                  .ok());
  EXPECT_EQ(Violations(data),
            Texts{"index: " + std::to_string(order.id) + " has no entry"});
}

}  // namespace
}  // namespace waltax::shop
