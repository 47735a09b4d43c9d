// A TPC-C database in a temporary directory.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "tpcc/kv_tables.h"

namespace waltax::tpcc {

class TemporaryDatabase {
 public:
  TemporaryDatabase() {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("waltax-tpcc-" + std::to_string(getpid()) + "-" +
             std::to_string(number++));
    std::filesystem::create_directories(path_);
    EngineFlags flags;
    flags.db_dir = path_;
    flags.durability = "flush";
    flags.block_cache_mb = 8;
    const Status status =
        RocksdbEngine::Open(flags, KvTableNames(), true, &engine_);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  ~TemporaryDatabase() {
    engine_.reset();
    std::filesystem::remove_all(path_);
  }

  RocksdbEngine& engine() { return *engine_; }
  KvTables tables() { return KvTables(*engine_); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::unique_ptr<RocksdbEngine> engine_;
};

}  // namespace waltax::tpcc
