// A mix on a server that speaks the Redis protocol.
//
//   row     = hash "TABLE:KEY" of { column value }, numbers in decimal digits;
//             of a key that is a text the hash has its name
//   order   = sorted set "TABLE" of the keys of a table that wants it, each of
//             score 0, so that its order is that of their bytes
//   commit  = MULTI and EXEC around whatever is more than one command
//
// There is no other order and no index: a mix with another scan, or with an
// index, is none for such a server.
#include "workloads/mix/store.h"

#include <fmt/format.h>

#include <atomic>
#include <deque>
#include <string>
#include <unordered_set>
#include <vector>

#include "driver/redis/connection.h"
#include "driver/steps.h"
#include "workloads/mix/codec.h"

namespace waltax::mix {
namespace {

constexpr uint64_t kRowsOfStep = 4'096;  // of a load
constexpr int kSentAtOnce = 256;         // commands of a round trip

std::string KeyText(const Values& values, size_t table, uint64_t number) {
  std::string key;
  values.AppendTextKey(table, number, &key);
  return key;
}

// HSET of columns of a row.
struct Hset {
  explicit Hset(std::string_view key) : words({"HSET", key}) {}
  void Add(const Column& column, const Cell& cell) {
    words.emplace_back(column.name);
    words.push_back(column.type == Type::kInt
                        ? numbers.emplace_back(std::to_string(cell.number))
                        : cell.text);
  }

  RedisConnection::Words words;
  std::deque<std::string> numbers;  // words point into them
};

// The commands that a new row takes, and sends them.
int CommandsOf(const Table& table) { return table.ordered ? 2 : 1; }
void SendRow(const Table& table, std::string_view key, const Row& row,
             RedisConnection* connection) {
  Hset hset(key);
  for (size_t i = 0; i < table.columns.size(); ++i) {
    hset.Add(table.columns[i], row.cells[i]);
  }
  connection->Send(hset.words);
  if (table.ordered) connection->Send({"ZADD", table.name, "0", key});
}

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
                     uint32_t* /*retries*/) override {
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
  std::string Explain(const Status& status) override {
    return status.message();
  }

  void Send(const RedisConnection::Words& words, const RequestStep& at,
            Says says, uint64_t number) {
    connection_.Send(words);
    sent_.push_back({at, says, number});
  }
  Status Get(const RequestStep& at) override {
    for (const uint64_t row : at.rows()) {
      SendRead(at, KeyText(values_, at.step.table, row));
      sent_.push_back({at, Says::kRow, row});
    }
    return {};
  }
  Status Write(const RequestStep& at, size_t turn) override {
    const uint64_t number = at.written_row(turn);
    SendRow(at.table(), KeyText(values_, at.step.table, number), new_row_,
            &connection_);
    for (int i = 0; i < CommandsOf(at.table()); ++i) {
      sent_.push_back({at, Says::kNothing, number});
    }
    reply_.committed = true;
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
    Hset hset(key);
    at.SetColumns(turn, &new_row_, [&](size_t column) {
      hset.Add(at.table().columns[column], new_row_.cells[column]);
    });
    if (at.step.set.empty()) {
      Send({"EXISTS", key}, at, Says::kThere, number);
    } else {
      Send(hset.words, at, Says::kNew, number);
    }
    for (const Assignment& each : at.step.add) {
      Send({"HINCRBY", key, at.table().columns[each.column].name,
            std::to_string(at.number(each, 0))},
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
      from = '[' + KeyText(values_, at.step.table, at.drawn(scan.from));
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
    reply_.committed |= found && sent.says != Says::kRow;
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

// Thread-safe. The values outlive it.
class RedisStore : public Store {
 public:
  RedisStore(RedisPlace place, const Values& values)
      : place_(std::move(place)), values_(values) {}

  std::unique_ptr<Session> NewSession(uint64_t /*seed*/) override {
    return std::make_unique<RedisSession>(place_, values_);
  }
  Status Scan(size_t table, const Visit& visit) override {
    const Table& of = values_.mix().tables[table];
    RedisConnection connection(place_);
    RedisAnswer keys;
    RedisAnswer answer;
    std::unordered_set<uint64_t> seen;  // a server may show a key twice
    std::string cursor = "0";
    Row row;
    // Of a table with an order by that: a row without its place there is
    // missing, and a place without a row has none.
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

  Status Load(int threads, const RowReport& report, uint64_t* rows,
              uint64_t* /*bytes*/) override {
    const std::vector<Table>& tables = values_.mix().tables;
    LoadParts parts(values_);
    for (size_t i = 0; i < tables.size(); ++i) parts.Add(i, kNone, kRowsOfStep);
    std::atomic<uint64_t> loaded = 0;
    const auto fill = [&](RedisConnection& connection, uint64_t step) {
      const LoadParts::Part& part = parts[step];
      const Table& table = tables[part.table];
      RedisAnswer answer;
      int sent = 0;
      const auto take_answers = [&] {
        connection.Take(&answer, std::exchange(sent, 0));
        return connection.status().ok();
      };
      parts.ForAll(part, [&](uint64_t number, const Row& row) {
        SendRow(table, KeyText(values_, part.table, number), row, &connection);
        sent += CommandsOf(table);
        return sent < kSentAtOnce || take_answers();
      });
      if (take_answers()) loaded += part.end - part.first;
      return connection.status();
    };
    std::vector<std::unique_ptr<RedisConnection>> connections(threads);
    const Status status = RunSteps(
        threads, parts.size(),
        [&](uint64_t i, int thread) {
          auto& own = connections[thread];
          if (own == nullptr) own = std::make_unique<RedisConnection>(place_);
          return fill(*own, i);
        },
        [&] { report(loaded); });
    *rows = loaded;
    return status;
  }

 private:
  RedisPlace place_;
  const Values& values_;
};

}  // namespace

std::unique_ptr<Store> NewRedisStore(RedisPlace place, const Values& values) {
  return std::make_unique<RedisStore>(std::move(place), values);
}

}  // namespace waltax::mix
