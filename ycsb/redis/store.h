// The store on a server that speaks the Redis protocol.
//
//   database = { record } index data-set
//   record   = hash "user..." of { field value } [ counter-field number ]
//   index    = sorted set "_indices" of every record's key, each of score 0, so
//              that its order is that of the keys' bytes
//   data-set = string "waltax:ycsb", JSON: written last
//
// Hashes and the index are those of the original's binding.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/status.h"
#include "ycsb/population.h"
#include "ycsb/redis/connection.h"
#include "ycsb/store.h"

namespace waltax::ycsb {

inline constexpr int kRedisLayoutVersion = 1;
inline constexpr std::string_view kIndexKey = "_indices";
inline constexpr std::string_view kDataSetKey = "waltax:ycsb";
inline constexpr std::string_view kCounterField = "ycsb_counter";

// Loads all records and, after them, the data set's record. `existing` says
// what becomes of what is there: with "refuse" anything is an error; with
// "keep" this very data set is taken as it is; with "replace" what a load of
// ours wrote is removed first; with "remove" it is, and nothing is loaded.
// Fails (usage) when the database holds anything else.
Status LoadRedis(const RedisPlace& place, const std::string& existing,
                 const Load& load, RecordsLoaded* loaded);

// Fails when the data set is incomplete, has another layout, or was loaded with
// other flags than these.
Status VerifyRedisDataSet(const RedisPlace& place, const DataOptions& data);

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
