// A server that speaks the Redis protocol: where it is, and a connection to it
// with pipelining. It is its owner's: nothing here starts, stops or configures
// it.
#pragma once

#include <hiredis/hiredis.h>

#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driver/status.h"

namespace waltax {

// One of its databases, as a URL names it:
//   redis:///PATH/TO/SOCKET[?db=N]
//   redis://HOST:PORT[/N]
struct RedisPlace {
  std::string url;     // as it was typed, for messages
  std::string socket;  // empty: by host and port
  std::string host;
  int port = 0;
  int database = 0;
};

// Fails (usage) for what is no such URL, and for one with a password.
Status ParseRedisPlace(const std::string& url, RedisPlace* place);

// An answer of a server's, or a part of one, which it points into; a part that
// is not of the kind that is asked for is empty.
class RedisPart {
 public:
  RedisPart() = default;
  explicit RedisPart(const redisReply* reply) : reply_(reply) {}

  [[nodiscard]] bool nil() const { return is(REDIS_REPLY_NIL); }
  [[nodiscard]] int64_t number() const {
    return is(REDIS_REPLY_INTEGER) ? reply_->integer : 0;
  }
  [[nodiscard]] std::string_view text() const {
    if (reply_ == nullptr || reply_->str == nullptr) return {};
    return {reply_->str, reply_->len};
  }
  // The whole number that the text is; 0 when it is none.
  [[nodiscard]] int64_t digits() const {
    int64_t number = 0;
    const std::string_view all = text();
    std::from_chars(all.data(), all.data() + all.size(), number);
    return number;
  }
  // Of a list: how many there are, and the `i`-th. REQUIRES: i < size().
  [[nodiscard]] size_t size() const {
    return is(REDIS_REPLY_ARRAY) ? reply_->elements : 0;
  }
  RedisPart operator[](size_t i) const { return RedisPart(reply_->element[i]); }

 private:
  [[nodiscard]] bool is(int type) const {
    return reply_ != nullptr && reply_->type == type;
  }

  const redisReply* reply_ = nullptr;
};

// What the server answered; an error of the server's is none of these.
class RedisAnswer : public RedisPart {
 public:
  RedisAnswer() = default;
  explicit RedisAnswer(redisReply* reply)
      : RedisPart(reply), reply_(reply, freeReplyObject) {}

 private:
  std::unique_ptr<redisReply, void (*)(void*)> reply_{nullptr, freeReplyObject};
};

// Used by one thread. After the first failure every call fails in the same way:
// which answer belongs to which command is not known any more.
class RedisConnection {
 public:
  using Words = std::vector<std::string_view>;

  // A connection that could not be had is one of which every call fails.
  explicit RedisConnection(const RedisPlace& place);

  // Queues a command, which is sent when an answer is wanted. The words are
  // copied.
  void Send(const Words& words);
  // Takes `count` answers, in the order of the commands, and keeps the last.
  // False when there is none: see error().
  bool Take(RedisAnswer* answer, int count = 1);
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
  bool Fail(std::string_view why);
  // The next answer, of whatever kind; false when the connection is no more.
  bool Next(RedisAnswer* answer, bool* is_error);

  std::string url_;
  std::unique_ptr<redisContext, void (*)(redisContext*)> context_;
  std::string error_;
  // Of Send(), kept for their room.
  std::vector<const char*> at_;
  std::vector<size_t> lengths_;
};

}  // namespace waltax
