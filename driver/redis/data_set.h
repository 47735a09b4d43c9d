// What a program loaded into a server's database, and the record of it: a
// string of JSON, which is written last.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "driver/redis/connection.h"
#include "driver/status.h"

namespace waltax {

struct RedisDataSet {
  RedisPlace place;
  std::string program;  // its record's key is "waltax:" and this
  int layout = 0;
  // Whether a load of the program's wrote this key.
  std::function<bool(std::string_view key)> owns;
  // Whether a record is of the data set that is wanted; `where` it is.
  std::function<Status(const nlohmann::json& record, const std::string& where)>
      accept;
};

// Makes room for a load. `existing` says what becomes of what is there: with
// "refuse" anything is an error; with "keep" this very data set is `kept` as it
// is; with "replace" and "remove" what a load of the program's wrote is
// removed. Fails (usage) when the database holds anything else.
Status MakeRoom(const RedisDataSet& set, const std::string& existing,
                bool* kept);

// Writes the record of what was loaded.
Status WriteRecord(const RedisDataSet& set, nlohmann::json record);

// Fails when the data set is incomplete, has another layout, or is another.
Status Accept(const RedisDataSet& set);

}  // namespace waltax
