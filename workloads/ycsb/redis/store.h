// The store on a server that speaks the Redis protocol.
//
//   database = { record } index data-set (driver/redis/data_set.h)
//   record   = hash "user..." of { field value } [ counter-field number ]
//   index    = sorted set "_indices" of every record's key, each of score 0, so
//              that its order is that of the keys' bytes
//
// Hashes and the index are those of the original's binding.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/status.h"
#include "driver/redis/connection.h"
#include "workloads/ycsb/population.h"
#include "workloads/ycsb/store.h"

namespace waltax::ycsb {

inline constexpr int kRedisLayoutVersion = 1;
inline constexpr std::string_view kIndexKey = "_indices";
inline constexpr std::string_view kCounterField = "ycsb_counter";

// Whether a load wrote this key, or a run.
inline bool IsRedisKey(std::string_view key) {
  return key == kIndexKey || key.substr(0, 4) == "user";
}

// Loads all records into an empty database.
Status LoadRedis(const RedisPlace& place, const Load& load,
                 RecordsLoaded* loaded);

class RedisStore : public Store {
 public:
  // An operation that met `max_retries` conflicts, or still meets one after
  // 10 s, fails.
  RedisStore(RedisPlace place, const DataOptions& data, int max_retries)
      : place_(std::move(place)),
        names_(data.FieldNames()),
        max_retries_(max_retries) {}

  // Connects.
  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status ReadRows(const KeyRange& range, bool fields,
                  const VisitRow& visit) override;

 private:
  RedisPlace place_;
  std::vector<std::string> names_;
  int max_retries_;
};

}  // namespace waltax::ycsb
