// One connection to a server that speaks the Redis protocol, with pipelining:
// commands are queued, and sent when an answer is wanted.
#pragma once

#include <hiredis/hiredis.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driver/status.h"
#include "ycsb/redis/place.h"

namespace waltax::ycsb {

struct FreeRedisReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};

// What the server answered; an error of the server's is none of these.
class RedisAnswer {
 public:
  RedisAnswer() = default;
  explicit RedisAnswer(redisReply* reply) : reply_(reply) {}

  // Of a list: how many there are; 0 of anything else.
  [[nodiscard]] size_t size() const {
    return is(REDIS_REPLY_ARRAY) ? reply_->elements : 0;
  }
  [[nodiscard]] bool nil() const { return is(REDIS_REPLY_NIL); }
  [[nodiscard]] int64_t number() const {
    return is(REDIS_REPLY_INTEGER) ? reply_->integer : 0;
  }
  [[nodiscard]] std::string_view text() const { return Text(reply_.get()); }
  // Of the `i`-th of a list. REQUIRES: i < size().
  [[nodiscard]] std::string_view text(size_t i) const {
    return Text(reply_->element[i]);
  }
  [[nodiscard]] bool nil(size_t i) const {
    return reply_->element[i]->type == REDIS_REPLY_NIL;
  }
  // How many are in a list of lists' `i`-th.
  [[nodiscard]] size_t size(size_t i) const {
    return reply_->element[i]->elements;
  }

 private:
  [[nodiscard]] bool is(int type) const {
    return reply_ != nullptr && reply_->type == type;
  }
  static std::string_view Text(const redisReply* reply) {
    if (reply == nullptr || reply->str == nullptr) return {};
    return {reply->str, reply->len};
  }

  std::unique_ptr<redisReply, FreeRedisReply> reply_;
};

// Used by one thread. After the first failure every call fails in the same way:
// which answer belongs to which command is not known any more.
class RedisConnection {
 public:
  using Words = std::vector<std::string_view>;

  // A connection that could not be had is one of which every call fails.
  explicit RedisConnection(const RedisPlace& place);
  static Status Open(const RedisPlace& place,
                     std::unique_ptr<RedisConnection>* connection);

  // Queues a command. The words are copied.
  void Send(const Words& words);
  // Waits for the answer to the first command whose answer was not taken yet.
  // False when there is none: see error().
  bool Take(RedisAnswer* answer);
  // Takes `count` answers and keeps the last.
  bool TakeLast(int count, RedisAnswer* answer);
  // Sends one command and takes its answer.
  bool Ask(const Words& words, RedisAnswer* answer);

  // The same of a command that a server need not have: false for an error of
  // the server's, after which the connection goes on.
  bool Try(const Words& words, RedisAnswer* answer);

  // Why the last call failed; names the endpoint.
  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] Status status() const {
    return error_.empty() ? Status::Ok() : Status::Failed(error_);
  }

 private:
  struct Close {
    void operator()(redisContext* context) const { redisFree(context); }
  };
  bool Fail(std::string_view why);
  redisReply* Next();

  std::string url_;
  std::unique_ptr<redisContext, Close> context_;
  std::string error_;
  // Of Send(), kept for their room.
  std::vector<const char*> at_;
  std::vector<size_t> lengths_;
};

}  // namespace waltax::ycsb
