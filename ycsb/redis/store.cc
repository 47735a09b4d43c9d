#include "ycsb/redis/store.h"

#include <charconv>
#include <utility>

#include "ycsb/redis/schema.h"

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
                const std::vector<std::string>& names,
                std::optional<uint32_t> field, Row* row) {
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

// The keys of the index from a bound on, some at a time.
class IndexPages {
 public:
  IndexPages(const RedisPlace& place, const KeyRange& range)
      : connection(place),
        from_(range.first.empty() ? "-" : "[" + range.first),
        to_(range.end.empty() ? "+" : "(" + range.end) {}

  // False at the end, and when the server cannot be asked.
  bool Next() {
    if (!connection.Ask({"ZRANGEBYLEX", kIndexKey, from_, to_, "LIMIT", "0",
                         std::to_string(kRowsAtOnce)},
                        &keys) ||
        keys.size() == 0) {
      return false;
    }
    from_ = "(" + std::string(keys.text(keys.size() - 1));
    return true;
  }

  RedisConnection connection;
  RedisAnswer keys;

 private:
  std::string from_;
  std::string to_;
};

class RedisRows : public RowSource {
 public:
  RedisRows(const RedisPlace& place, const std::vector<std::string>& names,
            const KeyRange& range)
      : pages_(place, range), names_(names) {}

  bool Next(StoredRow* row) override {
    if (at_ == pages_.keys.size()) {
      if (!pages_.Next()) return false;
      at_ = 0;
      for (size_t i = 0; i < pages_.keys.size(); ++i) {
        pages_.connection.Send({"HGETALL", pages_.keys.text(i)});
      }
    }
    if (!pages_.connection.Take(&record_)) return false;
    row->key = pages_.keys.text(at_++);
    // A key of the index alone is a record that lost its hash.
    row->garbled = !TakeRecord(record_, names_, std::nullopt, &row->row);
    return true;
  }
  [[nodiscard]] Status status() const override {
    return pages_.connection.status();
  }

 private:
  IndexPages pages_;
  const std::vector<std::string>& names_;
  RedisAnswer record_;
  size_t at_ = 0;
};

}  // namespace

OpenRows RedisStore::Rows() const {
  return [this](const KeyRange& range, std::unique_ptr<RowSource>* rows) {
    *rows = std::make_unique<RedisRows>(place_, records_.names(), range);
    return (*rows)->status();
  };
}

Status RedisStore::Survey(Totals* totals) {
  *totals = {};
  IndexPages pages(place_, {});
  RedisAnswer counter;
  while (pages.Next()) {
    for (size_t i = 0; i < pages.keys.size(); ++i) {
      pages.connection.Send({"HGET", pages.keys.text(i), kCounterField});
    }
    for (size_t i = 0; i < pages.keys.size(); ++i) {
      if (!pages.connection.Take(&counter)) break;
      totals->counter += WholeNumber(counter.text());
    }
    totals->rows += pages.keys.size();
  }
  return pages.connection.status();
}

Status RedisStore::Check(const Expected& expected, int threads,
                         CheckResult* result) {
  return CheckRecords(records_, expected, threads, Rows(), result);
}

// One worker's connection. What changes several keys is in MULTI and EXEC, so
// that each operation is in the log as a whole or not at all. Used by one
// thread.
class RedisSession : public Session {
 public:
  RedisSession(const RedisPlace& place, const std::vector<std::string>& names,
               int max_retries, uint64_t seed)
      : connection_(place), retries_(max_retries, seed), names_(names) {}

  Reply Read(std::string_view key, std::optional<uint32_t> field,
             Row* row) override {
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
    return Ended("blind update", connection_.TakeLast(5, &answer),
                 {.changed = true});
  }
  Reply ReadModifyWrite(std::string_view key, std::optional<uint32_t> field,
                        const Values& values, Row* row) override {
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
    return Ended("insert", connection_.TakeLast(4, &answer), {.changed = true});
  }
  Reply Scan(std::string_view key, uint32_t limit,
             std::optional<uint32_t> field) override {
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

  void SendRead(std::string_view key, std::optional<uint32_t> field) {
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
  Attempt TryReadModifyWrite(std::string_view key,
                             std::optional<uint32_t> field,
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
    attempt.answered = connection_.TakeLast(4, &answer);
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
  return std::make_unique<RedisSession>(place_, records_.names(), max_retries_,
                                        seed);
}

}  // namespace waltax::ycsb
