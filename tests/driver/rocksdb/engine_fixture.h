// An engine on a directory of its own, with its flags.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "driver/rocksdb/engine.h"

namespace waltax {

// A fresh directory with db/ to be made and an empty wal/.
class RocksdbEngineTest : public ::testing::Test {
 protected:
  RocksdbEngineTest() {
    std::string name =
        (std::filesystem::temp_directory_path() / "waltax-XXXXXX").string();
    root_ = mkdtemp(name.data());
    std::filesystem::create_directory(root_ / "wal");
    flags_.db_dir = root_ / "db";
    flags_.wal_dir = root_ / "wal";
    flags_.block_cache_mb = 8;
  }
  ~RocksdbEngineTest() override {
    engine_.reset();
    std::filesystem::remove_all(root_);
  }

  Status Open(bool create = true) {
    engine_.reset();
    return RocksdbEngine::Open(flags_, {"default", "links", "nodes"}, create,
                               &engine_);
  }
  // One whose [DBOptions] begin with these lines.
  void WriteOptionsFile(const std::string& lines) {
    flags_.options_file = root_ / "OPTIONS";
    std::ofstream(flags_.options_file) << "[Version]\n"
                                          "  rocksdb_version=7.8.3\n"
                                          "  options_file_version=1.1\n"
                                          "[DBOptions]\n"
                                       << lines;
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
    for (const auto& entry :
         std::filesystem::directory_iterator(root_ / "wal")) {
      EXPECT_EQ(entry.path().extension(), ".log");
      bytes += entry.file_size();
    }
    return bytes;
  }

  std::filesystem::path root_;
  EngineFlags flags_;
  std::unique_ptr<RocksdbEngine> engine_;
};

}  // namespace waltax
