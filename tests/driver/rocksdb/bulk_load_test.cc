#include <gtest/gtest.h>
#include <rocksdb/iterator.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "driver/random.h"
#include "driver/rocksdb/key_bytes.h"
#include "driver/rocksdb/tables.h"
#include "tests/driver/rocksdb/temporary_database.h"

namespace waltax {
namespace {

constexpr uint64_t kChunks = 12;
constexpr uint64_t kRowsOfChunk = 100;

// Rows of random values, drawn from a stream of the chunk's own; even numbers
// go to one table, odd ones to another.
void WriteChunk(uint64_t number, table::RowSink* chunk) {
  Random random(7, number);
  for (uint64_t i = 0; i < kRowsOfChunk; ++i) {
    const uint64_t row = number * kRowsOfChunk + i;
    Key<8> key;
    PutBigEndian(key.bytes.data(), row);
    chunk->Put(row % 2, key.view(), std::to_string(random.Next()));
  }
}

table::Load LoadOf(int threads) {
  table::Load load;
  load.threads = threads;
  load.chunks.resize(kChunks);
  std::iota(load.chunks.begin(), load.chunks.end(), 0);
  load.write = WriteChunk;
  return load;
}

Status LoadInto(TemporaryDatabase* database, const table::Load& load,
                LoadedRows* loaded) {
  return LoadTables(database->engine(), load, loaded);
}

using Rows = std::vector<std::pair<std::string, std::string>>;

Rows RowsIn(TemporaryDatabase* database) {
  Rows rows;
  for (size_t table = 1; table <= 2; ++table) {
    const std::unique_ptr<rocksdb::Iterator> row(
        database->db()->NewIterator({}, database->table(table)));
    for (row->SeekToFirst(); row->Valid(); row->Next()) {
      rows.emplace_back(row->key().ToString(), row->value().ToString());
    }
  }
  return rows;
}

TEST(BulkLoad, IngestsTheRowsOfAllChunks) {
  TemporaryDatabase database;
  LoadedRows loaded;
  const Status status = LoadInto(&database, LoadOf(2), &loaded);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(loaded.chunks, kChunks);
  EXPECT_EQ(loaded.rows, (std::vector<uint64_t>{600, 600}));
  EXPECT_GT(loaded.bytes, 0U);
  EXPECT_EQ(RowsIn(&database).size(), 1200U);
  EXPECT_FALSE(std::filesystem::exists(database.path() + "/load"));
}

TEST(BulkLoad, LoadsTheSameRowsWithAnyNumberOfThreadsAndInAnyOrder) {
  TemporaryDatabase one;
  TemporaryDatabase four;
  LoadedRows loaded;
  ASSERT_TRUE(LoadInto(&one, LoadOf(1), &loaded).ok());
  table::Load load = LoadOf(4);
  std::reverse(load.chunks.begin(), load.chunks.end());
  ASSERT_TRUE(LoadInto(&four, load, &loaded).ok());
  EXPECT_EQ(RowsIn(&one).size(), 1200U);
  EXPECT_TRUE(RowsIn(&one) == RowsIn(&four));
}

TEST(BulkLoad, BeginsTheChunksInTheirOrder) {
  TemporaryDatabase database;
  table::Load load = LoadOf(1);
  load.chunks = {5, 0, 3};
  std::vector<uint64_t> begun;
  load.write = [&begun](uint64_t number, table::RowSink* chunk) {
    begun.push_back(number);
    WriteChunk(number, chunk);
  };
  LoadedRows loaded;
  ASSERT_TRUE(LoadInto(&database, load, &loaded).ok());
  EXPECT_EQ(begun, load.chunks);
}

TEST(BulkLoad, LeavesATableWithoutRowsEmpty) {
  TemporaryDatabase database;
  table::Load load = LoadOf(2);
  load.write = [](uint64_t number, table::RowSink* chunk) {
    chunk->Put(0, "row " + std::to_string(100 + number), "");
  };
  LoadedRows loaded;
  const Status status = LoadInto(&database, load, &loaded);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(loaded.rows, (std::vector<uint64_t>{kChunks, 0}));
}

TEST(BulkLoad, IngestsNoRowWhenAChunkFails) {
  TemporaryDatabase database;
  table::Load load = LoadOf(2);
  load.write = [](uint64_t number, table::RowSink* chunk) {
    WriteChunk(number, chunk);
    if (number == 7) chunk->Put(0, "", "");  // behind its place
  };
  LoadedRows loaded;
  const Status status = LoadInto(&database, load, &loaded);
  EXPECT_EQ(status.exit_code(), 1);
  EXPECT_NE(status.message().find(database.path()), std::string::npos)
      << status.message();
  EXPECT_TRUE(RowsIn(&database).empty());
  EXPECT_FALSE(std::filesystem::exists(database.path() + "/load"));
}

}  // namespace
}  // namespace waltax
