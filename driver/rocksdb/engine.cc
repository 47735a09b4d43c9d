#include "driver/rocksdb/engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/statistics.h>
#include <rocksdb/version.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "driver/rocksdb/options.h"
#include "driver/rocksdb/status.h"

namespace waltax {
namespace {

constexpr char kRecordKey[] = "meta";

// Of Statistics. The first alone counts a log that DB::SyncWAL() syncs.
constexpr std::array<std::string_view, 5> kTickers = {
    "rocksdb.wal.synced", "rocksdb.flush.write.bytes",
    "rocksdb.compact.write.bytes", "rocksdb.block.cache.hit",
    "rocksdb.block.cache.miss"};

// What RocksDB counts for each database whatever its Statistics are, and the
// tickers that count the same.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kKept = {
    {{"db.wal_syncs", "rocksdb.wal.synced"},
     {"db.wal_bytes_written", "rocksdb.wal.bytes"},
     {"db.user_writes_by_self", "rocksdb.write.self"},
     {"db.user_writes_by_other", "rocksdb.write.other"},
     {"db.user_writes_with_wal", "rocksdb.write.wal"},
     {"db.user_bytes_written", "rocksdb.bytes.written"},
     {"db.user_keys_written", "rocksdb.number.keys.written"},
     {"db.user_write_stall_micros", "rocksdb.stall.micros"}}};

// Adds what was written into level 0, and compacted below it. RocksDB says
// gigabytes with six digits: each level's grow only, while a rounded sum less a
// rounded part may fall.
void AddTablesWritten(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family,
                      Counters* counters) {
  std::map<std::string, std::string> told;
  db->GetMapProperty(family, rocksdb::DB::Properties::kCFStats, &told);
  uint64_t& flushed = (*counters)["rocksdb.flush.write.bytes"];
  uint64_t& compacted = (*counters)["rocksdb.compact.write.bytes"];
  for (const auto& [key, value] : told) {
    if (!key.starts_with("compaction.L") || !key.ends_with(".WriteGB") ||
        std::isdigit(static_cast<unsigned char>(key[12])) == 0) {
      continue;
    }
    (key.starts_with("compaction.L0.") ? flushed : compacted) +=
        static_cast<uint64_t>(std::stod(value) * (1 << 30));
  }
}

// The C++ interface of RocksDB is not stable between minor releases, so a
// program that meets another library than it was compiled for may misbehave
// silently.
Status CheckLoadedVersion() {
  const std::string compiled =
      fmt::format("{}.{}", ROCKSDB_MAJOR, ROCKSDB_MINOR);
  const std::string loaded = rocksdb::GetRocksVersionAsString(false);
  if (compiled == loaded) return Status::Ok();
  return Status::Failed(fmt::format(
      "compiled against RocksDB {} but loaded RocksDB {}: build again with "
      "ROCKSDB_ROOT at the one to measure",
      compiled, loaded));
}

// Whether the flags' places can be used, for a database with these families
// unless it is to be made. RocksDB would make a log's directory, on whatever
// device.
Status CheckPlaces(const EngineFlags& flags,
                   const std::vector<std::string>& families, bool creates) {
  if (flags.db_dir.empty()) {
    return Status::Usage("--db: found nothing, want a directory");
  }
  std::error_code ignored;
  if (!flags.wal_dir.empty() && flags.wal_dir != flags.db_dir &&
      (!std::filesystem::is_directory(flags.wal_dir, ignored) ||
       access(flags.wal_dir.c_str(), W_OK | X_OK) != 0)) {
    return Status::Usage(fmt::format(
        "--wal-dir: found \"{}\", want an existing writable directory",
        flags.wal_dir));
  }
  if (creates) return Status::Ok();
  std::vector<std::string> found;
  const auto status = rocksdb::DB::ListColumnFamilies({}, flags.db_dir, &found);
  if (status.ok() && std::is_permutation(found.begin(), found.end(),
                                         families.begin(), families.end())) {
    return Status::Ok();
  }
  return Status::Usage(fmt::format(
      "--db: found \"{}\" with {}, want a directory that this workload's "
      "`load` has filled",
      flags.db_dir,
      status.ok() ? fmt::format("the tables {}", fmt::join(found, " "))
                  : status.ToString()));
}

}  // namespace

Status RocksdbEngine::Open(const EngineFlags& flags,
                           const std::vector<std::string>& column_families,
                           bool create_if_missing,
                           std::unique_ptr<RocksdbEngine>* engine,
                           Locking locking) {
  // What is said of flags and options does not depend on places: a plan asks
  // for it without any.
  RocksdbOptions options;
  TRY(CheckLoadedVersion());
  TRY(BuildOptions(flags, column_families, &options));
  if (flags.print_options) TRY(PrintKept(options));
  TRY(CheckPlaces(flags, column_families, create_if_missing));
  options.db.create_if_missing = create_if_missing;
  options.db.create_missing_column_families = create_if_missing;

  std::unique_ptr<RocksdbEngine> opened(new RocksdbEngine());
  opened->flags_ = flags;
  opened->requested_ = options.db;
  opened->write_options_ = WriteOptionsFor(flags.durability);
  const auto status = opened->OpenAs(locking, options.column_families);
  if (!status.ok()) return Explained(status, "open RocksDB", flags.db_dir);
  if (opened->Snapshot().empty()) {
    return Status::Failed(
        "this RocksDB has no property rocksdb.dbstats, which counts the log");
  }
  if (flags.sync_every_ms > 0) {
    RocksdbEngine* const it = opened.get();
    it->syncing_ = std::jthread(
        [it](const std::stop_token& stop) { it->KeepSyncing(stop); });
  }
  *engine = std::move(opened);
  return Status::Ok();
}

rocksdb::Status RocksdbEngine::OpenAs(
    Locking locking,
    const std::vector<rocksdb::ColumnFamilyDescriptor>& column_families) {
  if (locking == Locking::kOptimistic) {
    const auto status = rocksdb::OptimisticTransactionDB::Open(
        requested_, flags_.db_dir, column_families, &handles_, &optimistic_);
    db_.reset(optimistic_);
    return status;
  }
  const auto status = rocksdb::TransactionDB::Open(
      requested_, rocksdb::TransactionDBOptions(), flags_.db_dir,
      column_families, &handles_, &pessimistic_);
  db_.reset(pessimistic_);
  return status;
}

void RocksdbEngine::KeepSyncing(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  const std::chrono::milliseconds period(flags_.sync_every_ms);
  const auto never = [] { return false; };
  while (wake.wait_for(lock, stop, period, never), !stop.stop_requested()) {
    // After a sync that fails RocksDB refuses the next write, which says so.
    db_->FlushWAL(/*sync=*/true).PermitUncheckedError();
  }
}

RocksdbEngine::~RocksdbEngine() {
  (void)RocksdbEngine::Close();  // whoever wants to know calls it before
}

Status RocksdbEngine::Close() {
  if (db_ == nullptr) return Status::Ok();
  syncing_ = {};
  for (auto* handle : std::exchange(handles_, {})) {
    db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  const auto status = db_->Close();
  db_.reset();
  if (status.ok()) return Status::Ok();
  return Explained(status, "close RocksDB", flags_.db_dir);
}

nlohmann::json RocksdbEngine::Describe() const {
  std::string kept;
  const Status read = ReadKept(db_->GetEnv(), db_->GetName(), &kept);
  return {{"name", "rocksdb"},
          {"rocksdb_version", rocksdb::GetRocksVersionAsString()},
          {"options", read.ok() ? kept : read.message()}};
}

std::vector<std::string> RocksdbEngine::Warnings() const {
  if (!db_->GetDBOptions().manual_wal_flush || flags_.durability != "flush")
    return {};
  return {
      "manual_wal_flush is on: commits are acknowledged before they reach the "
      "kernel, which is less than durability flush promises"};
}

Counters RocksdbEngine::Snapshot() const {
  Counters counters;
  for (auto* family : handles_) {
    AddTablesWritten(db_.get(), family, &counters);
  }
  std::map<std::string, std::string> kept;
  db_->GetMapProperty(rocksdb::DB::Properties::kDBStats, &kept);
  for (const auto& [key, ticker] : kKept) {
    const auto found = kept.find(std::string(key));
    if (found == kept.end()) continue;
    counters[std::string(ticker)] = std::stoull(found->second);
  }
  const rocksdb::Statistics* const statistics = requested_.statistics.get();
  if (statistics == nullptr) return counters;
  for (const auto& [ticker, name] : rocksdb::TickersNameMap) {
    if (std::find(kTickers.begin(), kTickers.end(), name) == kTickers.end()) {
      continue;
    }
    counters[name] = statistics->getTickerCount(ticker);
  }
  return counters;
}

uint64_t RocksdbEngine::DataBytes() const {
  uint64_t tables = 0;
  uint64_t memtables = 0;
  const bool known =
      db_->GetAggregatedIntProperty(rocksdb::DB::Properties::kLiveSstFilesSize,
                                    &tables) &&
      db_->GetAggregatedIntProperty(
          rocksdb::DB::Properties::kCurSizeAllMemTables, &memtables);
  return known ? tables + memtables : 0;
}

void RocksdbEngine::OnThreadStart() {
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
}

Status RocksdbEngine::WriteRecord(const std::string& /*program*/,
                                  const std::string& text) {
  rocksdb::WriteOptions options;
  options.disableWAL = true;
  rocksdb::Status status =
      db_->Put(options, column_family(0), kRecordKey, text);
  if (status.ok()) status = db_->Flush({}, column_family(0));
  if (status.ok()) return Status::Ok();
  return Explained(status, "write the data set's description", flags_.db_dir);
}

Status RocksdbEngine::ReadRecord(const std::string& /*program*/,
                                 std::string* text) {
  const auto status = db_->Get({}, column_family(0), kRecordKey, text);
  if (status.ok() || status.IsNotFound()) return Status::Ok();
  return Explained(status, "read the data set's description", flags_.db_dir);
}

}  // namespace waltax
