// What a RocksDB is opened with: an options file, then the flags over it.
#pragma once

#include <rocksdb/options.h>
#include <rocksdb/utilities/options_util.h>

#include <string>
#include <vector>

#include "driver/flags.h"
#include "driver/status.h"

namespace waltax {

struct RocksdbOptions {
  rocksdb::DBOptions db;
  std::vector<rocksdb::ColumnFamilyDescriptor> column_families;
};

// Reads flags.options_file, if any, and applies the other flags. All column
// families share one block cache. Fails when the file cannot be read and when
// the outcome contradicts itself (recycled WAL files with durability "off").
Status BuildOptions(const EngineFlags& flags,
                    const std::vector<std::string>& column_families,
                    RocksdbOptions* options);

// Prints the OPTIONS file that RocksDB writes of these, opened in memory.
Status PrintKept(const RocksdbOptions& options);

// Reads the newest OPTIONS file of a database.
Status ReadKept(rocksdb::Env* env, const std::string& db_dir,
                std::string* text);

// How writes carry the durability: sync, or neither, or disableWAL.
rocksdb::WriteOptions WriteOptionsFor(const std::string& durability);

}  // namespace waltax
