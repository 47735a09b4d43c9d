#include "driver/rocksdb/options.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>

#include "driver/rocksdb/status.h"

namespace waltax {
namespace {

using rocksdb::ColumnFamilyDescriptor;
using rocksdb::ColumnFamilyOptions;

constexpr uint64_t kMegabyte = 1 << 20;

Status ReadOptionsFile(const std::string& path, rocksdb::DBOptions* db,
                       std::vector<ColumnFamilyDescriptor>* sections) {
  const rocksdb::ConfigOptions strict;
  const auto status = rocksdb::LoadOptionsFromFile(strict, path, db, sections);
  if (status.ok()) return Status::Ok();
  return Status::Usage(
      fmt::format("--options-file: found \"{}\", which RocksDB cannot read "
                  "({}), want a RocksDB OPTIONS file",
                  path, status.ToString()));
}

// The section named like the family, else "default", else RocksDB's defaults.
ColumnFamilyOptions SectionFor(
    const std::string& name,
    const std::vector<ColumnFamilyDescriptor>& sections) {
  for (const std::string& wanted : {name, rocksdb::kDefaultColumnFamilyName}) {
    for (const ColumnFamilyDescriptor& section : sections) {
      if (section.name == wanted) return section.options;
    }
  }
  return {};
}

void ShareBlockCache(const std::shared_ptr<rocksdb::Cache>& cache,
                     ColumnFamilyOptions* family) {
  rocksdb::BlockBasedTableOptions table;
  if (family->table_factory != nullptr) {
    const auto* options =
        family->table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
    if (options == nullptr) return;  // another table format has no such cache
    table = *options;
  }
  table.block_cache = cache;
  table.no_block_cache = cache == nullptr;
  family->table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
}

// With two queues the log is synced by DB::SyncWAL(), which tickers alone
// count.
void ApplyDbFlags(const EngineFlags& flags, rocksdb::DBOptions* db) {
  db->wal_dir = flags.wal_dir;
  if (flags.stats_level == "disabled" && !db->two_write_queues) return;
  db->statistics = rocksdb::CreateDBStatistics();
  db->statistics->set_stats_level(
      rocksdb::StatsLevel::kExceptHistogramOrTimers);
}

Status CheckConsistent(const EngineFlags& flags, const rocksdb::DBOptions& db) {
  // With unordered writes a snapshot may lack a write that was acknowledged
  // before it was taken: transactions would not be what results say they are.
  if (db.unordered_write) {
    return Status::Usage(
        "--options-file: found unordered_write=true, want false (it takes "
        "snapshots their consistency)");
  }
  // RocksDB from 9.1 on refuses every write without WAL when WAL files are to
  // be recycled, and older ones leave stale records that recovery may replay.
  if (flags.durability != "off" || db.recycle_log_file_num == 0) {
    return Status::Ok();
  }
  return Status::Usage(fmt::format(
      "--options-file: found recycle_log_file_num={} with --durability off, "
      "want 0 (a WAL that is not written cannot be recycled)",
      db.recycle_log_file_num));
}

}  // namespace

Status BuildOptions(const EngineFlags& flags,
                    const std::vector<std::string>& column_families,
                    RocksdbOptions* options) {
  std::vector<ColumnFamilyDescriptor> sections;
  if (!flags.options_file.empty()) {
    Status read = ReadOptionsFile(flags.options_file, &options->db, &sections);
    if (!read.ok()) return read;
  }
  ApplyDbFlags(flags, &options->db);

  const std::shared_ptr<rocksdb::Cache> cache =
      flags.block_cache_mb == 0
          ? nullptr
          : rocksdb::NewLRUCache(flags.block_cache_mb * kMegabyte);
  for (const std::string& name : column_families) {
    ColumnFamilyOptions family = SectionFor(name, sections);
    ShareBlockCache(cache, &family);
    options->column_families.emplace_back(name, family);
  }
  return CheckConsistent(flags, options->db);
}

Status PrintKept(const RocksdbOptions& options) {
  const std::unique_ptr<rocksdb::Env> memory(
      rocksdb::NewMemEnv(rocksdb::Env::Default()));
  const std::string place = "/kept";
  rocksdb::DBOptions db = options.db;
  db.env = memory.get();
  db.wal_dir.clear();
  db.create_if_missing = db.create_missing_column_families = true;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* opened = nullptr;
  auto status =
      rocksdb::DB::Open(db, place, options.column_families, &handles, &opened);
  if (!status.ok()) return Explained(status, "open RocksDB", "memory");
  const std::unique_ptr<rocksdb::DB> owned(opened);
  for (auto* handle : handles) owned->DestroyColumnFamilyHandle(handle);

  std::string text;
  const Status read = ReadKept(memory.get(), place, &text);
  if (read.ok()) fmt::print("{}", text);
  return read;
}

Status ReadKept(rocksdb::Env* env, const std::string& db_dir,
                std::string* text) {
  std::string name;
  auto status = rocksdb::GetLatestOptionsFileName(db_dir, env, &name);
  if (status.ok()) {
    status = rocksdb::ReadFileToString(env, db_dir + "/" + name, text);
  }
  if (status.ok()) return Status::Ok();
  return Explained(status, "read the options", db_dir);
}

rocksdb::WriteOptions WriteOptionsFor(const std::string& durability) {
  rocksdb::WriteOptions options;
  options.sync = durability == "sync";
  options.disableWAL = durability == "off";
  return options;
}

}  // namespace waltax
