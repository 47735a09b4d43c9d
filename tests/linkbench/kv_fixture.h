// A LinkBench database in a temporary directory.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "linkbench/kv_tables.h"

namespace waltax::linkbench {

class TemporaryDatabase {
 public:
  TemporaryDatabase() {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("waltax-linkbench-" + std::to_string(getpid()) + "-" +
             std::to_string(number++));
    std::filesystem::create_directories(path_);
    Open();
  }
  ~TemporaryDatabase() {
    engine_.reset();
    std::filesystem::remove_all(path_);
  }

  void Open() {
    EngineFlags flags;
    flags.db_dir = path_;
    flags.durability = "flush";
    flags.block_cache_mb = 8;
    const Status status =
        RocksdbEngine::Open(flags, KvTableNames(), true, &engine_);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  void Close() { EXPECT_TRUE(engine_->Close().ok()); }

  RocksdbEngine& engine() { return *engine_; }
  KvTables tables() { return KvTables(*engine_); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::unique_ptr<RocksdbEngine> engine_;
};

}  // namespace waltax::linkbench
