#include "ycsb/redis/store.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "driver/retry.h"

namespace waltax::ycsb {

namespace {

constexpr int kRowsAtOnce = 512;

uint64_t WholeNumber(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Takes a record that was read by HGETALL, names before values, or one of its
// fields by HMGET. False when there is none.
bool TakeRecord(const RedisAnswer& answer,
                const std::vector<std::string>& names, Field field, Row* row) {
  row->counter = 0;
  row->fields.assign(names.size(), {});
  if (field) {
    if (answer.size() == 0 || answer.nil(0)) return false;
    row->fields[*field] = answer.text(0);
    return true;
  }
  size_t next = 0;  // they come in the order in which they were written, mostly
  for (size_t i = 0; i + 1 < answer.size(); i += 2) {
    const std::string_view name = answer.text(i);
    if (name == kCounterField) {
      row->counter = WholeNumber(answer.text(i + 1));
      continue;
    }
    for (size_t tried = 0; tried < names.size() && names[next] != name;
         ++tried) {
      next = (next + 1) % names.size();
    }
    if (names[next] == name) row->fields[next] = answer.text(i + 1);
    next = (next + 1) % names.size();
  }
  return answer.size() > 0;
}

}  // namespace

// Some at a time, on a connection of its own. A key of the index alone is a
// record that lost its hash.
Status RedisStore::ReadRows(const KeyRange& range, bool fields,
                            const VisitRow& visit) {
  RedisConnection connection(place_);
  RedisAnswer keys;
  RedisAnswer record;
  Row row;
  std::string from = range.first.empty() ? "-" : "[" + range.first;
  const std::string to = range.end.empty() ? "+" : "(" + range.end;
  const std::string most = std::to_string(kRowsAtOnce);
  while (connection.Ask(
             {"ZRANGEBYLEX", kIndexKey, from, to, "LIMIT", "0", most}, &keys) &&
         keys.size() > 0) {
    for (size_t i = 0; i < keys.size(); ++i) {
      if (fields) {
        connection.Send({"HGETALL", keys.text(i)});
      } else {
        connection.Send({"HGET", keys.text(i), kCounterField});
      }
    }
    for (size_t i = 0; i < keys.size() && connection.Take(&record); ++i) {
      row.counter = WholeNumber(record.text());
      const bool whole =
          !fields || TakeRecord(record, names_, std::nullopt, &row);
      visit(keys.text(i), whole ? &row : nullptr);
    }
    from = fmt::format("({}", keys.text(keys.size() - 1));
  }
  return connection.status();
}

// One worker's connection. What changes several keys is in MULTI and EXEC, so
// that each operation is in the log as a whole or not at all. Used by one
// thread.
class RedisSession : public Session {
 public:
  RedisSession(const RedisPlace& place, const std::vector<std::string>& names,
               int max_retries, uint64_t seed)
      : connection_(place), retries_(max_retries, seed), names_(names) {}

  Reply Read(std::string_view key, Field field, Row* row) override {
    Reply reply;
    SendRead(key, field);
    const bool answered = connection_.Take(&read_);
    reply.found = answered && TakeRecord(read_, names_, field, row);
    return Ended("read", answered, reply);
  }
  // HSET says how many fields are new. Of a record that is there none is: what
  // was made by mistake is taken away again.
  Reply Update(std::string_view key, const Values& values) override {
    Reply reply;
    RedisAnswer answer;
    SendWrite(key, values);
    bool answered = connection_.Take(&answer);
    reply.found = answered && answer.number() == 0;
    if (answered && !reply.found) {
      words_ = {"HDEL", key};
      const size_t first = values.field.value_or(0);
      for (size_t i = 0; i < values.fields.size(); ++i) {
        words_.push_back(names_[first + i]);
      }
      answered = connection_.Ask(words_, &answer);
    }
    reply.changed = true;
    return Ended("update", answered, reply);
  }
  Reply Replace(std::string_view key, const Values& values) override {
    RedisAnswer answer;
    connection_.Send({"MULTI"});
    SendWrite(key, values);
    connection_.Send({"HDEL", key, kCounterField});
    connection_.Send({"ZADD", kIndexKey, "0", key});
    connection_.Send({"EXEC"});
    return Ended("blind update", connection_.Take(&answer, 5),
                 {.changed = true});
  }
  Reply ReadModifyWrite(std::string_view key, Field field, const Values& values,
                        Row* row) override {
    Reply reply;
    const Attempt attempt = retries_.Run(
        [&] { return TryReadModifyWrite(key, field, values, row); },
        [&](const Attempt& failure) {
          reply.conflicts.busy += failure.conflict ? 1 : 0;
          return failure.conflict;
        });
    reply.found = attempt.found;
    reply.changed = true;
    return Ended("read-modify-write", attempt.ok(), reply);
  }
  Reply Insert(std::string_view key, const Values& values) override {
    RedisAnswer answer;
    connection_.Send({"MULTI"});
    SendWrite(key, values);
    connection_.Send({"ZADD", kIndexKey, "0", key});
    connection_.Send({"EXEC"});
    return Ended("insert", connection_.Take(&answer, 4), {.changed = true});
  }
  Reply Scan(std::string_view key, uint32_t limit, Field field) override {
    Reply reply;
    RedisAnswer keys;
    const std::string from = "[" + std::string(key);
    bool answered = connection_.Ask({"ZRANGEBYLEX", kIndexKey, from, "+",
                                     "LIMIT", "0", std::to_string(limit)},
                                    &keys);
    for (size_t i = 0; i < keys.size(); ++i) SendRead(keys.text(i), field);
    for (size_t i = 0; answered && i < keys.size(); ++i) {
      answered = connection_.Take(&read_);
      if (answered) ++reply.rows;
    }
    reply.found = reply.rows > 0;
    return Ended("scan", answered, reply);
  }

 private:
  // How an attempt ended, as RetryLoop asks.
  struct Attempt {
    bool answered = true;
    bool found = false;
    bool conflict = false;

    [[nodiscard]] bool ok() const { return answered && !conflict; }
  };

  void SendRead(std::string_view key, Field field) {
    if (field) {
      connection_.Send({"HMGET", key, names_[*field]});
    } else {
      connection_.Send({"HGETALL", key});
    }
  }
  void SendWrite(std::string_view key, const Values& values) {
    const size_t first = values.field.value_or(0);
    words_ = {"HSET", key};
    for (size_t i = 0; i < values.fields.size(); ++i) {
      words_.push_back(names_[first + i]);
      words_.push_back(values.fields[i]);
    }
    connection_.Send(words_);
  }
  // The connection's failures are for good: see RedisConnection.
  Reply Ended(const char* operation, bool answered, Reply reply) {
    if (answered) return reply;
    const std::string& why = connection_.error();
    return GivenUp(operation, why.empty() ? "others changed the record" : why,
                   !why.empty(), reply);
  }
  // Optimistic: EXEC does nothing when the record was changed after WATCH.
  Attempt TryReadModifyWrite(std::string_view key, Field field,
                             const Values& values, Row* row) {
    Attempt attempt;
    RedisAnswer answer;
    connection_.Send({"WATCH", key});
    SendRead(key, field);
    attempt.answered = connection_.Take(&answer) && connection_.Take(&read_);
    if (!attempt.answered) return attempt;
    attempt.found = TakeRecord(read_, names_, field, row);
    if (!attempt.found) {
      attempt.answered = connection_.Ask({"UNWATCH"}, &answer);
      return attempt;
    }
    connection_.Send({"MULTI"});
    SendWrite(key, values);
    connection_.Send({"HINCRBY", key, kCounterField, "1"});
    connection_.Send({"EXEC"});
    attempt.answered = connection_.Take(&answer, 4);
    attempt.conflict = attempt.answered && answer.nil();
    return attempt;
  }

  RedisConnection connection_;
  RetryLoop retries_;
  const std::vector<std::string>& names_;
  RedisConnection::Words words_;
  RedisAnswer read_;  // the row's views are into it
};

std::unique_ptr<Session> RedisStore::NewSession(uint64_t seed) {
  return std::make_unique<RedisSession>(place_, names_, max_retries_, seed);
}

}  // namespace waltax::ycsb
