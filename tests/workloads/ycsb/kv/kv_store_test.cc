#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/workloads/ycsb/kv/fixture.h"
#include "tests/workloads/ycsb/operations.h"
#include "workloads/ycsb/kv/row_codec.h"
#include "workloads/ycsb/workload.h"

namespace waltax::ycsb {
namespace {

DataOptions Data(uint64_t records) {
  Options options;
  options.data.recordcount = records;
  EXPECT_TRUE(Resolve(&options).ok());
  return options.data;
}

uint64_t LoadInto(TemporaryDatabase* database, const DataOptions& data,
                  int threads) {
  RecordsLoaded loaded;
  const Status status =
      NewKvStore(database->engine(), data, 1)->Load({7, threads}, &loaded);
  EXPECT_TRUE(status.ok()) << status.message();
  return loaded.records;
}

std::vector<std::string> Violations(TemporaryDatabase* database,
                                    const DataOptions& data) {
  CheckResult result;
  const auto store = NewKvStore(database->engine(), data, 1);
  EXPECT_TRUE(CheckRecords(data, {}, 2, store.get(), &result).ok());
  return result.violations;
}

// 23 bytes of key, eight of counter, and the 1,140 of the original's value.
TEST(RowCodec, WritesFieldsAsTheOriginalDoes) {
  DataOptions data;
  const RecordModel model(data);
  const RowCodec codec(model.names());
  const std::string field(100, 'x');
  Row row;
  row.counter = 3;
  row.fields.assign(10, field);
  std::string bytes;
  codec.Encode(row, &bytes);
  EXPECT_EQ(bytes.size(), 8U + 1140U);
  EXPECT_EQ(bytes.substr(8, 14), (std::string("\0\0\0\6field0\0\0\0\x64", 14)));
  Row read;
  ASSERT_TRUE(codec.Decode(bytes, std::nullopt, &read));
  EXPECT_EQ(read.fields, row.fields);
  EXPECT_EQ(read.counter, 3U);
}

TEST(RowCodec, RefusesBytesThatAreNoRecord) {
  DataOptions data;
  data.fieldcount = 2;
  const RowCodec codec(RecordModel(data).names());
  Row row;
  row.fields = {"a", "b"};
  std::string bytes;
  codec.Encode(row, &bytes);
  for (size_t cut = 0; cut < bytes.size(); ++cut) {
    EXPECT_FALSE(codec.Decode(bytes.substr(0, cut), std::nullopt, &row)) << cut;
  }
  EXPECT_FALSE(codec.Decode(bytes + "x", std::nullopt, &row));
  bytes[14] = 'F';
  EXPECT_FALSE(codec.Decode(bytes, std::nullopt, &row));
}

TEST(Loader, LoadsAllRecordsOnce) {
  TemporaryDatabase database;
  const DataOptions data = Data(40'000);
  EXPECT_EQ(LoadInto(&database, data, 2), 40'000U);
  EXPECT_TRUE(Violations(&database, data).empty());
}

TEST(Loader, LoadsTheRangeThatItIsTold) {
  TemporaryDatabase database;
  Options options;
  options.data.recordcount = 1000;
  options.data.insertstart = 100;
  options.data.insertcount = 50;
  options.data.insertorder = "ordered";
  options.data.zeropadding = 4;
  options.data.dataintegrity = true;
  ASSERT_TRUE(Resolve(&options).ok());
  EXPECT_EQ(LoadInto(&database, options.data, 1), 50U);
  EXPECT_TRUE(Violations(&database, options.data).empty());
  const auto store = NewKvStore(database.engine(), options.data, 1);
  const auto session = store->NewSession(1);
  Row row;
  EXPECT_FALSE(Read(*session, "user0099", std::nullopt, &row).found);
  EXPECT_TRUE(Read(*session, "user0100", std::nullopt, &row).found);
  EXPECT_TRUE(row.fields[3].starts_with("user0100:field3:"));
  EXPECT_TRUE(Read(*session, "user0149", std::nullopt, &row).found);
  EXPECT_FALSE(Read(*session, "user0150", std::nullopt, &row).found);
}

TEST(Loader, LoadsTheSameWhateverTheNumberOfThreads) {
  const DataOptions data = Data(20'000);
  std::vector<std::string> rows;
  for (const int threads : {1, 3}) {
    TemporaryDatabase database;
    LoadInto(&database, data, threads);
    const auto store = NewKvStore(database.engine(), data, 1);
    const auto session = store->NewSession(1);
    Row row;
    ASSERT_TRUE(
        Read(*session, "user7592201923306675823", std::nullopt, &row).found ||
        Read(*session, "user6284781860667377211", std::nullopt, &row).found);
    rows.emplace_back(row.fields[0]);
  }
  EXPECT_EQ(rows[0], rows[1]);
}

TEST(KvStore, GivesUpAConflictAfterItsRetriesAndCountsThem) {
  TemporaryDatabase database;
  const DataOptions data = Data(1000);
  LoadInto(&database, data, 1);
  const auto store = NewKvStore(database.engine(), data, /*max_retries=*/1);
  const std::string key = "user6284781860667377211";
  const std::unique_ptr<rocksdb::Transaction> holder(
      database.engine().db()->BeginTransaction(rocksdb::WriteOptions()));
  std::string row;
  ASSERT_TRUE(holder
                  ->GetForUpdate(rocksdb::ReadOptions(),
                                 database.engine().column_family(1), key, &row)
                  .ok());
  const auto session = store->NewSession(1);
  const Values values{0, {"x"}, {}};
  const Reply reply = Update(*session, key, values);
  ASSERT_NE(reply.error, nullptr);
  EXPECT_EQ(reply.conflicts.total(), 1U);
  EXPECT_FALSE(reply.fatal);
  (void)holder->Rollback();
  EXPECT_EQ(Update(*session, key, values).error, nullptr);
}

TEST(KvStore, FindsAGarbledRecord) {
  TemporaryDatabase database;
  const DataOptions data = Data(1000);
  LoadInto(&database, data, 1);
  const std::string key = "user6284781860667377211";
  ASSERT_TRUE(database.engine()
                  .db()
                  ->Put(rocksdb::WriteOptions(),
                        database.engine().column_family(1), key, "none")
                  .ok());
  EXPECT_EQ(Violations(&database, data),
            (std::vector<std::string>{"records: " + key +
                                      " has a value that is no record"}));
  const auto store = NewKvStore(database.engine(), data, 1);
  const auto session = store->NewSession(1);
  Row row;
  const Values values{0, {"x"}, {}};
  EXPECT_TRUE(Read(*session, key, std::nullopt, &row).fatal);
  EXPECT_TRUE(Update(*session, key, values).fatal);
  EXPECT_TRUE(Scan(*session, key, 1, std::nullopt).fatal);
}

}  // namespace
}  // namespace waltax::ycsb
