#include "workloads/mix/redis/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <unordered_set>
#include <vector>

#include "driver/steps.h"
#include "workloads/mix/codec.h"

namespace waltax::mix {
namespace {

constexpr uint64_t kRowsOfStep = 4'096;  // of a load
constexpr size_t kRowsAtOnce = 256;      // of a round trip

std::string KeyText(const Values& values, size_t table, uint64_t number) {
  std::string key;
  values.AppendTextKey(table, number, &key);
  return key;
}

// Sends HSET of columns, whose values are `row`'s.
class RowWriter {
 public:
  void Begin(const Table& table, const std::string& key) {
    table_ = &table;
    columns_ = &table.columns;
    key_ = key;
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
  static size_t CommandsOf(const Table& table) { return table.ordered ? 2 : 1; }
  void Send(RedisConnection* connection) const {
    connection->Send(words_);
    if (table_->ordered) connection->Send({"ZADD", table_->name, "0", key_});
  }

 private:
  const Table* table_ = nullptr;
  const std::vector<Column>* columns_ = nullptr;
  std::string key_;
  std::vector<std::string> numbers_;
  RedisConnection::Words words_;
};

// Used by one thread. The connection's failures are for good. A commit is one
// round trip: an attempt sends the commands of its steps, and what they found
// is counted when the answers come.
class RedisSession : public StepSession<Status> {
 public:
  RedisSession(const RedisPlace& place, const Values& values)
      : StepSession(values), connection_(place) {}

 private:
  // What the answer to a command is about, and a row that an update must not
  // have made.
  enum class Says : uint8_t { kNothing, kRow, kThere, kNew };
  struct Sent {
    RequestStep at;
    Says says;
    uint64_t number;
  };

  Status CommitSteps(const Operation& /*operation*/, const Step& first,
                     Conflicts* /*conflicts*/) override {
    if (first.verb == Verb::kScan) return Attempt();
    sent_.clear();
    if (first.multi) connection_.Send({"MULTI"});
    (void)Attempt();
    RedisAnswer answer;
    if (first.multi) {
      connection_.Send({"EXEC"});
      connection_.Take(&answer, static_cast<int>(sent_.size()) + 2);
      for (size_t i = 0; i < answer.size(); ++i) Take(sent_[i], answer[i]);
    } else {
      for (const Sent& each : sent_) {
        if (connection_.Take(&answer)) Take(each, answer);
      }
    }
    return RemoveMade();
  }
  std::string Explain(const Status& status, bool* fatal) override {
    *fatal = true;
    return status.message();
  }

  void Send(const RedisConnection::Words& words, const RequestStep& at,
            Says says, uint64_t number) {
    connection_.Send(words);
    sent_.push_back({at, says, number});
  }
  Status Get(const RequestStep& at) override {
    const auto [rows, count] = at.rows();
    for (size_t i = 0; i < count; ++i) {
      SendRead(at, KeyText(values_, at.step.table, rows[i]));
      sent_.push_back({at, Says::kRow, rows[i]});
    }
    return {};
  }
  Status Write(const RequestStep& at, size_t turn) override {
    const uint64_t number = at.written_row(turn);
    writer_.Begin(at.table(), KeyText(values_, at.step.table, number));
    writer_.AddAll(new_row_);
    writer_.Send(&connection_);
    for (size_t i = 0; i < RowWriter::CommandsOf(at.table()); ++i) {
      sent_.push_back({at, Says::kNothing, number});
    }
    reply_.changed = true;
    return {};
  }
  Status Change(const RequestStep& at, size_t turn) override {
    const uint64_t number = at.written_row(turn);
    const std::string key = KeyText(values_, at.step.table, number);
    if (at.step.verb == Verb::kDelete) {
      Send({"DEL", key}, at, Says::kThere, number);
      if (at.table().ordered) {
        Send({"ZREM", at.table().name, key}, at, Says::kNothing, number);
      }
      return {};
    }
    writer_.Begin(at.table(), key);
    at.SetColumns(turn, &new_row_,
                  [this](size_t column) { writer_.Add(column, new_row_); });
    if (at.step.set.empty()) {
      Send({"EXISTS", key}, at, Says::kThere, number);
    } else {
      Send(writer_.words(), at, Says::kNew, number);
    }
    for (const Assignment& each : at.step.add) {
      Send({"HINCRBY", key, at.table().columns[each.column].name,
            std::to_string(at.number(each.value, 0))},
           at, Says::kNothing, number);
    }
    return {};
  }
  void SendRead(const RequestStep& at, std::string_view key) {
    const std::vector<size_t>& columns = at.step.columns;
    RedisConnection::Words words = {columns.empty() ? "HGETALL" : "HMGET", key};
    for (size_t i = 0; i < columns.size(); ++i) {
      if (at.picks(i)) words.push_back(at.table().columns[columns[i]].name);
    }
    connection_.Send(words);
  }
  // The keys from one on, or to one, and then their rows. A scan is alone.
  Status ScanRows(const RequestStep& at) override {
    const Scan& scan = at.step.scan;
    std::string from = scan.descending ? "+" : "-";
    if (scan.from != kNone) {
      from = '[' + KeyText(values_, at.step.table, at.first_row());
    }
    const uint64_t limit = at.limit();
    const std::string most = limit == 0 ? "-1" : std::to_string(limit);
    RedisAnswer keys;
    RedisAnswer row;
    connection_.Ask(
        {scan.descending ? "ZREVRANGEBYLEX" : "ZRANGEBYLEX", at.table().name,
         from, scan.descending ? "-" : "+", "LIMIT", "0", most},
        &keys);
    for (size_t i = 0; i < keys.size(); ++i) SendRead(at, keys[i].text());
    for (size_t i = 0; i < keys.size(); ++i) {
      if (connection_.Take(&row)) ++reply_.rows;
    }
    return connection_.status();
  }

  void Take(const Sent& sent, const RedisPart& answer) {
    if (sent.says == Says::kNothing) return;
    // HSET says how many columns are new: of a row that is there none is.
    const bool found = sent.says == Says::kRow
                           ? answer.size() > 0 && !answer[0].nil()
                       : sent.says == Says::kNew ? answer.number() == 0
                                                 : answer.number() > 0;
    Count(sent.at, found);
    reply_.changed |= found && sent.says != Says::kRow;
    const bool updates = sent.at.step.verb == Verb::kUpdate;
    if (updates && !found) made_.push_back(sent);
  }
  // An update makes the row that it does not find.
  Status RemoveMade() {
    RedisAnswer answer;
    for (const Sent& each : made_) {
      const std::string key = KeyText(values_, each.at.step.table, each.number);
      connection_.Ask({"DEL", key}, &answer);
    }
    made_.clear();
    return connection_.status();
  }

  RedisConnection connection_;
  RowWriter writer_;
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
                       return key.starts_with(table.key.prefix) ||
                              (table.ordered && key == table.name);
                     });
}

std::unique_ptr<Session> RedisStore::NewSession(uint64_t /*seed*/) {
  return std::make_unique<RedisSession>(place_, values_);
}

Status RedisStore::Scan(size_t table, size_t /*index*/, const Visit& visit) {
  const Table& of = values_.mix().tables[table];
  RedisConnection connection(place_);
  RedisAnswer keys;
  RedisAnswer answer;
  std::unordered_set<uint64_t> seen;  // a server may show a key twice
  std::string cursor = "0";
  Row row;
  // Of a table with an order by that: a row without its place there is missing,
  // and a place without a row has none.
  const std::string pattern = of.key.prefix + "*";
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
      const std::optional<uint64_t> number =
          values_.NumberOfText(table, keys[1][i].text());
      if (number && !seen.insert(*number).second) continue;
      const bool whole = TakeRow(of, answer, &row);
      visit(number.value_or(0), number && whole ? &row : nullptr);
    }
  } while (cursor != "0");
  return connection.status();
}

Status RedisStore::Load(int threads, const RowReport& report, uint64_t* rows,
                        uint64_t* /*bytes*/) {
  const std::vector<Table>& tables = values_.mix().tables;
  const Codec codec(values_);
  LoadParts parts(values_, codec);
  for (size_t i = 0; i < tables.size(); ++i) parts.Add(i, kNone, kRowsOfStep);
  std::atomic<uint64_t> loaded = 0;
  const auto fill = [&](RedisConnection& connection, uint64_t step) {
    const LoadParts::Part& part = parts[step];
    const Table& table = tables[part.table];
    RowWriter writer;
    RedisAnswer answer;
    size_t sent = 0;
    const auto take_answers = [&] {
      const size_t commands = sent * RowWriter::CommandsOf(table);
      if (!connection.Take(&answer, static_cast<int>(commands))) return false;
      loaded += std::exchange(sent, 0);
      return true;
    };
    parts.ForAll(part, [&](uint64_t number, const Row& row) {
      writer.Begin(table, KeyText(values_, part.table, number));
      writer.AddAll(row);
      writer.Send(&connection);
      return ++sent < kRowsAtOnce || take_answers();
    });
    if (sent > 0) take_answers();
    return connection.status();
  };
  const Status status = RunSteps(
      {threads, parts.size(),
       [&](waltax::Step* step) {
         const auto connection = std::make_shared<RedisConnection>(place_);
         *step = [&, connection](uint64_t i) { return fill(*connection, i); };
         return connection->status();
       },
       [&] { report(loaded); }});
  *rows = loaded;
  return status;
}

}  // namespace waltax::mix
