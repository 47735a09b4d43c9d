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
      "[CFOptions \"default\"]\n"
      "  write_buffer_size=1234567\n"
      "[CFOptions \"nodes\"]\n"
      "  write_buffer_size=7654321\n");
  MustOpen();
  const auto described = engine_->Describe();
  EXPECT_EQ(described["rocksdb_version"], rocksdb::GetRocksVersionAsString());
  const auto options = described["options"].get<std::string>();
  EXPECT_NE(options.find("max_background_jobs=3"), std::string::npos);
  const auto links = options.find("[CFOptions \"links\"]");
  const auto nodes = options.find("[CFOptions \"nodes\"]");
  EXPECT_NE(options.find("write_buffer_size=1234567", links),
            std::string::npos);
  EXPECT_NE(options.find("write_buffer_size=7654321", nodes),
            std::string::npos);
}

TEST_F(RocksdbOpenTest, TakesWhatTheOptionsFileSaysOfTheWal) {
  const std::vector<std::string> lines = {
      "wal_recovery_mode=kSkipAnyCorruptedRecords",
      "manual_wal_flush=true",
      "recycle_log_file_num=4",
      "enable_pipelined_write=true",
      "wal_bytes_per_sync=524288",
      "wal_compression=kZSTD",
      "allow_fallocate=false",
      "use_fsync=true"};
  std::string text;
  for (const std::string& line : lines) text += "  " + line + "\n";
  WriteOptionsFile(text + "[CFOptions \"default\"]\n");
  MustOpen();
  const auto options = engine_->Describe()["options"].get<std::string>();
  for (const std::string& line : lines) {
    EXPECT_NE(options.find("  " + line + "\n"), std::string::npos) << line;
  }
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
       {Names{"default", "links"}, Names{"default", "links", "nodes", "counts"},
        Names{"default", "links", "stock"}}) {
    const Status status = RocksdbEngine::Open(
        flags_, wanted, /*create_if_missing=*/false, &engine_);
    EXPECT_EQ(status.exit_code(), 2);
    EXPECT_EQ(status.message(),
              "--db: found \"" + flags_.db_dir +
                  "\" with the tables default links nodes, want a directory "
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
  EXPECT_EQ(status.message(), "--wal-dir: found \"" + flags_.wal_dir +
                                  "\", want an existing writable directory");
}

TEST_F(RocksdbOpenTest, SaysThatTheWalDirectoryIsAFile) {
  flags_.wal_dir = root_ / "file";
  std::ofstream(flags_.wal_dir) << "x";
  const Status status = Open();
  EXPECT_NE(status.message().find("want an existing writable directory"),
            std::string::npos)
      << status.message();
}

TEST_F(RocksdbOpenTest, SaysThatThereIsNoDatabase) {
  const Status status = Open(/*create=*/false);
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_TRUE(status.message().starts_with("--db: found \"" + flags_.db_dir))
      << status.message();
}

TEST_F(RocksdbOpenTest, NamesTheDirectoryWhenRocksdbCannotOpenIt) {
  MustOpen();
  std::unique_ptr<RocksdbEngine> second;
  const Status status = RocksdbEngine::Open(
      flags_, {"default", "links", "nodes"}, false, &second);
  EXPECT_EQ(status.exit_code(), 1);
  EXPECT_NE(status.message().find(flags_.db_dir), std::string::npos);
  EXPECT_NE(status.message().find("not open in another process"),
            std::string::npos)
      << status.message();
}

}  // namespace
}  // namespace waltax
