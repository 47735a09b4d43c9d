// The store on a server that speaks the Redis protocol.
//
//   database = { record } index data-set (driver/redis/data_set.h)
//   record   = hash "user..." of { field value } [ counter-field number ]
//   index    = sorted set "_indices" of every record's key, each of score 0, so
//              that its order is that of the keys' bytes
//
// Hashes and the index are those of the original's binding.

#include "workloads/ycsb/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "driver/redis/connection.h"
#include "driver/retry.h"
#include "driver/steps.h"

namespace waltax::ycsb {

namespace {

constexpr std::string_view kIndexKey = "_indices";
constexpr std::string_view kCounterField = "ycsb_counter";
constexpr int kRowsAtOnce = 512;

// Takes a record that was read by HGETALL, names before values, or one of its
// fields by HMGET. False when there is none.
bool TakeRecord(const RedisAnswer& answer,
                const std::vector<std::string>& names, Field field, Row* row) {
  row->counter = 0;
  row->fields.assign(names.size(), {});
  if (field) {
    if (answer.size() == 0 || answer[0].nil()) return false;
    row->fields[*field] = answer[0].text();
    return true;
  }
  size_t next = 0;  // they come in the order in which they were written, mostly
  for (size_t i = 0; i + 1 < answer.size(); i += 2) {
    const std::string_view name = answer[i].text();
    if (name == kCounterField) {
      row->counter = static_cast<uint64_t>(answer[i + 1].digits());
      continue;
    }
    for (size_t tried = 0; tried < names.size() && names[next] != name;
         ++tried) {
      next = (next + 1) % names.size();
    }
    if (names[next] == name) row->fields[next] = answer[i + 1].text();
    next = (next + 1) % names.size();
  }
  return answer.size() > 0;
}

// One worker's connection. What changes several keys is in MULTI and EXEC, so
// that each operation is in the log as a whole or not at all. Used by one
// thread.
class RedisSession : public Session {
 public:
  RedisSession(const RedisPlace& place, const std::vector<std::string>& names,
               int max_retries, uint64_t seed)
      : connection_(place), retries_(max_retries, seed), names_(names) {}

  // The connection's failures are for good: see RedisConnection.
  Reply Execute(const Request& request, Row* row) override {
    Reply reply;
    reply.changed = Writes(request.op);
    if (Try(request, row, &reply)) return reply;
    const std::string& why = connection_.error();
    return GivenUp(request, why.empty() ? "others changed the record" : why,
                   !why.empty(), reply);
  }

 private:
  // How an attempt ended, as RetryLoop asks.
  struct Attempt {
    bool answered = true;
    bool conflict = false;

    [[nodiscard]] bool ok() const { return answered && !conflict; }
  };

  bool Try(const Request& request, Row* row, Reply* reply) {
    switch (request.op) {
      case Op::kRead:
        SendRead(request.key, request.field);
        if (!connection_.Take(&read_)) return false;
        reply->found = TakeRecord(read_, names_, request.field, row);
        return true;
      case Op::kScan:
        return Scan(request, reply);
      case Op::kReadModifyWrite:
        return retries_
            .Run([&] { return TryReadModifyWrite(request, row, reply); },
                 [&](const Attempt& failure) {
                   reply->conflicts.busy += failure.conflict ? 1 : 0;
                   return failure.conflict;
                 })
            .ok();
      default:
        return request.can_miss() ? Update(request, &reply->found)
                                  : Put(request);
    }
  }
  // HSET says how many fields are new. Of a record that is there none is: what
  // was made by mistake is taken away again.
  bool Update(const Request& request, bool* found) {
    RedisAnswer answer;
    SendFields("HSET", request);
    if (!connection_.Take(&answer)) return false;
    *found = answer.number() == 0;
    if (*found) return true;
    SendFields("HDEL", request);
    return connection_.Take(&answer);
  }
  // A whole record, and its place in the index.
  bool Put(const Request& request) {
    RedisAnswer answer;
    connection_.Send({"MULTI"});
    SendFields("HSET", request);
    if (request.blind) connection_.Send({"HDEL", request.key, kCounterField});
    connection_.Send({"ZADD", kIndexKey, "0", request.key});
    connection_.Send({"EXEC"});
    return connection_.Take(&answer, request.blind ? 5 : 4);
  }
  bool Scan(const Request& request, Reply* reply) {
    RedisAnswer keys;
    const std::string from = fmt::format("[{}", request.key);
    const std::string most = std::to_string(request.scan_length);
    if (!connection_.Ask(
            {"ZRANGEBYLEX", kIndexKey, from, "+", "LIMIT", "0", most}, &keys)) {
      return false;
    }
    for (size_t i = 0; i < keys.size(); ++i) {
      SendRead(keys[i].text(), request.field);
    }
    for (; reply->rows < keys.size(); ++reply->rows) {
      if (!connection_.Take(&read_)) return false;
    }
    reply->found = reply->rows > 0;
    return true;
  }
  // Optimistic: EXEC does nothing when the record was changed after WATCH.
  Attempt TryReadModifyWrite(const Request& request, Row* row, Reply* reply) {
    RedisAnswer answer;
    connection_.Send({"WATCH", request.key});
    SendRead(request.key, request.field);
    if (!connection_.Take(&read_, 2)) return {.answered = false};
    reply->found = TakeRecord(read_, names_, request.field, row);
    if (!reply->found) return {connection_.Ask({"UNWATCH"}, &answer)};
    connection_.Send({"MULTI"});
    SendFields("HSET", request);
    connection_.Send({"HINCRBY", request.key, kCounterField, "1"});
    connection_.Send({"EXEC"});
    const bool answered = connection_.Take(&answer, 4);
    return {answered, answered && answer.nil()};
  }
  void SendRead(std::string_view key, Field field) {
    if (field) {
      connection_.Send({"HMGET", key, names_[*field]});
    } else {
      connection_.Send({"HGETALL", key});
    }
  }
  // Sets fields to the request's values, or takes them away.
  void SendFields(std::string_view verb, const Request& request) {
    const size_t first = request.values.field.value_or(0);
    words_ = {verb, request.key};
    for (size_t i = 0; i < request.values.fields.size(); ++i) {
      words_.push_back(names_[first + i]);
      if (verb == "HSET") words_.push_back(request.values.fields[i]);
    }
    connection_.Send(words_);
  }

  RedisConnection connection_;
  RetryLoop retries_;
  const std::vector<std::string>& names_;
  RedisConnection::Words words_;
  RedisAnswer read_;  // the row's views are into it
};

// Commands of one round trip: long enough that a log which is synced for each
// is no load's whole time.
constexpr int kBatch = 512;

// Writes a chunk, some commands at a time.
Status Fill(RedisConnection& connection, const Population& population,
            uint64_t chunk, RecordsLoaded* loaded) {
  const std::vector<std::string>& names = population.model().names();
  RedisConnection::Words words;
  RedisAnswer answer;
  int queued = 0;
  population.WriteChunk(chunk, [&](std::string_view key, const Values& all) {
    words = {"HSET", key};
    size_t bytes = key.size();
    for (size_t i = 0; i < names.size(); ++i) {
      words.push_back(names[i]);
      words.push_back(all.fields[i]);
      bytes += names[i].size() + all.fields[i].size();
    }
    connection.Send(words);
    connection.Send({"ZADD", kIndexKey, "0", key});
    loaded->bytes += bytes;
    ++loaded->records;
    queued += 2;
    if (queued < kBatch) return true;
    return connection.Take(&answer, std::exchange(queued, 0));
  });
  connection.Take(&answer, queued);
  return connection.status();
}

class RedisStore : public Store {
 public:
  RedisStore(const RedisPlace& place, const DataOptions& data, int max_retries)
      : place_(place),
        data_(data),
        names_(data.FieldNames()),
        max_retries_(max_retries) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override {
    return std::make_unique<RedisSession>(place_, names_, max_retries_, seed);
  }
  // Some at a time, on a connection of its own. A key of the index alone is a
  // record that lost its hash.
  Status ReadRows(const KeyRange& range, bool fields,
                  const VisitRow& visit) override {
    RedisConnection connection(place_);
    RedisAnswer keys;
    RedisAnswer record;
    Row row;
    std::string from = range.first.empty() ? "-" : "[" + range.first;
    const std::string to = range.end.empty() ? "+" : "(" + range.end;
    const std::string most = std::to_string(kRowsAtOnce);
    while (
        connection.Ask({"ZRANGEBYLEX", kIndexKey, from, to, "LIMIT", "0", most},
                       &keys) &&
        keys.size() > 0) {
      for (size_t i = 0; i < keys.size(); ++i) {
        if (fields) {
          connection.Send({"HGETALL", keys[i].text()});
        } else {
          connection.Send({"HGET", keys[i].text(), kCounterField});
        }
      }
      for (size_t i = 0; i < keys.size() && connection.Take(&record); ++i) {
        row.counter = static_cast<uint64_t>(record.digits());
        const bool whole =
            !fields || TakeRecord(record, names_, std::nullopt, &row);
        visit(keys[i].text(), whole ? &row : nullptr);
      }
      from = fmt::format("({}", keys[keys.size() - 1].text());
    }
    return connection.status();
  }

  // Writes all chunks on several threads, each on a connection of its own.
  Status Load(const ycsb::Load& load, RecordsLoaded* loaded) override {
    const Population population(data_, load.seed);
    const auto begin = [&](Step* step) {
      const auto connection = std::make_shared<RedisConnection>(place_);
      *step = [&, connection](uint64_t chunk) {
        return Fill(*connection, population, chunk, loaded);
      };
      return connection->status();
    };
    const auto chunks = static_cast<int>(population.chunks());
    return RunSteps({std::min(load.threads, chunks), population.chunks(), begin,
                     load.report});
  }

 private:
  RedisPlace place_;
  DataOptions data_;
  std::vector<std::string> names_;
  int max_retries_;
};

}  // namespace

bool IsRedisKey(std::string_view key) {
  return key == kIndexKey || key.substr(0, 4) == "user";
}

std::unique_ptr<Store> NewRedisStore(const RedisPlace& place,
                                     const DataOptions& data, int max_retries) {
  return std::make_unique<RedisStore>(place, data, max_retries);
}

}  // namespace waltax::ycsb
