// Fills a database of a server that speaks the Redis protocol.
#pragma once

#include <cstdint>

#include "driver/status.h"
#include "ycsb/options.h"
#include "ycsb/population.h"
#include "ycsb/redis/place.h"

namespace waltax::ycsb {

struct RedisLoad {
  RedisPlace place;
  std::string existing;  // see RedisFlags
  uint64_t seed = 1;
  int threads = 1;
  // Called about every second, from the calling thread.
  ReportLoaded report;
};

// Loads all records and, after them, the data set's record. Nothing is loaded
// where `existing` says so, and nothing is removed but what a load wrote. Fails
// (usage) when the database holds anything else.
Status LoadRedis(const RedisLoad& load, const DataOptions& data,
                 RecordsLoaded* loaded);

// Fails when the data set is incomplete, has another layout, or was loaded with
// other flags than these.
Status VerifyRedisDataSet(const RedisPlace& place, const DataOptions& data);

}  // namespace waltax::ycsb
