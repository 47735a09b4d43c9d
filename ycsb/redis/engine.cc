#include "ycsb/redis/engine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace waltax::ycsb {

namespace {

// What decides when a write is in the log: of INFO, and of CONFIG GET, which a
// server may not have. The last two are Kvrocks'.
constexpr std::array<const char*, 1> kOfInfo = {"aof_enabled"};
constexpr std::array<const char*, 4> kSettings = {
    "appendfsync", "save", "rocksdb.write_options.sync",
    "rocksdb.write_options.disable_wal"};
// Of INFO, what only rises.
constexpr std::array<const char*, 5> kCounted = {
    "aof_delayed_fsync", "rdb_saves", "total_commands_processed",
    "evicted_keys", "expired_keys"};
constexpr std::array<const char*, 2> kProcessor = {"used_cpu_user",
                                                   "used_cpu_sys"};
// Of INFO, the first that a server has: of Redis, of Kvrocks.
constexpr std::array<const char*, 2> kDataBytes = {"used_memory_dataset",
                                                   "used_db_size"};

uint64_t Whole(const std::string& text) {
  return std::strtoull(text.c_str(), nullptr, 10);
}

uint64_t Micros(const std::string& seconds) {
  return static_cast<uint64_t>(
      std::llround(1e6 * std::strtod(seconds.c_str(), nullptr)));
}

uint64_t LogSize(const std::map<std::string, std::string>& info) {
  uint64_t size = 0;
  for (const char* name : {"aof_current_size", "aof_buffer_length"}) {
    if (const auto at = info.find(name); at != info.end()) {
      size += Whole(at->second);
    }
  }
  return size;
}

}  // namespace

Status RedisEngine::Open(const RedisPlace& place,
                         std::unique_ptr<RedisEngine>* engine) {
  std::unique_ptr<RedisConnection> connection;
  Status status = RedisConnection::Open(place, &connection);
  if (!status.ok()) return status;
  std::unique_ptr<RedisEngine> opened(new RedisEngine(std::move(connection)));
  const Texts info = opened->Info();
  opened->began_with_ = opened->Settings(info);
  opened->log_size_ = LogSize(info);
  status = opened->connection_->status();
  if (status.ok()) *engine = std::move(opened);
  return status;
}

RedisEngine::Texts RedisEngine::Info() const {
  RedisAnswer answer;
  Texts found;
  if (!connection_->Ask({"INFO"}, &answer)) return found;
  std::string_view rest = answer.text();
  while (!rest.empty()) {
    const size_t end = std::min(rest.find("\r\n"), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 2, rest.size()));
    const size_t colon = line.find(':');
    if (colon != std::string_view::npos) {
      found[std::string(line.substr(0, colon))] = line.substr(colon + 1);
    }
  }
  return found;
}

RedisEngine::Texts RedisEngine::Settings(const Texts& info) const {
  Texts settings;
  for (const char* name : kOfInfo) {
    if (const auto at = info.find(name); at != info.end()) settings.insert(*at);
  }
  for (const char* name : kSettings) {
    RedisAnswer answer;
    if (connection_->Try({"CONFIG", "GET", name}, &answer) &&
        answer.size() == 2) {
      settings[name] = answer.text(1);
    }
  }
  return settings;
}

nlohmann::json RedisEngine::Describe() const {
  const Texts info = Info();
  const bool kvrocks = info.count("kvrocks_version") > 0;
  const auto version = info.find(kvrocks ? "kvrocks_version" : "redis_version");
  return {{"name", kvrocks ? "kvrocks" : "redis"},
          {"server_version", version == info.end() ? "" : version->second},
          {"variables", began_with_}};
}

// The file's size, and what waits to be written to it while a sync is under way
// (with everysec up to 2 s), without what a rewrite took from it.
void RedisEngine::Grow(const Texts& info) const {
  const auto at = info.find("aof_current_size");
  const auto enabled = info.find("aof_enabled");
  if (at == info.end() && enabled == info.end()) return;
  const uint64_t size = LogSize(info);
  const auto rewrites = info.find("aof_rewrites");
  last_["redis_log_bytes"] += size > log_size_ ? size - log_size_ : 0;
  last_["redis_log_rewrites"] += size < log_size_ ? 1 : 0;
  if (rewrites != info.end()) {
    last_["redis_log_rewrites"] =
        std::max(last_["redis_log_rewrites"], Whole(rewrites->second));
  }
  log_size_ = size;
}

Counters RedisEngine::Snapshot() const {
  const Texts info = Info();
  const Texts settings = Settings(info);
  if (!connection_->status().ok()) return last_;
  Grow(info);
  last_["redis_changed_settings"] += settings == began_with_ ? 0 : 1;
  for (const char* name : kCounted) {
    if (const auto at = info.find(name); at != info.end()) {
      last_[std::string("redis_") + name] = Whole(at->second);
    }
  }
  for (const char* name : kProcessor) {
    if (const auto at = info.find(name); at != info.end()) {
      last_[std::string("redis_") + name + "_us"] = Micros(at->second);
    }
  }
  return last_;
}

uint64_t RedisEngine::DataBytes() const {
  const Texts info = Info();
  for (const char* name : kDataBytes) {
    if (const auto at = info.find(name); at != info.end()) {
      return Whole(at->second);
    }
  }
  return 0;
}

}  // namespace waltax::ycsb
