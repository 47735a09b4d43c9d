#include "driver/rocksdb/engine.h"

#include <gtest/gtest.h>
#include <rocksdb/perf_level.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "driver/rocksdb/status.h"
#include "tests/driver/rocksdb/engine_fixture.h"

namespace waltax {
namespace {

TEST_F(RocksdbEngineTest, SyncsTheWalOncePerCommitWithSync) {
  MustOpen();
  const Counters before = engine_->Snapshot();
  for (int i = 0; i < 5; ++i) Put("key", "value");
  const Counters after = engine_->Snapshot();
  EXPECT_EQ(after.at("rocksdb.wal.synced") - before.at("rocksdb.wal.synced"),
            5U);
  EXPECT_GT(after.at("rocksdb.wal.bytes"), before.at("rocksdb.wal.bytes"));
  EXPECT_GT(WalBytes(), 0U);
}

TEST_F(RocksdbEngineTest, CountsTheBytesOfTablesAndMemtablesOfAllFamilies) {
  flags_.durability = "flush";
  WriteOptionsFile("[CFOptions \"default\"]\n  compression=kNoCompression\n");
  MustOpen();
  const std::string value(1 << 20, 'x');
  const uint64_t empty = engine_->DataBytes();
  Put("memory", value);
  EXPECT_GE(engine_->DataBytes(), empty + value.size());
  auto* second = engine_->column_family(1);
  ASSERT_TRUE(engine_->db()
                  ->Put(engine_->write_options(), second, "table", value)
                  .ok());
  ASSERT_TRUE(engine_->db()->Flush({}, second).ok());
  EXPECT_GE(engine_->DataBytes(), empty + 2 * value.size());
}

TEST_F(RocksdbEngineTest, WritesTheWalWithoutSyncsWithFlush) {
  flags_.durability = "flush";
  MustOpen();
  Put("key", "value");
  EXPECT_EQ(engine_->Snapshot().at("rocksdb.wal.synced"), 0U);
  EXPECT_GT(engine_->Snapshot().at("rocksdb.wal.bytes"), 0U);
  EXPECT_GT(WalBytes(), 0U);
}

TEST_F(RocksdbEngineTest, WritesNoWalByteWithOff) {
  flags_.durability = "off";
  MustOpen();
  for (int i = 0; i < 100; ++i) Put("key", "value");
  const Counters counters = engine_->Snapshot();
  EXPECT_EQ(counters.at("rocksdb.wal.bytes"), 0U);
  EXPECT_EQ(counters.at("rocksdb.wal.synced"), 0U);
  EXPECT_EQ(counters.at("rocksdb.number.keys.written"), 100U);
  EXPECT_EQ(WalBytes(), 0U);
}

TEST_F(RocksdbEngineTest, KeepsDataWithoutWalOverACleanClose) {
  flags_.durability = "off";
  MustOpen();
  Put("key", "value");
  ASSERT_TRUE(engine_->Close().ok());
  ASSERT_TRUE(engine_->Close().ok());
  const Status again = Open(/*create=*/false);
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(Get("key"), "value");
}

TEST_F(RocksdbEngineTest, WarnsWhenFlushDoesNotReachTheKernel) {
  flags_.durability = "flush";
  WriteOptionsFile("  manual_wal_flush=true\n[CFOptions \"default\"]\n");
  MustOpen();
  ASSERT_EQ(engine_->Warnings().size(), 1U);
  EXPECT_NE(engine_->Warnings()[0].find("manual_wal_flush"), std::string::npos);
}

TEST_F(RocksdbEngineTest, SyncsByAThreadThatNoCommitWaitsFor) {
  flags_.durability = "flush";
  // So that only the thread writes.
  WriteOptionsFile("  manual_wal_flush=true\n[CFOptions \"default\"]\n");
  flags_.sync_every_ms = 1;
  MustOpen();
  Put("key", "value");
  for (int ms = 0; ms < 30'000 && WalBytes() == 0; ++ms) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_GT(WalBytes(), 0U);
  EXPECT_TRUE(engine_->Close().ok());
}

TEST_F(RocksdbEngineTest, HasNoWarningByDefault) {
  MustOpen();
  EXPECT_TRUE(engine_->Warnings().empty());
}

TEST_F(RocksdbEngineTest, CountsTheLogAndTablesWithoutStatistics) {
  EXPECT_EQ(flags_.stats_level, "disabled");
  MustOpen();
  engine_->OnThreadStart();
  Put("key", "value");
  EXPECT_EQ(rocksdb::GetPerfLevel(), rocksdb::PerfLevel::kDisable);
  EXPECT_EQ(engine_->Snapshot().size(), 10U);
}

TEST_F(RocksdbEngineTest, CountsWhatFlushesAndCompactionsWrite) {
  MustOpen();
  const auto put = [this](int round, int keys = 2000) {
    for (int i = 0; i < keys; ++i) {
      Put(std::to_string(i), std::string(100, static_cast<char>('a' + round)));
    }
    ASSERT_TRUE(engine_->db()
                    ->Flush(rocksdb::FlushOptions(), engine_->column_family(0))
                    .ok());
  };
  put(0);
  const uint64_t flushed = engine_->Snapshot().at("rocksdb.flush.write.bytes");
  EXPECT_GT(flushed, 0U);
  EXPECT_EQ(engine_->Snapshot().at("rocksdb.compact.write.bytes"), 0U);
  put(1);
  ASSERT_TRUE(engine_->db()
                  ->CompactRange(rocksdb::CompactRangeOptions(),
                                 engine_->column_family(0), nullptr, nullptr)
                  .ok());
  EXPECT_GT(engine_->Snapshot().at("rocksdb.flush.write.bytes"), flushed);
  Counters before = engine_->Snapshot();
  EXPECT_GT(before.at("rocksdb.compact.write.bytes"), 0U);
  // RocksDB rounds what it says, and a slice is the difference of two
  // snapshots.
  for (int round = 2; round < 30; ++round) {
    put(round, 10 * round);
    const Counters now = engine_->Snapshot();
    for (const auto* name :
         {"rocksdb.flush.write.bytes", "rocksdb.compact.write.bytes"}) {
      EXPECT_GE(now.at(name), before.at(name)) << name << ", round " << round;
    }
    before = now;
  }
}

TEST_F(RocksdbEngineTest, CountsWithoutStatisticsWhatTickersCount) {
  flags_.stats_level = "except-timers";
  MustOpen();
  for (int i = 0; i < 100; ++i) Put("key", "value");
  const Counters counters = engine_->Snapshot();
  EXPECT_EQ(counters.size(), 10U + 2U);  // three tickers count what is there
  const auto& tickers = engine_->db()->GetDBOptions().statistics;
  for (const auto& [ticker, name] : rocksdb::TickersNameMap) {
    const auto found = counters.find(name);
    if (found == counters.end()) continue;
    EXPECT_EQ(found->second, tickers->getTickerCount(ticker)) << name;
  }
  EXPECT_EQ(counters.at("rocksdb.wal.synced"), 100U);
}

TEST_F(RocksdbEngineTest, CountsSyncsOfTwoQueuesToo) {
  WriteOptionsFile("  two_write_queues=true\n[CFOptions \"default\"]\n");
  MustOpen();
  Put("key", "value");
  EXPECT_GT(engine_->Snapshot().at("rocksdb.wal.synced"), 0U);
}

TEST(RocksdbStatus, SaysWhatToDoWhenNoSpaceIsLeft) {
  const Status status =
      Explained(rocksdb::Status::NoSpace("write"), "write the WAL", "/wal");
  EXPECT_EQ(status.exit_code(), 1);
  EXPECT_EQ(status.message(),
            "cannot write the WAL in \"/wal\": IO error: No space left on "
            "device: write; no space is left: free some on that device and on "
            "the WAL's");
}

}  // namespace
}  // namespace waltax
