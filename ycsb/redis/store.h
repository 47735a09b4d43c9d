// The store on a server that speaks the Redis protocol (keys: schema.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/retry.h"
#include "driver/status.h"
#include "ycsb/check.h"
#include "ycsb/redis/connection.h"
#include "ycsb/redis/place.h"
#include "ycsb/store.h"

namespace waltax::ycsb {

// Thread-safe.
class RedisStore : public Store {
 public:
  // An operation that met `max_retries` conflicts, or still meets one after
  // 10 s, fails.
  RedisStore(RedisPlace place, const DataOptions& data, int max_retries)
      : place_(std::move(place)), records_(data), max_retries_(max_retries) {}

  // Connects. A session that cannot is one whose every operation fails for that
  // reason.
  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Survey(Totals* totals) override;
  Status Check(const Expected& expected, int threads,
               CheckResult* result) override;

 private:
  [[nodiscard]] OpenRows Rows() const;

  RedisPlace place_;
  RecordModel records_;
  int max_retries_;
};

// One worker's connection. What changes several keys is in MULTI and EXEC, so
// that each operation is in the log as a whole or not at all. Used by one
// thread.
class RedisSession : public Session {
 public:
  RedisSession(const RedisPlace& place, const std::vector<std::string>& names,
               int max_retries, uint64_t seed);

  Reply Read(std::string_view key, std::optional<uint32_t> field,
             Row* row) override;
  Reply Update(std::string_view key, const Values& values) override;
  Reply Replace(std::string_view key, const Values& values) override;
  Reply ReadModifyWrite(std::string_view key, std::optional<uint32_t> field,
                        const Values& values, Row* row) override;
  Reply Insert(std::string_view key, const Values& values) override;
  Reply Scan(std::string_view key, uint32_t limit,
             std::optional<uint32_t> field) override;

 private:
  struct Attempt;

  void SendRead(std::string_view key, std::optional<uint32_t> field);
  void SendWrite(std::string_view key, const Values& values);
  Reply Ended(const char* operation, bool answered, Reply reply);
  Attempt TryReadModifyWrite(std::string_view key,
                             std::optional<uint32_t> field,
                             const Values& values, Row* row);

  RedisConnection connection_;
  RetryLoop retries_;
  const std::vector<std::string>& names_;
  RedisConnection::Words words_;
  RedisAnswer read_;  // the row's views are into it
  std::string error_;
};

}  // namespace waltax::ycsb
