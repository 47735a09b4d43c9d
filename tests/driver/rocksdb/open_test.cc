// What the flags of an engine make of it, and which of them are refused.
#include <gtest/gtest.h>
#include <rocksdb/version.h>

#include <nlohmann/json.hpp>

#include "tests/driver/rocksdb/engine_fixture.h"

namespace waltax {
namespace {

namespace fs = std::filesystem;

using RocksdbOpenTest = RocksdbEngineTest;

TEST_F(RocksdbOpenTest, GivesEachColumnFamilyItsSectionOfTheOptionsFile) {
  WriteOptionsFile(
      "  max_background_jobs=3\n"
      "  manual_wal_flush=true\n"
      "[CFOptions \"default\"]\n"
      "  write_buffer_size=1234567\n"
      "[CFOptions \"nodes\"]\n"
      "  write_buffer_size=7654321\n");
  flags_.manual_wal_flush = false;
  MustOpen();
  const auto options = engine_->Describe()["options"];
  EXPECT_EQ(options["max_background_jobs"], 3);
  EXPECT_EQ(options["manual_wal_flush"], false);  // the flag wins
  const auto& families = options["column_families"];
  EXPECT_EQ(families["links"]["write_buffer_size"], 1'234'567);
  EXPECT_EQ(families["nodes"]["write_buffer_size"], 7'654'321);
}

TEST_F(RocksdbOpenTest, FlagsSetTheEffectiveOptions) {
  flags_.write_buffer_mb = 2;
  flags_.compression = "lz4";
  flags_.manual_wal_flush = true;
  MustOpen();
  const auto described = engine_->Describe();
  EXPECT_EQ(described["rocksdb_version"], rocksdb::GetRocksVersionAsString());
  const auto& options = described["options"];
  EXPECT_EQ(options["manual_wal_flush"], true);
  EXPECT_EQ(options["column_families"]["links"]["write_buffer_size"], 2 << 20);
  EXPECT_EQ(options["column_families"]["links"]["compression"],
            "kLZ4Compression");
}

TEST_F(RocksdbOpenTest, TakesWhatTheOptionsFileSaysOfTheWal) {
  WriteOptionsFile(
      "  wal_recovery_mode=kSkipAnyCorruptedRecords\n"
      "  manual_wal_flush=true\n"
      "  recycle_log_file_num=4\n"
      "  enable_pipelined_write=true\n"
      "  wal_bytes_per_sync=524288\n"
      "  wal_compression=kZSTD\n"
      "  allow_fallocate=false\n"
      "  use_fsync=true\n"
      "[CFOptions \"default\"]\n");
  MustOpen();
  const auto options = engine_->Describe()["options"];
  EXPECT_EQ(options["wal_recovery_mode"], "skip-any-corrupted");
  EXPECT_EQ(options["manual_wal_flush"], true);
  EXPECT_EQ(options["recycle_log_file_num"], 4);
  EXPECT_EQ(options["enable_pipelined_write"], true);
  EXPECT_EQ(options["wal_bytes_per_sync"], 524'288);
  EXPECT_EQ(options["wal_compression"], "kZSTD");
  EXPECT_EQ(options["allow_fallocate"], false);
  EXPECT_EQ(options["use_fsync"], true);
}

TEST_F(RocksdbOpenTest, RefusesAnOptionsFileThatIsNone) {
  flags_.options_file = root_ / "absent";
  const Status status = Open();
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_EQ(status.message().find("--options-file: found \"" +
                                  flags_.options_file + "\""),
            0U)
      << status.message();
}

TEST_F(RocksdbOpenTest, RefusesWritesThatTakeSnapshotsTheirConsistency) {
  WriteOptionsFile("  unordered_write=true\n[CFOptions \"default\"]\n");
  const Status status = Open();
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_NE(status.message().find("unordered_write=true"), std::string::npos)
      << status.message();
}

TEST_F(RocksdbOpenTest, SaysWhoseADatabaseWithOtherFamiliesMayBe) {
  MustOpen();
  engine_.reset();
  using Names = std::vector<std::string>;
  for (const Names& wanted :
       {Names{"links"}, Names{"links", "nodes", "counts"}, Names{"stock"}}) {
    const Status status = RocksdbEngine::Open(
        flags_, wanted, /*create_if_missing=*/false, &engine_);
    EXPECT_EQ(status.exit_code(), 2);
    EXPECT_EQ(status.message(),
              "--db: found \"" + flags_.db_dir +
                  "\" with the tables default links nodes, which another "
                  "workload or an unfinished `load` left, want a directory "
                  "that this workload's `load` has filled");
  }
}

TEST_F(RocksdbOpenTest, RefusesToRecycleAWalThatIsOff) {
  flags_.durability = "off";
  WriteOptionsFile("  recycle_log_file_num=4\n[CFOptions \"default\"]\n");
  const Status status = Open();
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_EQ(status.message(),
            "--options-file: found recycle_log_file_num=4 with --durability "
            "off, want 0 (a WAL that is not written cannot be recycled)");
}

TEST_F(RocksdbOpenTest, SaysThatTheWalDirectoryIsMissing) {
  flags_.wal_dir = root_ / "absent";
  const Status status = Open();
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_EQ(status.message(),
            "--wal-dir: found \"" + flags_.wal_dir +
                "\", which does not exist, want an existing writable "
                "directory");
}

TEST_F(RocksdbOpenTest, SaysThatTheWalDirectoryIsAFile) {
  flags_.wal_dir = root_ / "file";
  std::ofstream(flags_.wal_dir) << "x";
  const Status status = Open();
  EXPECT_NE(status.message().find("is not a directory"), std::string::npos)
      << status.message();
}

TEST_F(RocksdbOpenTest, SaysThatThereIsNoDatabase) {
  const Status status = Open(/*create=*/false);
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_EQ(status.message(),
            "--db: found \"" + flags_.db_dir +
                "\", which holds no RocksDB database, want a directory that "
                "`load` has filled");
}

TEST_F(RocksdbOpenTest, NamesTheDirectoryWhenRocksdbCannotOpenIt) {
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

}  // namespace
}  // namespace waltax
