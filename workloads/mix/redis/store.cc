#include "workloads/mix/redis/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <string>
#include <unordered_set>
#include <vector>

#include "driver/steps.h"

namespace waltax::mix {
namespace {

constexpr uint64_t kRowsOfStep = 4'096;  // of a load
constexpr size_t kRowsAtOnce = 256;      // of a round trip

uint64_t NumberIn(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string KeyText(const Values& values, size_t table, uint64_t number) {
  return fmt::format("{}:{}", values.mix().tables[table].name,
                     values.KeyOf(table, number));
}

// Sends HSET of columns, whose values are `row`'s.
class RowWriter {
 public:
  explicit RowWriter(const Values& values) : values_(values) {}

  void Begin(size_t table, uint64_t number) {
    columns_ = &values_.mix().tables[table].columns;
    key_ = KeyText(values_, table, number);
    numbers_.clear();
    numbers_.reserve(columns_->size());  // which words point into
    words_ = {"HSET", key_};
  }
  void Add(size_t column, const Row& row) {
    const Cell& cell = row.cells[column];
    const bool number = (*columns_)[column].type == Type::kInt;
    words_.push_back((*columns_)[column].name);
    words_.push_back(number ? numbers_.emplace_back(std::to_string(cell.number))
                            : cell.text);
  }
  void AddAll(const Row& row) {
    for (size_t i = 0; i < columns_->size(); ++i) Add(i, row);
  }
  [[nodiscard]] const RedisConnection::Words& words() const { return words_; }

 private:
  const Values& values_;
  const std::vector<Column>* columns_ = nullptr;
  std::string key_;
  std::vector<std::string> numbers_;
  RedisConnection::Words words_;
};

// Used by one thread. The connection's failures are for good.
class RedisSession : public Session {
 public:
  RedisSession(const RedisPlace& place, const Values& values)
      : connection_(place),
        values_(values),
        mix_(values.mix()),
        writer_(values) {}

  MixReply Execute(const Request& request) override {
    const Operation& operation = mix_.operations[request.operation];
    const size_t steps = operation.steps.size();
    const size_t of_one = operation.commit == Commit::kEach ? 1 : steps;
    written_.assign(steps, 0);
    MixReply reply;
    for (size_t i = 0; i < steps; i += of_one) {
      if (Execute(operation, request, i, i + of_one, &reply)) continue;
      return GivenUp(operation.name, connection_.error(), true, reply);
    }
    for (const uint32_t rows : written_) reply.changed |= rows > 0;
    return reply;
  }

 private:
  // What the answer to a command is about, and a row that an update must not
  // have made.
  enum class Says : uint8_t { kNothing, kRow, kThere, kDeleted };
  struct Sent {
    size_t step;
    Says says;
    uint64_t number;
  };

  // The steps from `first` to before `end`, in one commit and one round trip.
  bool Execute(const Operation& operation, const Request& request, size_t first,
               size_t end, MixReply* reply) {
    sent_.clear();
    const bool together = Commands(operation, first, end) > 1;
    if (together) connection_.Send({"MULTI"});
    for (size_t i = first; i < end; ++i) Send(operation, request, i);
    if (together) {
      connection_.Send({"EXEC"});
      RedisAnswer all;
      if (!connection_.Take(&all, static_cast<int>(sent_.size()) + 2)) {
        return false;
      }
      for (size_t i = 0; i < all.size(); ++i) {
        Take(sent_[i], all[i], reply);
      }
    } else {
      RedisAnswer answer;
      for (const Sent& each : sent_) {
        if (!connection_.Take(&answer)) return false;
        Take(each, answer, reply);
      }
    }
    return RemoveMade(operation);
  }
  static size_t Commands(const Operation& operation, size_t first, size_t end) {
    size_t commands = 0;
    bool writes = operation.commit != Commit::kEach;
    for (size_t i = first; i < end; ++i) {
      const Step& step = operation.steps[i];
      commands += step.verb == Verb::kUpdate ? 2 * step.rows
                                             : std::max(step.rows, step.most());
      writes |= step.writes();
    }
    return writes ? commands : 0;
  }

  void Send(const Operation& operation, const Request& request, size_t place) {
    const Step& step = operation.steps[place];
    if (step.verb == Verb::kInsert) {
      for (size_t i = 0; i < step.batch; ++i) {
        SendRow(operation, request, place, request.inserted[place] + i, i);
      }
      return;
    }
    const auto [rows, count] = RowsOf(operation, step, request);
    for (size_t i = 0; i < count; ++i) {
      if (step.verb == Verb::kPut) {
        SendRow(operation, request, place, rows[i], i);
      } else if (step.verb == Verb::kUpdate) {
        SendUpdate(operation, request, place, rows[i], i);
      } else {
        SendOfKey(step, place, rows[i]);
      }
    }
  }
  void SendRow(const Operation& operation, const Request& request, size_t place,
               uint64_t number, size_t turn) {
    const Step& step = operation.steps[place];
    const bool put = step.verb == Verb::kPut;
    values_.Make(step.table, number, put ? request.stamp : kLoaded, &row_);
    for (const Assignment& each : step.set) {
      if (each.value.kind == Value::Kind::kNew) continue;
      row_.cells[each.column].number =
          NumberOf(values_, operation, request, each.value, turn);
    }
    writer_.Begin(step.table, number);
    writer_.AddAll(row_);
    connection_.Send(writer_.words());
    sent_.push_back({place, Says::kNothing, number});
    ++written_[place];
  }
  void SendUpdate(const Operation& operation, const Request& request,
                  size_t place, uint64_t number, size_t turn) {
    const Step& step = operation.steps[place];
    const std::string key = KeyText(values_, step.table, number);
    connection_.Send({"EXISTS", key});
    sent_.push_back({place, Says::kThere, number});
    row_.cells.resize(mix_.tables[step.table].columns.size());
    row_.texts.resize(row_.cells.size());
    writer_.Begin(step.table, number);
    for (const Assignment& each : step.set) {
      if (each.value.kind == Value::Kind::kNew) {
        values_.Renew(step.table, each.column, number, request.stamp, &row_);
      } else {
        row_.cells[each.column].number =
            NumberOf(values_, operation, request, each.value, turn);
      }
      writer_.Add(each.column, row_);
    }
    if (!step.set.empty()) {
      connection_.Send(writer_.words());
      sent_.push_back({place, Says::kNothing, number});
    }
    for (const Assignment& each : step.add) {
      const int64_t more = NumberOf(values_, operation, request, each.value, 0);
      connection_.Send({"HINCRBY", key,
                        mix_.tables[step.table].columns[each.column].name,
                        std::to_string(more)});
      sent_.push_back({place, Says::kNothing, number});
    }
  }
  // A read or a delete.
  void SendOfKey(const Step& step, size_t place, uint64_t number) {
    const std::string key = KeyText(values_, step.table, number);
    const bool reads = !step.writes();
    RedisConnection::Words words = {!reads                 ? "DEL"
                                    : step.columns.empty() ? "HGETALL"
                                                           : "HMGET",
                                    key};
    for (const size_t column : step.columns) {
      words.push_back(mix_.tables[step.table].columns[column].name);
    }
    connection_.Send(words);
    sent_.push_back({place, reads ? Says::kRow : Says::kDeleted, number});
  }

  void Take(const Sent& sent, const RedisPart& answer, MixReply* reply) {
    if (sent.says == Says::kNothing) return;
    const bool found = sent.says == Says::kRow
                           ? answer.size() > 0 && !answer[0].nil()
                           : answer.number() > 0;
    ++(found ? reply->found_rows : reply->missing);
    if (sent.says != Says::kRow && found) ++written_[sent.step];
    if (sent.says == Says::kThere && !found) made_.push_back(sent);
  }
  // An update makes the row that it does not find.
  bool RemoveMade(const Operation& operation) {
    RedisAnswer answer;
    for (const Sent& each : made_) {
      const size_t table = operation.steps[each.step].table;
      const std::string key = KeyText(values_, table, each.number);
      if (!connection_.Ask({"DEL", key}, &answer)) return false;
    }
    made_.clear();
    return true;
  }

  RedisConnection connection_;
  const Values& values_;
  const Mix& mix_;
  RowWriter writer_;
  Row row_;
  std::vector<Sent> sent_;  // in the order of the answers
  std::vector<Sent> made_;
};

// A row as HGETALL tells it: names before values. False when a column lacks.
bool TakeRow(const Table& table, const RedisPart& answer, Row* row) {
  size_t taken = 0;
  row->cells.assign(table.columns.size(), {});
  for (size_t i = 0; i + 1 < answer.size(); i += 2) {
    for (size_t column = 0; column < table.columns.size(); ++column) {
      if (table.columns[column].name != answer[i].text()) continue;
      row->cells[column] = {answer[i + 1].digits(), answer[i + 1].text()};
      ++taken;
    }
  }
  return taken == table.columns.size();
}

}  // namespace

bool IsKeyOf(const Mix& mix, std::string_view key) {
  return std::any_of(
      mix.tables.begin(), mix.tables.end(), [key](const Table& table) {
        return key.substr(0, table.name.size() + 1) == table.name + ":";
      });
}

std::unique_ptr<Session> RedisStore::NewSession(uint64_t /*seed*/) {
  return std::make_unique<RedisSession>(place_, values_);
}

Status RedisStore::Scan(size_t table, size_t /*index*/, const Visit& visit) {
  const Table& of = values_.mix().tables[table];
  const std::string before = of.name + ":";
  RedisConnection connection(place_);
  RedisAnswer keys;
  RedisAnswer answer;
  std::unordered_set<uint64_t> seen;  // a server may show a key twice
  std::string cursor = "0";
  Row row;
  do {
    if (!connection.Ask({"SCAN", cursor, "MATCH", before + "*", "COUNT", "256"},
                        &keys) ||
        keys.size() != 2) {
      break;
    }
    cursor = keys[0].text();
    for (size_t i = 0; i < keys[1].size(); ++i) {
      connection.Send({"HGETALL", keys[1][i].text()});
    }
    for (size_t i = 0; i < keys[1].size() && connection.Take(&answer); ++i) {
      const uint64_t key = NumberIn(keys[1][i].text().substr(before.size()));
      if (!seen.insert(key).second) continue;
      const std::optional<uint64_t> number = values_.NumberOf(table, key);
      const bool whole = TakeRow(of, answer, &row);
      visit(number.value_or(0), number && whole ? &row : nullptr);
    }
  } while (cursor != "0");
  return connection.status();
}

Status RedisStore::Load(int threads, const RowReport& report, uint64_t* rows,
                        uint64_t* /*bytes*/) {
  struct Part {
    size_t table;
    uint64_t first;
    uint64_t end;
  };
  std::vector<Part> parts;
  const std::vector<Table>& tables = values_.mix().tables;
  for (size_t i = 0; i < tables.size(); ++i) {
    const uint64_t all = tables[i].loaded_rows();
    for (uint64_t first = 0; first < all; first += kRowsOfStep) {
      parts.push_back({i, first, std::min(all, first + kRowsOfStep)});
    }
  }
  std::atomic<uint64_t> loaded = 0;
  const auto fill = [&](RedisConnection& connection, const Part& part) {
    RowWriter writer(values_);
    RedisAnswer answer;
    Row row;
    size_t sent = 0;
    for (uint64_t i = part.first; i < part.end; ++i) {
      values_.Make(part.table, i, kLoaded, &row);
      writer.Begin(part.table, i);
      writer.AddAll(row);
      connection.Send(writer.words());
      if (++sent < kRowsAtOnce && i + 1 < part.end) continue;
      if (!connection.Take(&answer, static_cast<int>(sent))) break;
      loaded += std::exchange(sent, 0);
    }
    return connection.status();
  };
  const Status status =
      RunSteps({threads, parts.size(),
                [&](waltax::Step* step) {
                  const auto connection =
                      std::make_shared<RedisConnection>(place_);
                  *step = [&, connection](uint64_t i) {
                    return fill(*connection, parts[i]);
                  };
                  return connection->status();
                },
                [&] { report(loaded); }});
  *rows = loaded;
  return status;
}

}  // namespace waltax::mix
