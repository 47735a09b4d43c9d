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

// What all keys of a table begin with.
std::string BeforeKeys(const Table& table) {
  return table.key.text.empty() ? table.name + ":" : table.key.text;
}

std::string KeyText(const Values& values, size_t table, uint64_t number) {
  const Table& of = values.mix().tables[table];
  std::string key;
  if (!of.key.text.empty()) {
    values.AppendTextKey(table, number, &key);
    return key;
  }
  return fmt::format("{}:{}", of.name, values.KeyOf(table, number));
}

// Sends HSET of columns, whose values are `row`'s.
class RowWriter {
 public:
  explicit RowWriter(const Values& values) : values_(values) {}

  void Begin(size_t table, uint64_t number) {
    table_ = &values_.mix().tables[table];
    columns_ = &table_->columns;
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
  // Commands that a new row takes.
  static int CommandsOf(const Table& table) { return table.ordered ? 2 : 1; }
  void Send(RedisConnection* connection) const {
    connection->Send(words_);
    if (table_->ordered) connection->Send({"ZADD", table_->name, "0", key_});
  }

 private:
  const Values& values_;
  const Table* table_ = nullptr;
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
  enum class Says : uint8_t { kNothing, kRow, kThere, kNew, kDeleted };
  struct Sent {
    size_t step;
    Says says;
    uint64_t number;
  };

  // The steps from `first` to before `end`, in one commit and one round trip;
  // a scan is alone, and takes another for its keys.
  bool Execute(const Operation& operation, const Request& request, size_t first,
               size_t end, MixReply* reply) {
    if (operation.steps[first].verb == Verb::kScan) {
      return ScanRows(operation, request, operation.steps[first], reply);
    }
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
  [[nodiscard]] size_t Commands(const Operation& operation, size_t first,
                                size_t end) const {
    size_t commands = 0;
    bool writes = operation.commit != Commit::kEach;
    for (size_t i = first; i < end; ++i) {
      const Step& step = operation.steps[i];
      const bool placed = mix_.tables[step.table].ordered && step.writes();
      commands += std::max(step.rows, step.most()) * (step.verb == Verb::kUpdate
                                                          ? 1 + step.add.size()
                                                      : placed ? 2
                                                               : 1);
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
        SendOfKey(operation, request, place, rows[i]);
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
    writer_.Send(&connection_);
    for (int i = RowWriter::CommandsOf(mix_.tables[step.table]); i > 0; --i) {
      sent_.push_back({place, Says::kNothing, number});
    }
    ++written_[place];
  }
  void SendUpdate(const Operation& operation, const Request& request,
                  size_t place, uint64_t number, size_t turn) {
    const Step& step = operation.steps[place];
    const std::string key = KeyText(values_, step.table, number);
    if (step.set.empty()) {
      connection_.Send({"EXISTS", key});
      sent_.push_back({place, Says::kThere, number});
    }
    row_.cells.resize(mix_.tables[step.table].columns.size());
    row_.texts.resize(row_.cells.size());
    writer_.Begin(step.table, number);
    for (size_t i = 0; i < step.set.size(); ++i) {
      if (!Picks(operation, step, request, i)) continue;
      const Assignment& each = step.set[i];
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
      sent_.push_back({place, Says::kNew, number});
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
  void SendOfKey(const Operation& operation, const Request& request,
                 size_t place, uint64_t number) {
    const Step& step = operation.steps[place];
    const std::string key = KeyText(values_, step.table, number);
    if (!step.writes()) {
      SendRead(operation, step, request, key);
      sent_.push_back({place, Says::kRow, number});
      return;
    }
    connection_.Send({"DEL", key});
    sent_.push_back({place, Says::kDeleted, number});
    if (!mix_.tables[step.table].ordered) return;
    connection_.Send({"ZREM", mix_.tables[step.table].name, key});
    sent_.push_back({place, Says::kNothing, number});
  }
  void SendRead(const Operation& operation, const Step& step,
                const Request& request, std::string_view key) {
    RedisConnection::Words words = {step.columns.empty() ? "HGETALL" : "HMGET",
                                    key};
    for (size_t i = 0; i < step.columns.size(); ++i) {
      if (!Picks(operation, step, request, i)) continue;
      words.push_back(mix_.tables[step.table].columns[step.columns[i]].name);
    }
    connection_.Send(words);
  }
  // The keys from one on, or to one, and then their rows.
  bool ScanRows(const Operation& operation, const Request& request,
                const Step& step, MixReply* reply) {
    const Scan& scan = step.scan;
    std::string from = scan.descending ? "+" : "-";
    if (scan.from != kNone) {
      const uint64_t row = request.drawn[operation.draws[scan.from].at];
      from = fmt::format("[{}", KeyText(values_, step.table, row));
    }
    const uint64_t limit = LimitOf(operation, step, request);
    const std::string most = limit == 0 ? "-1" : std::to_string(limit);
    RedisAnswer keys;
    RedisAnswer row;
    if (!connection_.Ask({scan.descending ? "ZREVRANGEBYLEX" : "ZRANGEBYLEX",
                          mix_.tables[step.table].name, from,
                          scan.descending ? "-" : "+", "LIMIT", "0", most},
                         &keys)) {
      return false;
    }
    for (size_t i = 0; i < keys.size(); ++i) {
      SendRead(operation, step, request, keys[i].text());
    }
    for (size_t i = 0; i < keys.size(); ++i) {
      if (!connection_.Take(&row)) return false;
      ++reply->rows;
    }
    return true;
  }

  void Take(const Sent& sent, const RedisPart& answer, MixReply* reply) {
    if (sent.says == Says::kNothing) return;
    // HSET says how many columns are new: of a row that is there none is.
    const bool found = sent.says == Says::kRow
                           ? answer.size() > 0 && !answer[0].nil()
                       : sent.says == Says::kNew ? answer.number() == 0
                                                 : answer.number() > 0;
    ++(found ? reply->found_rows : reply->missing);
    if (sent.says != Says::kRow && found) ++written_[sent.step];
    const bool updates = sent.says == Says::kThere || sent.says == Says::kNew;
    if (updates && !found) made_.push_back(sent);
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
  return std::any_of(mix.tables.begin(), mix.tables.end(),
                     [key](const Table& table) {
                       return key.starts_with(BeforeKeys(table)) ||
                              (table.ordered && key == table.name);
                     });
}

std::unique_ptr<Session> RedisStore::NewSession(uint64_t /*seed*/) {
  return std::make_unique<RedisSession>(place_, values_);
}

Status RedisStore::Scan(size_t table, size_t /*index*/, const Visit& visit) {
  const Table& of = values_.mix().tables[table];
  const std::string before = BeforeKeys(of);
  RedisConnection connection(place_);
  RedisAnswer keys;
  RedisAnswer answer;
  std::unordered_set<uint64_t> seen;  // a server may show a key twice
  std::string cursor = "0";
  Row row;
  // Of a table with an order by that: a row without its place there is missing,
  // and a place without a row has none.
  const std::string pattern = before + "*";
  do {
    RedisConnection::Words words = {"SCAN",  cursor,  "MATCH",
                                    pattern, "COUNT", "256"};
    if (of.ordered) {
      words.front() = "ZSCAN";
      words.insert(words.begin() + 1, of.name);
    }
    if (!connection.Ask(words, &keys) || keys.size() != 2) break;
    cursor = keys[0].text();
    const size_t step = of.ordered ? 2 : 1;  // scores stand between
    for (size_t i = 0; i < keys[1].size(); i += step) {
      connection.Send({"HGETALL", keys[1][i].text()});
    }
    for (size_t i = 0; i < keys[1].size() && connection.Take(&answer);
         i += step) {
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
      writer.Send(&connection);
      if (++sent < kRowsAtOnce && i + 1 < part.end) continue;
      const int commands = RowWriter::CommandsOf(tables[part.table]);
      if (!connection.Take(&answer, static_cast<int>(sent) * commands)) break;
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
