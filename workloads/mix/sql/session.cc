#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "driver/retry.h"
#include "driver/sql/connection.h"
#include "driver/sql/statement.h"
#include "driver/sql/text_read.h"
#include "driver/sql/transaction.h"
#include "workloads/mix/sql/store.h"

namespace waltax::mix {
namespace {

using mariadb::SqlStatus;
using mariadb::Statement;

// One client of a mix on a server.
class SqlSession : public StepSession<SqlStatus> {
 public:
  SqlSession(const Values& values, uint64_t seed)
      : StepSession(values), retries_(kMaxRetries, seed) {}
  // Connects, and prepares the statements of all steps, on tables whose names
  // have `behind` added.
  Status Open(const mariadb::SqlPlace& place, const std::string& behind,
              uint64_t seed) {
    Status status;
    for (const Operation& operation : mix_.operations) {
      for (const Step& step : operation.steps) {
        const bool alone =
            operation.commit == Commit::kEach && step.most() <= 1;
        if (status.ok()) status = Prepare(place, behind, seed, step, alone);
      }
    }
    return status;
  }

 private:
  // A step's statements, on the connection that its commit is for.
  struct Prepared {
    bool alone = false;  // commits by itself, when the statement ends
    std::vector<std::unique_ptr<mariadb::Statement>> statements;
    std::unique_ptr<mariadb::TextRead> text;  // instead of them
  };

  Status Prepare(const mariadb::SqlPlace& place, const std::string& behind,
                 uint64_t seed, const Step& step, bool alone) {
    std::unique_ptr<mariadb::Connection>& connection = alone ? own_ : shared_;
    Status status;
    if (connection == nullptr) {
      status = mariadb::Connection::Open(place.server, &connection);
      if (!status.ok()) return status;
    }
    if (!alone && transaction_ == nullptr) {
      transaction_ = std::make_unique<mariadb::Transaction>(connection.get(),
                                                            kMaxRetries, seed);
    }
    prepared_.resize(std::max(prepared_.size(), step.place + 1));
    Prepared& prepared = prepared_[step.place];
    prepared.alone = alone;
    for (std::string sql : step.sql) {
      sql.replace(sql.find('@'), 1, behind);
      if (step.as_text) {
        prepared.text =
            std::make_unique<mariadb::TextRead>(connection.get(), sql);
      } else if (status.ok()) {
        status = Statement::Prepare(connection.get(), sql,
                                    &prepared.statements.emplace_back());
      }
    }
    return status;
  }
  SqlStatus CommitSteps(const Operation& /*operation*/, const Step& first,
                        Conflicts* conflicts) override {
    const auto attempt = [this] { return Attempt(); };
    if (!prepared_[first.place].alone) {
      return transaction_->Run(attempt, conflicts);
    }
    return retries_.Run(attempt, [conflicts](const SqlStatus& failure) {
      return mariadb::CountConflict(failure, conflicts);
    });
  }
  std::string Explain(const SqlStatus& status, bool* fatal) override {
    *fatal = mariadb::IsFatal(status);
    return mariadb::ToString(status);
  }
  SqlStatus Get(const RequestStep& at) override {
    const auto [rows, count] = at.rows();
    Statement& read = StatementOf(at);
    const size_t at_once = at.step.one_by_one ? 1 : count;
    SqlStatus status;
    size_t found = 0;
    for (size_t i = 0; i < count && status.ok(); i += at_once) {
      read.Begin();
      for (size_t k = i; k < i + at_once; ++k) {
        BindKey(at.step.table, rows[k], &read);
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
    const auto read = [this](auto& rows, SqlStatus status) {
      while (status.ok() && rows.Next(&status)) ++reply_.rows;
      return status;
    };
    if (at.step.as_text) {
      mariadb::TextRead& rows = *prepared_[at.step.place].text;
      const bool is_text = !value.text.empty();
      return read(rows, is_text
                            ? rows.Run(value.text)
                            : rows.Run(static_cast<uint64_t>(value.number)));
    }
    Statement& rows = StatementOf(at);
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
  SqlStatus Write(const RequestStep& at, size_t turn) override {
    Statement& write = StatementOf(at);
    const auto take_row = [&](const auto& take) {
      TakeId(values_, at.step.table, at.written_row(turn), &id_, take);
      for (size_t i = 0; i < at.table().columns.size(); ++i) {
        new_row_.cells[i].Give(at.table().columns[i], take);
      }
    };
    reply_.changed = true;
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
      change.Bind(at.number(each.value, 0));
    }
    BindKey(at.step.table, at.written_row(turn), &change);
    const SqlStatus status = change.Execute();
    if (!status.ok()) return status;
    Count(at, at.step.verb == Verb::kDelete ? change.affected_rows() > 0
                                            : change.matched_rows() > 0);
    reply_.changed |= change.affected_rows() > 0;
    return status;
  }
  mariadb::Statement& StatementOf(const RequestStep& at) {
    return *prepared_[at.step.place].statements[at.picked()];
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
  std::vector<Prepared> prepared_;  // by the place of the step
  std::string id_;
};

}  // namespace

std::unique_ptr<Session> SqlStore::NewSession(uint64_t seed) {
  auto session = std::make_unique<SqlSession>(values_, seed);
  const Status status = session->Open(place_, behind_, seed);
  if (status.ok()) return session;
  return std::make_unique<Session>(status.message());
}

}  // namespace waltax::mix
