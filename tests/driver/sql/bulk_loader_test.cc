#include "driver/sql/bulk_loader.h"

#include <array>
#include <limits>
#include <thread>

#include "tests/driver/sql/server.h"

namespace waltax::mariadb {
namespace {

class BulkLoaderTest : public ServerTest {
 protected:
  BulkLoaderTest() {
    CreateTable("t",
                "id BIGINT UNSIGNED PRIMARY KEY, n INT NULL, text LONGBLOB, "
                "KEY by_n (n, id)");
    CreateTable("u", "id BIGINT PRIMARY KEY");
  }
  std::unique_ptr<BulkLoader> Loader() {
    return std::make_unique<BulkLoader>(
        connection_.get(), TestEngine(),
        std::vector<BulkTable>{{"t", "id, n, text"}, {"u", "id"}});
  }
  static void Add(BulkLoader* loader, uint64_t id, int64_t n,
                  std::string_view text) {
    loader->BeginRow(0);
    loader->Number(id);
    loader->Number(n);
    loader->Text(text);
    loader->EndRow();
  }
  std::string Asked(std::string_view sql) { return Ask(*connection_, sql); }
};

TEST_F(BulkLoaderTest, CarriesEveryByteAndNull) {
  const auto loader = Loader();
  Add(loader.get(), 1, -1, EveryByte());
  Add(loader.get(), 2, 2, "");
  Add(loader.get(), 3, 3, "\\N");
  loader->BeginRow(0);
  loader->Number(std::numeric_limits<uint64_t>::max());
  loader->Null();
  loader->Null();
  loader->EndRow();
  const Status status = loader->Finish();
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(Asked("SELECT text FROM t WHERE id = 1"), EveryByte());
  EXPECT_EQ(Asked("SELECT text IS NOT NULL FROM t WHERE id = 2"), "1");
  EXPECT_EQ(Asked("SELECT text FROM t WHERE id = 3"), "\\N");
  EXPECT_EQ(Asked("SELECT id FROM t WHERE n IS NULL AND text IS NULL"),
            "18446744073709551615");
  EXPECT_EQ(Asked("SELECT COUNT(*) FROM t"), "4");
}

TEST_F(BulkLoaderTest, CountsTheSameThroughBothKeysOverSeveralRoundTrips) {
  const auto loader = Loader();
  const std::string text(1000, 'x');
  constexpr uint64_t kRows = 20'000;  // 20 MB
  for (uint64_t id = 0; id < kRows; ++id) {
    Add(loader.get(), id, static_cast<int64_t>(id * 7919 % 1000), text);
    if (id % 2 == 0) {
      loader->BeginRow(1);
      loader->Number(static_cast<int64_t>(id));
      loader->EndRow();
    }
  }
  const Status status = loader->Finish();
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(Asked("SELECT COUNT(*) FROM t FORCE INDEX (PRIMARY)"), "20000");
  EXPECT_EQ(Asked("SELECT COUNT(*) FROM t FORCE INDEX (by_n) WHERE n >= 0"),
            "20000");
  EXPECT_EQ(Asked("SELECT COUNT(*) FROM t FORCE INDEX (by_n) WHERE n = 7"),
            "20");
  EXPECT_EQ(Asked("SELECT COUNT(*) FROM u"), "10000");
}

TEST_F(BulkLoaderTest, LeavesTheConnectionAsItWas) {
  const auto loader = Loader();
  Add(loader.get(), 1, 1, "a");
  ASSERT_TRUE(loader->Finish().ok());
  if (TestEngine() == "myrocks") {
    EXPECT_EQ(Asked("SELECT @@rocksdb_bulk_load"), "0");
  }
  MustExecute(*connection_, "INSERT INTO t VALUES (2, 2, 'b')");
  EXPECT_EQ(Asked("SELECT COUNT(*) FROM t"), "2");
}

TEST_F(BulkLoaderTest, LoadsChunksOfSeveralConnectionsIntoOneTable) {
  const auto other = Connect(flags_);
  const auto first = Loader();
  BulkLoader second(other.get(), TestEngine(), {{"t", "id, n, text"}});
  for (uint64_t id = 0; id < 1000; ++id) {
    Add(first.get(), id, 1, "a");
    Add(&second, 1000 + id, 1, "b");
  }
  ASSERT_TRUE(second.Finish().ok());
  ASSERT_TRUE(first->Finish().ok());
  EXPECT_EQ(Asked("SELECT COUNT(*) FROM t FORCE INDEX (by_n) WHERE n = 1"),
            "2000");
}

TEST_F(BulkLoaderTest, LoadsChunksOfSeveralThreadsAtATime) {
  constexpr uint64_t kThreads = 4;
  constexpr uint64_t kChunks = 4;
  constexpr uint64_t kRows = 1250;
  std::vector<std::thread> threads;
  std::array<std::string, kThreads> failures;
  for (uint64_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([this, thread, &failures] {
      const auto connection = Connect(flags_);
      for (uint64_t chunk = 0; chunk < kChunks; ++chunk) {
        BulkLoader loader(connection.get(), TestEngine(),
                          {{"t", "id, n, text"}});
        const uint64_t first = (chunk * kThreads + thread) * kRows;
        for (uint64_t i = 0; i < kRows; ++i) Add(&loader, first + i, 1, "a");
        const Status status = loader.Finish();
        if (!status.ok()) failures[thread] = status.message();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& failure : failures) EXPECT_EQ(failure, "");
  EXPECT_EQ(Asked("SELECT COUNT(*) FROM t FORCE INDEX (PRIMARY)"), "20000");
  EXPECT_EQ(Asked("SELECT COUNT(*) FROM t FORCE INDEX (by_n) WHERE n = 1"),
            "20000");
}

TEST_F(BulkLoaderTest, WantsRowsThatAscendOnMyrocksOnly) {
  const auto loader = Loader();
  // The server takes descending rows as well.
  for (const uint64_t id : {1, 3, 2}) Add(loader.get(), id, 0, "");
  const Status status = loader->Finish();
  if (TestEngine() == "innodb") {
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(Asked("SELECT COUNT(*) FROM t"), "3");
    return;
  }
  EXPECT_EQ(status.exit_code(), 1);
  EXPECT_NE(status.message().find("load rows into t"), std::string::npos)
      << status.message();
}

TEST_F(BulkLoaderTest, FailsWhenAValueDoesNotFitAndSaysWhich) {
  const auto loader = Loader();
  Add(loader.get(), 1, int64_t{1} << 40, "");
  const Status status = loader->Finish();
  EXPECT_EQ(status.exit_code(), 1);
  EXPECT_NE(status.message().find("Out of range value for column 'n'"),
            std::string::npos)
      << status.message();
}

TEST_F(BulkLoaderTest, KeepsItsFirstFailureAndDoesNothingMore) {
  BulkLoader loader(connection_.get(), TestEngine(),
                    {{"missing", "id"}, {"u", "id"}});
  for (const size_t table : {size_t{0}, size_t{1}}) {
    loader.BeginRow(table);
    loader.Number(int64_t{1});
    loader.EndRow();
  }
  EXPECT_NE(loader.Finish().message().find("missing"), std::string::npos);
  EXPECT_FALSE(loader.status().ok());
  EXPECT_EQ(Asked("SELECT COUNT(*) FROM u"), "0");
}

}  // namespace
}  // namespace waltax::mariadb
