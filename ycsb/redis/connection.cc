#include "ycsb/redis/connection.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace waltax::ycsb {

namespace {

constexpr timeval kConnectWithin{5, 0};
// A server whose log waits for a slow device is not dead yet.
constexpr timeval kAnswerWithin{30, 0};

// The server's own words begin with a code.
bool WantsPassword(std::string_view words) {
  return words.rfind("NOAUTH", 0) == 0 || words.rfind("WRONGPASS", 0) == 0;
}

}  // namespace

// hiredis writes to a socket whose server is gone as to any other: that must be
// an error, and not the end of the process. MariaDB's client sees to it alike.
RedisConnection::RedisConnection(const RedisPlace& place) : url_(place.url) {
  std::signal(SIGPIPE, SIG_IGN);
  redisContext* context =
      place.socket.empty()
          ? redisConnectWithTimeout(place.host.c_str(), place.port,
                                    kConnectWithin)
          : redisConnectUnixWithTimeout(place.socket.c_str(), kConnectWithin);
  context_.reset(context);
  if (context == nullptr || context->err != 0) {
    Fail(fmt::format("cannot be reached: {}; its owner must start it",
                     context == nullptr ? "no memory" : context->errstr));
    return;
  }
  redisSetTimeout(context, kAnswerWithin);
  RedisAnswer answer;
  // Always, so that who wants a password says so at once.
  if (!Ask({"PING"}, &answer) || place.database == 0) return;
  Ask({"SELECT", std::to_string(place.database)}, &answer);
}

Status RedisConnection::Open(const RedisPlace& place,
                             std::unique_ptr<RedisConnection>* connection) {
  *connection = std::make_unique<RedisConnection>(place);
  return (*connection)->status();
}

bool RedisConnection::Fail(std::string_view why) {
  if (error_.empty()) error_ = fmt::format("endpoint {}: {}", url_, why);
  return false;
}

void RedisConnection::Send(const Words& words) {
  if (!error_.empty()) return;
  at_.clear();
  lengths_.clear();
  for (const std::string_view word : words) {
    at_.push_back(word.data() == nullptr ? "" : word.data());
    lengths_.push_back(word.size());
  }
  if (redisAppendCommandArgv(context_.get(), static_cast<int>(at_.size()),
                             at_.data(), lengths_.data()) != REDIS_OK) {
    Fail(context_->errstr);
  }
}

// The next reply, of whatever kind; null when the connection is no more.
redisReply* RedisConnection::Next() {
  if (!error_.empty()) return nullptr;
  void* reply = nullptr;
  if (redisGetReply(context_.get(), &reply) == REDIS_OK) {
    return static_cast<redisReply*>(reply);
  }
  const bool late = context_->err == REDIS_ERR_IO && errno == EAGAIN;
  Fail(late ? fmt::format("did not answer in {} s",
                          int64_t{kAnswerWithin.tv_sec})
            : fmt::format("the connection was lost: {}",
                          std::string(context_->errstr)));
  return nullptr;
}

bool RedisConnection::Take(RedisAnswer* answer) {
  redisReply* found = Next();
  if (found == nullptr) return false;
  *answer = RedisAnswer(found);
  if (found->type != REDIS_REPLY_ERROR) return true;
  const std::string_view words = answer->text();
  return Fail(WantsPassword(words)
                  ? fmt::format("wants a password, which is not taken ({}); "
                                "name a server that wants none",
                                words)
                  : fmt::format("answered: {}", words));
}

bool RedisConnection::TakeLast(int count, RedisAnswer* answer) {
  while (count-- > 0) {
    if (!Take(answer)) return false;
  }
  return true;
}

bool RedisConnection::Try(const Words& words, RedisAnswer* answer) {
  Send(words);
  redisReply* found = Next();
  if (found == nullptr) return false;
  *answer = RedisAnswer(found);
  return found->type != REDIS_REPLY_ERROR;
}

bool RedisConnection::Ask(const Words& words, RedisAnswer* answer) {
  Send(words);
  return Take(answer);
}

}  // namespace waltax::ycsb
