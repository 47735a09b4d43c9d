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

}  // namespace waltax::ycsb
