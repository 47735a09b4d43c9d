#include "driver/redis/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace waltax {

namespace {

// What decides when a write is in the log: of INFO, and of CONFIG GET, which a
// server may not have. The last two are Kvrocks'.
constexpr const char* kOfInfo = "aof_enabled";
constexpr const char* kSettings[] = {"appendfsync", "save",
                                     "rocksdb.write_options.sync",
                                     "rocksdb.write_options.disable_wal"};
// Of INFO, what only rises; the last two are seconds.
constexpr const char* kCounted[] = {
    "aof_delayed_fsync", "rdb_saves",    "total_commands_processed",
    "evicted_keys",      "expired_keys", "used_cpu_user",
    "used_cpu_sys"};
// Of INFO, the first that a server has: of Redis, of Kvrocks.
constexpr const char* kDataBytes[] = {"used_memory_dataset", "used_db_size"};

// A number of INFO; 0 where the server does not tell it. With `micros` one of
// seconds, in microseconds.
uint64_t NumberOf(const std::map<std::string, std::string>& info,
                  const std::string& name, bool micros = false) {
  const auto at = info.find(name);
  if (at == info.end()) return 0;
  const char* text = at->second.c_str();
  return micros ? static_cast<uint64_t>(
                      std::llround(1e6 * std::strtod(text, nullptr)))
                : std::strtoull(text, nullptr, 10);
}

std::string RecordKey(const std::string& program) {
  return "waltax:" + program;
}

uint64_t LogSize(const std::map<std::string, std::string>& info) {
  return NumberOf(info, "aof_current_size") +
         NumberOf(info, "aof_buffer_length");
}

}  // namespace

RedisEngine::RedisEngine(const RedisPlace& place)
    : place_(place), connection_(place) {
  const Texts info = Info();
  began_with_ = Settings(info);
  log_size_ = LogSize(info);
}

RedisEngine::Texts RedisEngine::Info() const {
  RedisAnswer answer;
  Texts info;
  if (!connection_.Ask({"INFO"}, &answer)) return info;
  std::string_view rest = answer.text();
  while (!rest.empty()) {
    const size_t end = std::min(rest.find("\r\n"), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 2, rest.size()));
    const size_t colon = line.find(':');
    if (colon != std::string_view::npos) {
      info[std::string(line.substr(0, colon))] = line.substr(colon + 1);
    }
  }
  return info;
}

RedisEngine::Texts RedisEngine::Settings(const Texts& info) const {
  Texts settings;
  if (const auto at = info.find(kOfInfo); at != info.end()) {
    settings.insert(*at);
  }
  for (const char* name : kSettings) {
    RedisAnswer answer;
    if (connection_.Try({"CONFIG", "GET", name}, &answer) &&
        answer.size() == 2) {
      settings[name] = answer[1].text();
    }
  }
  return settings;
}

nlohmann::json RedisEngine::Describe() const {
  const Texts info = Info();
  const bool kvrocks = info.contains("kvrocks_version");
  const auto version = info.find(kvrocks ? "kvrocks_version" : "redis_version");
  return {{"name", kvrocks ? "kvrocks" : "redis"},
          {"server_version", version == info.end() ? "" : version->second},
          {"variables", began_with_}};
}

// The file's size, and what waits to be written to it while a sync is under way
// (with everysec up to 2 s), without what a rewrite took from it.
void RedisEngine::Grow(const Texts& info) const {
  if (!info.contains("aof_current_size") && !info.contains(kOfInfo)) return;
  const uint64_t size = LogSize(info);
  last_["redis_log_bytes"] += size > log_size_ ? size - log_size_ : 0;
  uint64_t& rewrites = last_["redis_log_rewrites"];
  rewrites = std::max(rewrites + (size < log_size_ ? 1 : 0),
                      NumberOf(info, "aof_rewrites"));
  log_size_ = size;
}

Counters RedisEngine::Snapshot() const {
  const Texts info = Info();
  const Texts settings = Settings(info);
  if (!connection_.status().ok()) return last_;
  Grow(info);
  last_["redis_changed_settings"] += settings == began_with_ ? 0 : 1;
  for (const std::string name : kCounted) {
    if (!info.contains(name)) continue;
    const bool is_time = name.starts_with("used_cpu");
    last_[fmt::format("redis_{}{}", name, is_time ? "_us" : "")] =
        NumberOf(info, name, is_time);
  }
  return last_;
}

Status RedisEngine::WriteRecord(const std::string& program,
                                const std::string& text) {
  RedisAnswer answer;
  connection_.Ask({"SET", RecordKey(program), text}, &answer);
  return status();
}

Status RedisEngine::ReadRecord(const std::string& program, std::string* text) {
  RedisAnswer answer;
  connection_.Ask({"GET", RecordKey(program)}, &answer);
  *text = answer.text();
  return status();
}

bool RedisEngine::IsEmpty() {
  RedisAnswer answer;
  return connection_.Ask({"RANDOMKEY"}, &answer) && answer.nil();
}

uint64_t RedisEngine::DataBytes() const {
  const Texts info = Info();
  for (const char* name : kDataBytes) {
    if (info.contains(name)) return NumberOf(info, name);
  }
  return 0;
}

}  // namespace waltax
