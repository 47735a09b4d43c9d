#include "driver/rocksdb/observe.h"

#include <fmt/format.h>
#include <rocksdb/iostats_context.h>
#include <rocksdb/perf_context.h>

#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>

namespace waltax {
namespace {

// Without those that RocksDB adds up only when an iterator is destroyed, as
// rocksdb.number.db.next: an iterator may live as long as the process.
constexpr std::array<std::string_view, 16> kTickers = {
    "rocksdb.wal.synced",
    "rocksdb.bytes.read",
    "rocksdb.number.keys.read",
    "rocksdb.number.multiget.keys.read",
    "rocksdb.number.db.seek",
    "rocksdb.flush.write.bytes",
    "rocksdb.compact.read.bytes",
    "rocksdb.compact.write.bytes",
    "rocksdb.block.cache.hit",
    "rocksdb.block.cache.miss",
    "rocksdb.bloom.filter.useful",
    "rocksdb.memtable.hit",
    "rocksdb.memtable.miss",
    "rocksdb.l0.hit",
    "rocksdb.l1.hit",
    "rocksdb.l2andup.hit",
};

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

// RocksDB prints "name = 1, other_name = 2, " with whatever fields this
// release has; reading the text keeps the source the same for all of them.
void AddPrinted(std::string_view printed, std::string_view prefix,
                Counters* counters) {
  while (true) {
    const size_t equals = printed.find(" = ");
    if (equals == std::string_view::npos) return;
    const std::string_view name = printed.substr(0, equals);
    printed.remove_prefix(equals + 3);
    uint64_t value = 0;
    std::from_chars(printed.data(), printed.data() + printed.size(), value);
    (*counters)[fmt::format("{}{}", prefix, name)] = value;
    const size_t comma = printed.find(", ");
    if (comma == std::string_view::npos) return;
    printed.remove_prefix(comma + 2);
  }
}

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
  if (flags.perf_level == "time") {
    warnings.emplace_back(
        "RocksDB's timers are on: they cost CPU on the WAL path, so use this "
        "run to attribute time, not to compare throughput");
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

void StartPerfContext(const std::string& level) {
  // Higher levels read the thread's CPU clock around each write, which bills
  // the WAL path for being observed.
  rocksdb::SetPerfLevel(level == "off"
                            ? rocksdb::PerfLevel::kDisable
                            : rocksdb::PerfLevel::kEnableTimeExceptForMutex);
  rocksdb::get_perf_context()->Reset();
  rocksdb::get_iostats_context()->Reset();
}

Counters ReadPerfContext(const std::string& level) {
  Counters counters;
  if (level == "off") return counters;
  AddPrinted(rocksdb::get_perf_context()->ToString(true), "", &counters);
  AddPrinted(rocksdb::get_iostats_context()->ToString(true), "iostats_",
             &counters);
  counters.erase("iostats_thread_pool_id");  // an identity, not a count
  return counters;
}

}  // namespace waltax
