// A RocksDB in a temporary directory, empty at first.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/rocksdb/engine.h"

namespace waltax {

class TemporaryDatabase {
 public:
  // With these column families, the first of which is "default".
  explicit TemporaryDatabase(std::vector<std::string> families = {"default",
                                                                  "odd",
                                                                  "even"})
      : families_(std::move(families)) {
    std::string name =
        (std::filesystem::temp_directory_path() / "waltax-XXXXXX").string();
    path_ = mkdtemp(name.data());
    Open();
  }
  ~TemporaryDatabase() {
    engine_.reset();
    std::filesystem::remove_all(path_);
  }
  TemporaryDatabase(const TemporaryDatabase&) = delete;
  TemporaryDatabase& operator=(const TemporaryDatabase&) = delete;

  // Opens it again after Close(). Handles and stores on it must be made anew.
  void Open() {
    EngineFlags flags;
    flags.db_dir = path_;
    flags.durability = "flush";
    flags.block_cache_mb = 8;
    const Status opened = RocksdbEngine::Open(
        flags, families_, /*create_if_missing=*/true, &engine_);
    EXPECT_TRUE(opened.ok()) << opened.message();
  }
  void Close() { EXPECT_TRUE(engine_->Close().ok()); }

  [[nodiscard]] RocksdbEngine& engine() { return *engine_; }
  [[nodiscard]] rocksdb::TransactionDB* db() { return engine_->db(); }
  // Of the families it was made with.
  [[nodiscard]] rocksdb::ColumnFamilyHandle* table(size_t i) {
    return engine_->column_family(i);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::vector<std::string> families_;
  std::string path_;
  std::unique_ptr<RocksdbEngine> engine_;
};

}  // namespace waltax
