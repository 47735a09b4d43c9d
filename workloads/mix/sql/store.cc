// A mix on a server: MyRocks or InnoDB, a table for each table.
#include "workloads/mix/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "driver/retry.h"
#include "driver/rocksdb/key_bytes.h"
#include "driver/sql/bulk_loader.h"
#include "driver/sql/connection.h"
#include "driver/sql/load.h"
#include "driver/sql/server_engine.h"
#include "driver/sql/statement.h"
#include "driver/sql/transaction.h"
#include "workloads/mix/codec.h"

namespace waltax::mix {
namespace {

using mariadb::SqlStatus;
using mariadb::Statement;

constexpr uint64_t kRowsOfStep = 16'384;

// Hands the id of a row to `take`, as whatever takes values has it: a number,
// or a text in `id`.
template <typename Take>
void TakeId(const Values& values, size_t table, uint64_t number,
            std::string* id, const Take& take) {
  const Key& key = values.mix().tables[table].key;
  if (!key.is_text && key.bytes <= 8) {
    return take(static_cast<int64_t>(values.KeyOf(table, number)));
  }
  id->clear();
  if (!key.is_text) {
    id->resize(key.bytes, '0');
    PutBigEndian(id->data(), values.KeyOf(table, number));
  } else {
    values.AppendTextKey(table, number, id);
  }
  take(std::string_view(*id));
}

// The same of all of a row: its id, then its columns.
template <typename Take>
void TakeRow(const Values& values, size_t table, uint64_t number,
             const Row& row, std::string* id, const Take& take) {
  TakeId(values, table, number, id, take);
  const std::vector<Column>& columns = values.mix().tables[table].columns;
  for (size_t i = 0; i < columns.size(); ++i) {
    row.cells[i].Give(columns[i], take);
  }
}

// Of foreign keys, all values are right, and their tables may come later.
constexpr char kFree[] = "SET SESSION foreign_key_checks = 0";

Status WritePart(const Values& values, const LoadParts& parts,
                 const LoadParts::Part& part, mariadb::Connection* connection,
                 mariadb::BulkLoader* loader) {
  const SqlStatus free = connection->Execute(kFree);
  if (!free.ok()) return mariadb::Explained(free, "load the data set");
  const auto take = [loader](auto value) {
    if constexpr (std::is_same_v<decltype(value), int64_t>) {
      loader->Number(value);
    } else {
      loader->Text(value);
    }
  };
  std::string id;
  parts.ForAll(part, [&](uint64_t number, const Row& row) {
    loader->BeginRow(part.table);
    TakeRow(values, part.table, number, row, &id, take);
    loader->EndRow();
    return loader->status().ok();
  });
  return loader->Finish();
}

// One client of a mix on a server.
class SqlSession : public StepSession<SqlStatus> {
 public:
  SqlSession(const Values& values, uint64_t seed)
      : StepSession(values), retries_(kMaxRetries, seed) {}
  // Connects.
  Status Open(const mariadb::SqlPlace& place, uint64_t seed) {
    for (const Operation& operation : mix_.operations) {
      for (const Step& step : operation.steps) {
        Prepared& prepared = prepared_.emplace_back();
        prepared.alone = operation.commit == Commit::kEach && step.most() <= 1;
        auto& connection = prepared.alone ? own_ : shared_;
        if (connection == nullptr) {
          TRY(mariadb::Connection::Open(place.server, &connection));
        }
        for (const std::string& sql : step.sql) {
          prepared.statements.emplace_back(connection.get(), sql,
                                           step.as_text
                                               ? Statement::Sent::kAsText
                                               : Statement::Sent::kPrepared);
        }
      }
    }
    if (shared_ != nullptr) {
      transaction_ = std::make_unique<mariadb::Transaction>(shared_.get(),
                                                            kMaxRetries, seed);
    }
    return Status::Ok();
  }

 private:
  // A step's statements, on the connection that its commit is for.
  struct Prepared {
    bool alone = false;  // commits by itself, when the statement ends
    std::deque<Statement> statements;
  };

  SqlStatus CommitSteps(const Operation& /*operation*/, const Step& first,
                        uint32_t* retries) override {
    const auto attempt = [this] { return Attempt(); };
    if (!prepared_[first.place].alone) {
      return transaction_->Run(attempt, retries);
    }
    return retries_.Run(attempt, mariadb::IsConflict, retries);
  }
  std::string Explain(const SqlStatus& status) override {
    return mariadb::ToString(status);
  }
  SqlStatus Get(const RequestStep& at) override {
    Statement& read = StatementOf(at);
    const size_t count = at.step.rows;
    const size_t at_once = at.step.one_by_one ? 1 : count;
    SqlStatus status;
    size_t found = 0;
    for (size_t i = 0; i < count && status.ok(); i += at_once) {
      read.Begin();
      for (const uint64_t row : at.rows().subspan(i, at_once)) {
        BindKey(at.step.table, row, &read);
      }
      status = read.Execute();
      while (status.ok() && read.Next(&status)) ++found;
    }
    // A row that was asked for twice is sent once.
    for (size_t i = 0; i < count; ++i) Count(at, i < found);
    return status;
  }
  SqlStatus ScanRows(const RequestStep& at) override {
    const Scan& scan = at.step.scan;
    const Cell value = scan.equal ? at.scanned_value(&new_row_) : Cell();
    Statement& rows = StatementOf(at);
    rows.Begin();
    if (scan.equal) {
      value.text.empty() ? rows.Bind(value.number) : rows.Bind(value.text);
    } else if (scan.from != kNone) {
      const uint64_t first = at.drawn(scan.from);
      for (const size_t column : at.table().key.columns) {
        const int64_t number = values_.Initial(at.step.table, column, first);
        rows.Bind(number);
        rows.Bind(number);
      }
      TakeId(values_, at.step.table, first, &id_,
             [&](auto id) { rows.Bind(id); });
    }
    if (scan.most != kNone) rows.Bind(at.limit());
    SqlStatus status = rows.Execute();
    while (status.ok() && rows.Next(&status)) ++reply_.rows;
    return status;
  }
  SqlStatus Write(const RequestStep& at, size_t turn) override {
    Statement& write = StatementOf(at);
    const auto take_row = [&](const auto& take) {
      TakeRow(values_, at.step.table, at.written_row(turn), new_row_, &id_,
              take);
    };
    reply_.committed = true;
    if (at.step.most() == 1) {
      write.Begin();
      take_row([&](auto value) { write.Bind(value); });
      return write.Execute();
    }
    write.BeginSet();
    take_row([&](auto value) { write.Bind(value); });
    return turn + 1 == at.step.most() ? write.ExecuteBatch() : SqlStatus();
  }
  SqlStatus Change(const RequestStep& at, size_t turn) override {
    Statement& change = StatementOf(at);
    change.Begin();
    at.SetColumns(turn, &new_row_, [&](size_t column) {
      new_row_.cells[column].Give(at.table().columns[column],
                                  [&](auto value) { change.Bind(value); });
    });
    for (const Assignment& each : at.step.add) {
      change.Bind(at.number(each, 0));
    }
    BindKey(at.step.table, at.written_row(turn), &change);
    const SqlStatus status = change.Execute();
    if (!status.ok()) return status;
    Count(at, at.step.verb == Verb::kDelete ? change.affected_rows() > 0
                                            : change.matched_rows() > 0);
    reply_.committed |= change.affected_rows() > 0;
    return status;
  }
  Statement& StatementOf(const RequestStep& at) {
    return prepared_[at.step.place].statements[at.picked()];
  }
  void BindKey(size_t table, uint64_t number, Statement* statement) {
    for (const size_t column : mix_.tables[table].key.columns) {
      statement->Bind(values_.Initial(table, column, number));
    }
    TakeId(values_, table, number, &id_, [&](auto id) { statement->Bind(id); });
  }

  std::unique_ptr<mariadb::Connection> own_;  // in autocommit mode
  std::unique_ptr<mariadb::Connection> shared_;
  std::unique_ptr<mariadb::Transaction> transaction_;
  RetryLoop retries_;
  std::deque<Prepared> prepared_;  // by the place of the step
  std::string id_;
};

// Thread-safe. The values outlive it.
class SqlStore : public Store {
 public:
  SqlStore(mariadb::SqlPlace place, const Values& values)
      : place_(std::move(place)), values_(values) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override {
    auto session = std::make_unique<SqlSession>(values_, seed);
    const Status status = session->Open(place_, seed);
    if (status.ok()) return session;
    return std::make_unique<Session>(status.message());
  }
  Status Scan(size_t table, const Visit& visit) override {
    return Read(table, kNone, visit);
  }
  Status ScanIndex(size_t table, size_t index,
                   const VisitEntry& visit) override {
    const Codec codec(values_);
    std::string entry;
    return Read(table, index, [&](uint64_t number, const Row* row) {
      if (row != nullptr) {
        codec.EncodeEntry(table, index, number, *row, &entry);
      }
      visit(row == nullptr ? std::string_view() : entry);
    });
  }
  Status Load(int threads, const RowReport& report, uint64_t* rows,
              uint64_t* /*bytes*/) override {
    std::unique_ptr<mariadb::Connection> connection;
    Status status = mariadb::Connection::Open(place_.server, &connection);
    if (status.ok()) status = mariadb::WantEmptyDatabase(*connection);
    if (!status.ok()) return status;
    SqlStatus created = connection->Execute(kFree);
    std::vector<std::string> names;
    for (const Table& table : values_.mix().tables) {
      if (!created.ok()) break;
      created = connection->Execute(fmt::format(
          "{} {} DEFAULT CHARSET=latin1 COLLATE=latin1_bin",
          table.create.at(place_.engine), mariadb::TableClause(place_.engine)));
      names.push_back(table.sql_name);
    }
    if (!created.ok()) {
      return mariadb::Explained(created,
                                "create the tables in the " + place_.Name());
    }
    LoadParts parts(values_);
    std::vector<mariadb::BulkTable> bulk;
    for (const Table& table : values_.mix().tables) {
      // A bulk load of MyRocks writes files of the indexes, too: those of two
      // parts of a table would overlap, which it refuses.
      const bool whole = place_.engine == "myrocks" && !table.indexes.empty();
      parts.Add(bulk.size(), kNone, whole ? UINT64_MAX : kRowsOfStep);
      bulk.push_back({table.sql_name, table.sql_columns});
    }
    std::atomic<uint64_t> loaded = 0;
    const auto write = [&](uint64_t step, mariadb::Connection& own) {
      mariadb::BulkLoader loader(&own, place_.engine, bulk);
      const Status written =
          WritePart(values_, parts, parts[step], &own, &loader);
      loaded += parts[step].end - parts[step].first;
      return written;
    };
    status = mariadb::RunParallelLoad(place_.server, threads, parts.size(),
                                      write, [&] { report(loaded); });
    *rows = loaded;
    if (!status.ok()) return status;
    return mariadb::Settle(*connection, place_.engine,
                           fmt::format("{}", fmt::join(names, ", ")));
  }

 private:
  // Shows all rows, with `index` as that has them: without other columns.
  Status Read(size_t table, size_t index, const Visit& visit) const {
    const Table& of = values_.mix().tables[table];
    std::unique_ptr<mariadb::Connection> connection;
    const Status opened = mariadb::Connection::Open(place_.server, &connection);
    if (!opened.ok()) return opened;
    std::vector<size_t> columns;
    for (size_t i = 0; i < of.columns.size(); ++i) columns.push_back(i);
    if (index != kNone) columns = of.indexes[index].columns;
    // As text, so that an index is read alone.
    Statement rows(connection.get(), of.scans[index + 1],
                   Statement::Sent::kAsText);
    Row row;
    row.Fit(of.columns.size());
    SqlStatus status = rows.Run();
    while (status.ok() && rows.Next(&status)) {
      const std::string_view id = rows.Text(0);
      const char* const first = id.data();
      const std::optional<uint64_t> number =
          of.key.is_text
              ? values_.NumberOfText(table, id)
              : values_.NumberOf(table, of.key.bytes > 8
                                            ? GetBigEndian<uint64_t>(first)
                                            : rows.Unsigned(0));
      for (size_t i = 0; i < columns.size(); ++i) {
        Cell& cell = row.cells[columns[i]];
        cell.text = rows.Text(i + 1);
        if (of.columns[columns[i]].type == Type::kInt) {
          cell.number = rows.Signed(i + 1);
        }
      }
      visit(number.value_or(0), number ? &row : nullptr);
    }
    return status.ok() ? Status::Ok()
                       : mariadb::Explained(status, "check the data set");
  }

  mariadb::SqlPlace place_;
  const Values& values_;
};

}  // namespace

std::unique_ptr<Store> NewSqlStore(mariadb::SqlPlace place,
                                   const Values& values) {
  return std::make_unique<SqlStore>(std::move(place), values);
}

}  // namespace waltax::mix
