#include "workloads/mix/sql/session.h"

#include <fmt/format.h>

#include <algorithm>

namespace waltax::mix {
namespace {

using mariadb::SqlStatus;
using mariadb::Statement;

std::string Join(const std::vector<std::string>& parts, const char* between) {
  return fmt::format("{}", fmt::join(parts, between));
}

// "`product` = ? AND id = ?".
std::string IsKey(const Table& table) {
  std::vector<std::string> parts;
  for (const size_t column : table.key.columns) {
    parts.push_back(Quoted(table.columns[column].name) + " = ?");
  }
  parts.emplace_back("id = ?");
  return Join(parts, " AND ");
}

// From a key on, each column of which stands for two `?` but the last.
std::string FromKey(const Table& table, bool descending) {
  std::string text = descending ? "id <= ?" : "id >= ?";
  for (auto column = table.key.columns.rbegin();
       column != table.key.columns.rend(); ++column) {
    text = fmt::format("({0} {1} ? OR ({0} = ? AND {2}))",
                       Quoted(table.columns[*column].name),
                       descending ? "<" : ">", text);
  }
  return text;
}

std::string Columns(const Table& table, const Step& step) {
  std::vector<std::string> names;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (step.columns.empty() || Has(step.columns, i)) {
      names.push_back(Quoted(table.columns[i].name));
    }
  }
  return Join(names, ", ");
}

std::string GetText(const Table& table, const Step& step, size_t rows) {
  const std::string select = fmt::format(
      "SELECT {} FROM {} WHERE ", Columns(table, step), Quoted(table.name));
  const char* const lock = step.lock ? " FOR UPDATE" : "";
  if (rows == 1) return select + IsKey(table) + lock;
  std::string key = "?";
  for (size_t i = 0; i < table.key.columns.size(); ++i) key += ", ?";
  const std::vector<std::string> keys(rows, "(" + key + ")");
  return fmt::format("{}({}) IN ({}){}", select, KeyColumns(table),
                     Join(keys, ", "), lock);
}

std::string ScanText(const Table& table, const Step& step) {
  const Scan& scan = step.scan;
  std::string text = fmt::format("SELECT {} FROM {}", Columns(table, step),
                                 Quoted(table.name));
  std::vector<std::string> order;
  if (scan.column != kNone) {
    order.push_back(Quoted(table.columns[scan.column].name));
  } else {
    const std::vector<size_t>& columns =
        scan.index == kNone ? table.key.columns
                            : table.indexes[scan.index].columns;
    for (const size_t column : columns) {
      order.push_back(Quoted(table.columns[column].name));
    }
    if (scan.index == kNone) order.emplace_back("id");
    text += fmt::format(" FORCE INDEX ({})",
                        scan.index == kNone
                            ? "PRIMARY"
                            : Quoted(table.indexes[scan.index].name));
    if (scan.from != kNone) {
      text += " WHERE " + (scan.equal ? order.front() + " = ?"
                                      : FromKey(table, scan.descending));
    }
  }
  const char* const way = scan.descending ? " DESC" : "";
  for (std::string& column : order) column += way;
  // Where all rows are wanted, one order is as good as another.
  const bool limited = scan.limit > 0 || scan.most != kNone;
  if (limited || scan.descending || scan.column != kNone) {
    text += " ORDER BY " + Join(order, ", ");
  }
  if (scan.most != kNone) return text + " LIMIT ?";
  if (scan.limit > 0) text += fmt::format(" LIMIT {}", scan.limit);
  return text;
}

std::string InsertText(const Table& table, bool put) {
  std::vector<std::string> names = {"id"};
  std::vector<std::string> anew;
  for (const Column& column : table.columns) {
    names.push_back(Quoted(column.name));
    anew.push_back(fmt::format("{0} = VALUES({0})", names.back()));
  }
  const std::vector<std::string> values(names.size(), "?");
  return fmt::format("INSERT INTO {} ({}) VALUES ({}){}", Quoted(table.name),
                     Join(names, ", "), Join(values, ", "),
                     put ? " ON DUPLICATE KEY UPDATE " + Join(anew, ", ") : "");
}

std::string UpdateText(const Table& table, const Step& step) {
  std::vector<std::string> parts;
  for (const Assignment& each : step.set) {
    parts.push_back(Quoted(table.columns[each.column].name) + " = ?");
  }
  for (const Assignment& each : step.add) {
    parts.push_back(
        fmt::format("{0} = {0} + ?", Quoted(table.columns[each.column].name)));
  }
  return fmt::format("UPDATE {} SET {} WHERE {}", Quoted(table.name),
                     Join(parts, ", "), IsKey(table));
}

// The step when it picks this one of its columns.
Step Picked(const Step& step, size_t place) {
  Step one = step;
  if (step.pick == kNone) return one;
  if (step.set.empty()) {
    one.columns = {step.columns[place]};
  } else {
    one.set = {step.set[place]};
  }
  return one;
}

std::string TextOf(const Table& table, const Step& step) {
  switch (step.verb) {
    case Verb::kGet:
      return GetText(table, step, step.one_by_one ? 1 : step.rows);
    case Verb::kScan:
      return ScanText(table, step);
    case Verb::kInsert:
    case Verb::kPut:
      return InsertText(table, step.verb == Verb::kPut);
    case Verb::kUpdate:
      return UpdateText(table, step);
    case Verb::kDelete:
      break;
  }
  return fmt::format("DELETE FROM {} WHERE {}", Quoted(table.name),
                     IsKey(table));
}

// Whether a scan is out of an index alone, and its value can be sent as text.
bool IsCovered(const Table& table, const Step& step) {
  const Scan& scan = step.scan;
  if (step.verb != Verb::kScan || scan.index == kNone || step.columns.empty() ||
      !scan.equal || scan.most != kNone || step.pick != kNone) {
    return false;
  }
  const std::vector<size_t>& has = table.indexes[scan.index].columns;
  const Column& first = table.columns[has.front()];
  if (first.type == Type::kInt && first.references == kNone) return false;
  return std::all_of(step.columns.begin(), step.columns.end(),
                     [&](size_t column) { return Has(has, column); });
}

}  // namespace

std::unique_ptr<Session> SqlStore::NewSession(uint64_t seed) {
  std::unique_ptr<SqlSession> session;
  const Status status =
      SqlSession::Open(place_, values_, behind_, seed, &session);
  if (status.ok()) return session;
  return std::make_unique<Session>(status.message());
}

Status SqlSession::Open(const mariadb::SqlPlace& place, const Values& values,
                        const std::string& behind, uint64_t seed,
                        std::unique_ptr<SqlSession>* session) {
  session->reset(new SqlSession(values, seed));
  return (*session)->Compile(place, behind, seed);
}

Status SqlSession::Compile(const mariadb::SqlPlace& place,
                           const std::string& behind, uint64_t seed) {
  Status status;
  for (const Operation& operation : mix_.operations) {
    std::vector<Compiled>& all = compiled_.emplace_back();
    for (const Step& step : operation.steps) {
      Compiled& compiled = all.emplace_back();
      compiled.alone = operation.commit == Commit::kEach && step.most() <= 1;
      std::unique_ptr<mariadb::Connection>& connection =
          compiled.alone ? own_ : shared_;
      if (connection == nullptr) {
        status = mariadb::Connection::Open(place.server, &connection);
        if (!status.ok()) return status;
      }
      if (!compiled.alone && transaction_ == nullptr) {
        transaction_ = std::make_unique<mariadb::Transaction>(
            connection.get(), kMaxRetries, seed);
      }
      Table table = mix_.tables[step.table];
      table.name += behind;
      if (IsCovered(table, step)) {
        compiled.covered = std::make_unique<mariadb::TextRead>(
            connection.get(), TextOf(table, step));
        continue;
      }
      const size_t picks = step.pick == kNone ? 1
                           : step.set.empty() ? step.columns.size()
                                              : step.set.size();
      for (size_t i = 0; i < picks && status.ok(); ++i) {
        status =
            Statement::Prepare(connection.get(), TextOf(table, Picked(step, i)),
                               &compiled.statements.emplace_back());
      }
      if (!status.ok()) return status;
    }
  }
  return status;
}

std::optional<StepSession::Failure> SqlSession::CommitSteps(
    const Operation& operation, const Request& request, size_t first,
    size_t end, MixReply* reply) {
  const std::vector<Compiled>& compiled = compiled_[request.operation];
  const MixReply before = *reply;
  Conflicts conflicts = before.conflicts;
  const auto attempt = [&] {
    SqlStatus done;
    *reply = before;
    for (size_t i = first; i < end && done.ok(); ++i) {
      written_[i] = 0;
      done = Do({{values_, operation, request, operation.steps[i]},
                 compiled[i],
                 written_[i]},
                reply);
    }
    return done;
  };
  const auto count = [&](const SqlStatus& failure) {
    return mariadb::CountConflict(failure, &conflicts);
  };
  const SqlStatus status = compiled[first].alone
                               ? retries_.Run(attempt, count)
                               : transaction_->Run(attempt, &conflicts);
  reply->conflicts = conflicts;
  if (status.ok()) return std::nullopt;
  return Failure{mariadb::ToString(status), mariadb::IsFatal(status)};
}

SqlStatus SqlSession::Do(const At& at, MixReply* reply) {
  switch (at.step.verb) {
    case Verb::kGet:
      return Get(at, reply);
    case Verb::kScan:
      return ScanRows(at, reply);
    case Verb::kInsert:
    case Verb::kPut:
      return Write(at, reply);
    case Verb::kUpdate:
    case Verb::kDelete:
      break;
  }
  return Change(at, reply);
}

void SqlSession::BindKey(size_t table, uint64_t number, Statement* statement) {
  for (const size_t column : mix_.tables[table].key.columns) {
    statement->Bind(values_.Initial(table, column, number));
  }
  TakeId(values_, table, number, &id_, [&](auto id) { statement->Bind(id); });
}

SqlStatus SqlSession::Get(const At& at, MixReply* reply) {
  const auto [rows, count] = at.rows();
  Statement& read = at.statement();
  const size_t at_once = at.step.one_by_one ? 1 : count;
  SqlStatus status;
  uint32_t found = 0;
  for (size_t i = 0; i < count && status.ok(); i += at_once) {
    read.Begin();
    for (size_t k = i; k < i + at_once; ++k) {
      BindKey(at.step.table, rows[k], &read);
    }
    status = read.Execute();
    while (status.ok() && read.Next(&status)) ++found;
  }
  reply->found_rows += found;
  // A row that was asked for twice is sent once.
  reply->missing += static_cast<uint32_t>(count) - found;
  return status;
}

SqlStatus SqlSession::ScanRows(const At& at, MixReply* reply) {
  const Scan& scan = at.step.scan;
  const Cell value = scan.equal ? at.scanned_value(&row_) : Cell();
  const auto read = [&](auto& rows, SqlStatus status) {
    while (status.ok() && rows.Next(&status)) ++reply->rows;
    return status;
  };
  if (at.compiled.covered != nullptr) {
    mariadb::TextRead& rows = *at.compiled.covered;
    const bool is_text = !value.text.empty();
    return read(rows, is_text ? rows.Run(value.text)
                              : rows.Run(static_cast<uint64_t>(value.number)));
  }
  Statement& rows = at.statement();
  rows.Begin();
  if (scan.equal) {
    value.text.empty() ? rows.Bind(value.number) : rows.Bind(value.text);
  } else if (scan.from != kNone) {
    for (const size_t column : at.table().key.columns) {
      const int64_t number =
          values_.Initial(at.step.table, column, at.first_row());
      rows.Bind(number);
      rows.Bind(number);
    }
    TakeId(values_, at.step.table, at.first_row(), &id_,
           [&](auto id) { rows.Bind(id); });
  }
  if (scan.most != kNone) rows.Bind(at.limit());
  return read(rows, rows.Execute());
}

template <typename Take>
void SqlSession::TakeRow(const At& at, size_t turn, const Take& take) {
  at.MakeRow(turn, &row_);
  TakeId(values_, at.step.table, at.written_row(turn), &id_, take);
  for (size_t i = 0; i < at.table().columns.size(); ++i) {
    row_.cells[i].Give(at.table().columns[i], take);
  }
}

SqlStatus SqlSession::Write(const At& at, MixReply* reply) {
  Statement& write = at.statement();
  SqlStatus status;
  if (at.step.most() == 1) {
    write.Begin();
    TakeRow(at, 0, [&](auto value) { write.Bind(value); });
    status = write.Execute();
  } else {
    for (size_t i = 0; i < at.step.most(); ++i) {
      write.batch().BeginSet();
      TakeRow(at, i, [&](auto value) { write.batch().Add(value); });
    }
    status = write.ExecuteBatch();
  }
  at.written = static_cast<uint32_t>(at.step.most());
  reply->changed = true;
  return status;
}

SqlStatus SqlSession::Change(const At& at, MixReply* reply) {
  const auto [rows, count] = at.rows();
  Statement& change = at.statement();
  SqlStatus status;
  for (size_t i = 0; i < count && status.ok(); ++i) {
    change.Begin();
    at.SetColumns(i, &row_, [&](size_t column) {
      row_.cells[column].Give(at.table().columns[column],
                              [&](auto value) { change.Bind(value); });
    });
    for (const Assignment& each : at.step.add) {
      change.Bind(at.number(each.value, 0));
    }
    BindKey(at.step.table, rows[i], &change);
    status = change.Execute();
    if (!status.ok()) break;
    const bool found = at.step.verb == Verb::kDelete
                           ? change.affected_rows() > 0
                           : change.matched_rows() > 0;
    ++(found ? reply->found_rows : reply->missing);
    at.written += found ? 1 : 0;
    reply->changed |= change.affected_rows() > 0;
  }
  return status;
}

}  // namespace waltax::mix
