#include "driver/redis/connection.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <csignal>

namespace waltax {

namespace {

constexpr timeval kConnectWithin{5, 0};
// A server whose log waits for a slow device is not dead yet.
constexpr timeval kAnswerWithin{30, 0};
constexpr std::string_view kScheme = "redis://";
constexpr int kMostDatabases = 1 << 20;
constexpr int kMostPorts = 65'535;

bool ParseWithin(std::string_view text, int low, int high, int* number) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto parsed = std::from_chars(begin, end, *number);
  return parsed.ec == std::errc() && parsed.ptr == end && *number >= low &&
         *number <= high;
}

// Parses the part of a URL behind its scheme.
bool Parse(std::string_view rest, RedisPlace* place) {
  const bool by_socket = rest.starts_with('/');
  const std::string_view mark = by_socket ? "?db=" : "/";
  const size_t end = rest.find(mark);
  if (end != std::string_view::npos &&
      !ParseWithin(rest.substr(end + mark.size()), 0, kMostDatabases,
                   &place->database)) {
    return false;
  }
  rest = rest.substr(0, end);
  if (by_socket) {
    place->socket = rest;
    return rest.size() > 1 && rest.find('?') == std::string_view::npos;
  }
  const size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  place->host = rest.substr(0, colon);
  return ParseWithin(rest.substr(colon + 1), 1, kMostPorts, &place->port);
}

// The server's own words begin with a code.
bool WantsPassword(std::string_view words) {
  return words.starts_with("NOAUTH") || words.starts_with("WRONGPASS");
}

}  // namespace

Status ParseRedisPlace(const std::string& url, RedisPlace* place) {
  *place = {};
  place->url = url;
  if (url.starts_with(kScheme) && url.find('@') != std::string::npos) {
    return Status::Usage(
        "--endpoint: found a user or a password, which is not taken: it would "
        "stand in every result; name a server that wants none, such as one "
        "that listens on a Unix socket of yours alone");
  }
  if (!url.starts_with(kScheme) || !Parse(url.substr(kScheme.size()), place)) {
    return Status::Usage(fmt::format(
        "--endpoint: found \"{}\", want redis:///PATH/TO/SOCKET[?db=N] or "
        "redis://HOST:PORT[/N]",
        url));
  }
  return Status::Ok();
}

// hiredis writes to a socket whose server is gone as to any other: that must be
// an error, and not the end of the process. MariaDB's client sees to it alike.
RedisConnection::RedisConnection(const RedisPlace& place)
    : url_(place.url), context_(nullptr, redisFree) {
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

bool RedisConnection::Next(RedisAnswer* answer, bool* is_error) {
  if (!error_.empty()) return false;
  void* reply = nullptr;
  if (redisGetReply(context_.get(), &reply) == REDIS_OK) {
    *answer = RedisAnswer(static_cast<redisReply*>(reply));
    *is_error = static_cast<redisReply*>(reply)->type == REDIS_REPLY_ERROR;
    return true;
  }
  const bool late = context_->err == REDIS_ERR_IO && errno == EAGAIN;
  const std::string lost = context_->errstr;
  return Fail(late ? fmt::format("did not answer in {} s",
                                 int64_t{kAnswerWithin.tv_sec})
                   : "the connection was lost: " + lost);
}

bool RedisConnection::Take(RedisAnswer* answer, int count) {
  for (; count > 0; --count) {
    bool is_error = false;
    if (!Next(answer, &is_error)) return false;
    if (!is_error) continue;
    const std::string_view words = answer->text();
    return Fail(WantsPassword(words)
                    ? fmt::format("wants a password, which is not taken ({}); "
                                  "name a server that wants none",
                                  words)
                    : fmt::format("answered: {}", words));
  }
  return true;
}

bool RedisConnection::Ask(const Words& words, RedisAnswer* answer) {
  Send(words);
  return Take(answer);
}

bool RedisConnection::Try(const Words& words, RedisAnswer* answer) {
  bool is_error = false;
  Send(words);
  return Next(answer, &is_error) && !is_error;
}

}  // namespace waltax
