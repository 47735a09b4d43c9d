// An empty RocksDB in a temporary directory, with the column families "default"
// and two more.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "driver/rocksdb_engine.h"

namespace waltax {

class TemporaryDatabase {
 public:
  TemporaryDatabase() {
    std::string name =
        (std::filesystem::temp_directory_path() / "waltax-XXXXXX").string();
    path_ = mkdtemp(name.data());
    EngineFlags flags;
    flags.db_dir = path_;
    flags.durability = "flush";
    flags.block_cache_mb = 8;
    const Status opened =
        RocksdbEngine::Open(flags, {"default", "odd", "even"},
                            /*create_if_missing=*/true, &engine_);
    EXPECT_TRUE(opened.ok()) << opened.message();
  }
  ~TemporaryDatabase() {
    engine_.reset();
    std::filesystem::remove_all(path_);
  }
  TemporaryDatabase(const TemporaryDatabase&) = delete;
  TemporaryDatabase& operator=(const TemporaryDatabase&) = delete;

  [[nodiscard]] RocksdbEngine& engine() { return *engine_; }
  [[nodiscard]] rocksdb::TransactionDB* db() { return engine_->db(); }
  // 0: "default", 1: "odd", 2: "even".
  [[nodiscard]] rocksdb::ColumnFamilyHandle* table(size_t i) {
    return engine_->column_family(i);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::unique_ptr<RocksdbEngine> engine_;
};

}  // namespace waltax
