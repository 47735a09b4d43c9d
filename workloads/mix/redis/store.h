// A mix on a server that speaks the Redis protocol.
//
//   row     = hash "TABLE:KEY" of { column value }, numbers in decimal digits;
//             of a key that is a text the hash has its name
//   order   = sorted set "TABLE" of the keys of a table that wants it, each of
//             score 0, so that its order is that of their bytes
//   commit  = MULTI and EXEC around whatever is more than one command
//
// There is no other order and no index: a mix with another scan, or with an
// index, is none for such a server.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "driver/redis/connection.h"
#include "workloads/mix/store.h"

namespace waltax::mix {

// Whether a load of this mix wrote the key, or a run.
bool IsKeyOf(const Mix& mix, std::string_view key);

// Thread-safe. The values outlive it.
class RedisStore : public Store {
 public:
  RedisStore(RedisPlace place, const Values& values)
      : place_(std::move(place)), values_(values) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Scan(size_t table, const Visit& visit) override;
  Status Load(int threads, const RowReport& report, uint64_t* rows,
              uint64_t* bytes) override;

 private:
  RedisPlace place_;
  const Values& values_;
};

}  // namespace waltax::mix
