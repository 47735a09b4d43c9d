// A server that speaks the Redis protocol, as the driver observes it around
// each slice.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "driver/engine.h"
#include "driver/redis/connection.h"
#include "driver/status.h"

namespace waltax {

class RedisEngine : public Engine {
 public:
  explicit RedisEngine(const RedisPlace& place);
  // Whether the server answers.
  [[nodiscard]] Status status() const { return connection_.status(); }

  // {"name", "server_version", "variables": {what the server says of its log:
  // see kSettings, of those that it has, as text}}.
  [[nodiscard]] nlohmann::json Describe() const override;
  // What INFO counts, under names that begin with "redis_". "redis_log_bytes"
  // is what the append-only file grew by, without what a rewrite took from it;
  // it is missing where the server does not tell. "redis_log_rewrites" counts
  // rewrites, over which the growth is too small; "redis_changed_settings" the
  // snapshots at which a variable was another than Describe() said. The last
  // known ones when the server does not answer any more.
  [[nodiscard]] Counters Snapshot() const override;
  // What its data take, by its own account.
  [[nodiscard]] uint64_t DataBytes() const override;

  [[nodiscard]] DataPlace Place() const override {
    return {"--endpoint", place_.url, "load one into an empty database"};
  }
  // A string, whose key is "waltax:" and the program's name.
  Status WriteRecord(const std::string& program,
                     const std::string& text) override;
  Status ReadRecord(const std::string& program, std::string* text) override;
  // False, too, where the server does not answer.
  bool IsEmpty();

 private:
  using Texts = std::map<std::string, std::string>;

  // Every line of INFO.
  [[nodiscard]] Texts Info() const;
  [[nodiscard]] Texts Settings(const Texts& info) const;
  void Grow(const Texts& info) const;

  RedisPlace place_;
  mutable RedisConnection connection_;
  Texts began_with_;
  mutable Counters last_;          // of Snapshot()
  mutable uint64_t log_size_ = 0;  // of the last snapshot
};

}  // namespace waltax
