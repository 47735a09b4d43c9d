#include "driver/rocksdb_engine.h"

#include <gtest/gtest.h>
#include <rocksdb/version.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "driver/rocksdb_status.h"

namespace waltax {
namespace {

namespace fs = std::filesystem;

// A fresh directory with db/ to be made and an empty wal/.
class RocksdbEngineTest : public ::testing::Test {
 protected:
  RocksdbEngineTest() {
    std::string name = (fs::temp_directory_path() / "waltax-XXXXXX").string();
    root_ = mkdtemp(name.data());
    fs::create_directory(root_ / "wal");
    flags_.db_dir = root_ / "db";
    flags_.wal_dir = root_ / "wal";
    flags_.block_cache_mb = 8;
  }
  ~RocksdbEngineTest() override {
    engine_.reset();
    fs::remove_all(root_);
  }

  Status Open(bool create = true) {
    engine_.reset();
    return RocksdbEngine::Open(flags_, {"links", "nodes"}, create, &engine_);
  }
  void MustOpen() {
    const Status opened = Open();
    ASSERT_TRUE(opened.ok()) << opened.message();
  }
  void Put(const std::string& key, const std::string& value) {
    const auto status = engine_->db()->Put(
        engine_->write_options(), engine_->column_family(0), key, value);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  std::string Get(const std::string& key) {
    std::string value;
    const auto status = engine_->db()->Get(
        rocksdb::ReadOptions(), engine_->column_family(0), key, &value);
    return status.ok() ? value : status.ToString();
  }
  // Bytes of the WAL files, and nothing else must be there.
  uintmax_t WalBytes() {
    uintmax_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(root_ / "wal")) {
      EXPECT_EQ(entry.path().extension(), ".log");
      bytes += entry.file_size();
    }
    return bytes;
  }

  fs::path root_;
  EngineFlags flags_;
  std::unique_ptr<RocksdbEngine> engine_;
};

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
  flags_.compression = "none";
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

TEST_F(RocksdbEngineTest, GivesEachColumnFamilyItsSectionOfTheOptionsFile) {
  flags_.options_file = root_ / "OPTIONS";
  std::ofstream(flags_.options_file) << "[Version]\n"
                                        "  rocksdb_version=7.8.3\n"
                                        "  options_file_version=1.1\n"
                                        "[DBOptions]\n"
                                        "  max_background_jobs=3\n"
                                        "  enable_pipelined_write=true\n"
                                        "[CFOptions \"default\"]\n"
                                        "  write_buffer_size=1234567\n"
                                        "[CFOptions \"nodes\"]\n"
                                        "  write_buffer_size=7654321\n";
  flags_.pipelined_write = false;
  MustOpen();
  const auto options = engine_->Describe()["options"];
  EXPECT_EQ(options["max_background_jobs"], 3);
  EXPECT_EQ(options["enable_pipelined_write"], false);  // the flag wins
  const auto& families = options["column_families"];
  EXPECT_EQ(families["links"]["write_buffer_size"], 1'234'567);
  EXPECT_EQ(families["nodes"]["write_buffer_size"], 7'654'321);
}

TEST_F(RocksdbEngineTest, FlagsSetTheEffectiveOptions) {
  flags_.write_buffer_mb = 2;
  flags_.compression = "lz4";
  flags_.wal_bytes_per_sync = 4096;
  flags_.use_fsync = true;
  MustOpen();
  const auto described = engine_->Describe();
  EXPECT_EQ(described["rocksdb_version"], rocksdb::GetRocksVersionAsString());
  const auto& options = described["options"];
  EXPECT_EQ(options["wal_bytes_per_sync"], 4096);
  EXPECT_EQ(options["use_fsync"], true);
  EXPECT_EQ(options["column_families"]["links"]["write_buffer_size"], 2 << 20);
  EXPECT_EQ(options["column_families"]["links"]["compression"],
            "kLZ4Compression");
}

TEST_F(RocksdbEngineTest, RefusesAnOptionsFileThatIsNone) {
  flags_.options_file = root_ / "absent";
  const Status status = Open();
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_EQ(status.message().find("--options-file: found \"" +
                                  flags_.options_file + "\""),
            0U)
      << status.message();
}

TEST_F(RocksdbEngineTest, RefusesToRecycleAWalThatIsOff) {
  flags_.durability = "off";
  flags_.recycle_log_file_num = 4;
  const Status status = Open();
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_EQ(status.message(),
            "--recycle-log-file-num: found \"4\" with --durability off, want 0 "
            "(a WAL that is not written cannot be recycled)");
}

TEST_F(RocksdbEngineTest, SaysThatTheWalDirectoryIsMissing) {
  flags_.wal_dir = root_ / "absent";
  const Status status = Open();
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_EQ(status.message(),
            "--wal-dir: found \"" + flags_.wal_dir +
                "\", which does not exist, want an existing writable "
                "directory");
}

TEST_F(RocksdbEngineTest, SaysThatTheWalDirectoryIsAFile) {
  flags_.wal_dir = root_ / "file";
  std::ofstream(flags_.wal_dir) << "x";
  const Status status = Open();
  EXPECT_NE(status.message().find("is not a directory"), std::string::npos)
      << status.message();
}

TEST_F(RocksdbEngineTest, SaysThatThereIsNoDatabase) {
  const Status status = Open(/*create=*/false);
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_EQ(status.message(),
            "--db: found \"" + flags_.db_dir +
                "\", which holds no RocksDB database, want a directory that "
                "`load` has filled");
}

TEST_F(RocksdbEngineTest, NamesTheDirectoryWhenRocksdbCannotOpenIt) {
  MustOpen();
  std::unique_ptr<RocksdbEngine> second;
  const Status status =
      RocksdbEngine::Open(flags_, {"links", "nodes"}, false, &second);
  EXPECT_EQ(status.exit_code(), 1);
  EXPECT_NE(status.message().find(flags_.db_dir), std::string::npos);
  EXPECT_NE(status.message().find("not open in another process"),
            std::string::npos)
      << status.message();
}

TEST_F(RocksdbEngineTest, WarnsWhenFlushDoesNotReachTheKernel) {
  flags_.durability = "flush";
  flags_.manual_wal_flush = true;
  MustOpen();
  ASSERT_EQ(engine_->Warnings().size(), 1U);
  EXPECT_NE(engine_->Warnings()[0].find("manual_wal_flush"), std::string::npos);
}

TEST_F(RocksdbEngineTest, RecyclesWalFilesOrWarnsThatRocksdbDoesNot) {
  flags_.recycle_log_file_num = 4;
  MustOpen();
  const auto options = engine_->Describe()["options"];
  const bool recycles = options["recycle_log_file_num"] == 4;
  EXPECT_EQ(engine_->Warnings().size(), recycles ? 0U : 1U);
}

TEST_F(RocksdbEngineTest, HasNoWarningByDefault) {
  MustOpen();
  EXPECT_TRUE(engine_->Warnings().empty());
}

TEST_F(RocksdbEngineTest, ReadsThePerfContextOfTheCallingThread) {
  flags_.perf_level = "time";
  MustOpen();
  Counters counters;
  std::thread([&] {
    engine_->OnThreadStart();
    Put("key", "value");
    EXPECT_EQ(Get("key"), "value");
    counters = engine_->ThreadCounters();
  }).join();
  EXPECT_EQ(counters.at("get_from_memtable_count"), 1U);
  EXPECT_GT(counters.at("write_wal_time"), 0U);
  EXPECT_GT(counters.at("iostats_bytes_written"), 0U);
  EXPECT_EQ(counters.count("iostats_thread_pool_id"), 0U);
}

TEST_F(RocksdbEngineTest, CountsNothingWithPerfAndStatisticsOff) {
  flags_.perf_level = "off";
  flags_.stats_level = "disabled";
  MustOpen();
  engine_->OnThreadStart();
  Put("key", "value");
  EXPECT_TRUE(engine_->ThreadCounters().empty());
  EXPECT_TRUE(engine_->Snapshot().empty());
}

TEST_F(RocksdbEngineTest, HasEveryTickerOfTheFixedList) {
  MustOpen();
  EXPECT_EQ(engine_->Snapshot().size(), 28U);
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

TEST(RocksdbStatus, OnlyConflictsAreNotFatal) {
  EXPECT_TRUE(IsFatal(rocksdb::Status::NoSpace()));
  EXPECT_TRUE(IsFatal(rocksdb::Status::IOError()));
  EXPECT_TRUE(IsFatal(rocksdb::Status::Corruption()));
  EXPECT_FALSE(IsFatal(rocksdb::Status::Busy()));
  EXPECT_FALSE(IsFatal(rocksdb::Status::TimedOut()));
}

}  // namespace
}  // namespace waltax
