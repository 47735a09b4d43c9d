// What the keys of a database mean:
//
//   database = { record } index data-set
//   record   = hash "user..." of { field value } [ counter-field number ]
//   index    = sorted set "_indices" of every record's key, each of score 0, so
//              that its order is that of the keys' bytes
//   data-set = string "waltax:ycsb", JSON: written last
//
// Hashes and the index are those of the original's binding.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "driver/status.h"
#include "ycsb/redis/connection.h"

namespace waltax::ycsb {

inline constexpr int kRedisLayoutVersion = 1;
inline constexpr std::string_view kIndexKey = "_indices";
inline constexpr std::string_view kDataSetKey = "waltax:ycsb";
inline constexpr std::string_view kCounterField = "ycsb_counter";

// Fails (usage) when the database has no record of a data set of this layout.
Status ReadRedisDataSet(RedisConnection& connection, const RedisPlace& place,
                        nlohmann::json* record);

}  // namespace waltax::ycsb
