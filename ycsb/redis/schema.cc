#include "ycsb/redis/schema.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ycsb/data_set.h"

namespace waltax::ycsb {

Status ReadRedisDataSet(RedisConnection& connection, const RedisPlace& place,
                        nlohmann::json* record) {
  RedisAnswer answer;
  if (!connection.Ask({"GET", kDataSetKey}, &answer)) {
    return connection.status();
  }
  *record = nlohmann::json::parse(answer.text(), nullptr, false);
  if (record->is_object() && record->value("workload", "") == kWorkload &&
      record->value("layout", 0) == kRedisLayoutVersion) {
    return Status::Ok();
  }
  return Status::Usage(
      fmt::format("--endpoint: {} has no data set of this program (no whole "
                  "record in its key {}); load one into an empty database",
                  place.url, kDataSetKey));
}

}  // namespace waltax::ycsb
