#include "driver/rocksdb/observe.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

namespace waltax {
namespace {

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

}  // namespace

std::vector<std::string> RocksdbWarnings(const EngineFlags& flags,
                                         const rocksdb::DBOptions& effective) {
  std::vector<std::string> warnings;
  if (effective.manual_wal_flush && flags.durability == "flush") {
    warnings.emplace_back(
        "manual_wal_flush is on: commits are acknowledged before they reach "
        "the kernel, which is less than durability flush promises");
  }
  return warnings;
}

Counters ReadCounters(
    rocksdb::DB* db,
    const std::vector<rocksdb::ColumnFamilyHandle*>& column_families,
    const rocksdb::Statistics* statistics) {
  Counters counters;
  for (auto* family : column_families) AddTablesWritten(db, family, &counters);
  std::map<std::string, std::string> kept;
  db->GetMapProperty(rocksdb::DB::Properties::kDBStats, &kept);
  for (const auto& [key, ticker] : kKept) {
    const auto found = kept.find(std::string(key));
    if (found == kept.end()) continue;
    counters[std::string(ticker)] = std::stoull(found->second);
  }
  if (statistics == nullptr) return counters;
  for (const auto& [ticker, name] : rocksdb::TickersNameMap) {
    if (std::find(kTickers.begin(), kTickers.end(), name) == kTickers.end()) {
      continue;
    }
    counters[name] = statistics->getTickerCount(ticker);
  }
  return counters;
}

}  // namespace waltax
