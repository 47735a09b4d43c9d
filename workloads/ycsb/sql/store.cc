// The store on a MariaDB server with MyRocks or InnoDB (table: statements.h).

#include "workloads/ycsb/store.h"

#include <map>
#include <utility>

#include "driver/retry.h"
#include "driver/sql/data_set_record.h"
#include "driver/sql/parallel_load.h"
#include "driver/sql/settle.h"
#include "driver/sql/statement.h"
#include "driver/sql/table_load.h"
#include "driver/sql/transaction.h"
#include "workloads/ycsb/sql/statements.h"

namespace waltax::ycsb {

namespace {

using mariadb::Connection;
using mariadb::SqlPlace;
using mariadb::SqlStatus;
using mariadb::Statement;

// Where the records are.
struct SqlTable {
  SqlPlace place;
  std::string name;
  std::vector<std::string> columns;
  int max_retries;
};

// One worker's access to the store: a connection for transactions of several
// statements, and one in autocommit mode. Statements and their buffers live as
// long as the session.
class SqlSession : public Session {
 public:
  SqlSession(const SqlTable& table, std::unique_ptr<Connection> transactions,
             std::unique_ptr<Connection> single, uint64_t seed)
      : table_(table),
        transactions_(std::move(transactions)),
        single_(std::move(single)),
        transaction_(transactions_.get(), table.max_retries, seed),
        retries_(table.max_retries, seed),
        taken_(table.columns.size()) {}

  Reply Execute(const Request& request, Row* row) override {
    Reply reply;
    reply.changed = Writes(request.op);
    const SqlStatus status = Try(request, row, &reply);
    if (status.ok()) return reply;
    return GivenUp(request, mariadb::ToString(status), mariadb::IsFatal(status),
                   reply);
  }

 private:
  // A statement of a field or of all, prepared when it is first wanted.
  SqlStatus Prepare(const char* text, Field field, Statement** statement) {
    std::unique_ptr<Statement>& prepared = prepared_[{text, field}];
    SqlStatus status;
    if (prepared == nullptr) {
      const bool locks = text == sql::kLock || text == sql::kModify;
      status = Statement::TryPrepare(
          locks ? transactions_.get() : single_.get(),
          sql::TextOf(text, table_.name, table_.columns, field), &prepared);
    }
    *statement = prepared.get();
    return status;
  }
  SqlStatus Try(const Request& request, Row* row, Reply* reply) {
    switch (request.op) {
      case Op::kRead:
        return Read(request, row, reply);
      case Op::kScan:
        return Scan(request, reply);
      case Op::kReadModifyWrite:
        return transaction_.Run(
            [&] { return TryReadModifyWrite(request, row, &reply->found); },
            &reply->conflicts);
      default:
        return Write(request, reply);
    }
  }
  SqlStatus Read(const Request& request, Row* row, Reply* reply) {
    Statement* read = nullptr;
    SqlStatus status = Prepare(sql::kRead, request.field, &read);
    if (status.ok()) status = read->Run(std::string_view(request.key));
    reply->found = status.ok() && read->Next(&status);
    if (reply->found) Take(*read, request.field, row);
    return status;
  }
  SqlStatus Scan(const Request& request, Reply* reply) {
    Statement* scan = nullptr;
    SqlStatus status = Prepare(sql::kScan, request.field, &scan);
    if (status.ok()) {
      status = scan->Run(std::string_view(request.key),
                         uint64_t{request.scan_length});
    }
    while (status.ok() && scan->Next(&status)) ++reply->rows;
    reply->found = reply->rows > 0;
    return status;
  }
  // In a statement that is its own transaction, tried again after conflicts.
  SqlStatus Write(const Request& request, Reply* reply) {
    const char* text = request.op == Op::kInsert ? sql::kInsert
                       : request.blind           ? sql::kReplace
                                                 : sql::kUpdate;
    const Field field =
        request.can_miss() ? request.values.field : std::nullopt;
    Statement* write = nullptr;
    SqlStatus status = Prepare(text, field, &write);
    if (!status.ok()) return status;
    status = retries_.Run(
        [&] {
          write->Begin();
          if (!request.can_miss()) write->Bind(std::string_view(request.key));
          return ExecuteWith(write, request);
        },
        [&](const SqlStatus& failure) {
          return mariadb::CountConflict(failure, &reply->conflicts);
        });
    if (status.ok() && request.can_miss()) {
      reply->found = write->matched_rows() > 0;
      reply->changed = write->affected_rows() > 0;
    }
    return status;
  }
  // Binds the fields and, of an update, the key behind them.
  static SqlStatus ExecuteWith(Statement* write, const Request& request) {
    for (const std::string_view field : request.values.fields) {
      write->Bind(field);
    }
    if (request.can_miss()) write->Bind(std::string_view(request.key));
    return write->Execute();
  }
  // Takes the row that a statement has read: the counter, then the fields.
  // Copies: the next statement on the connection drops what was read.
  void Take(const Statement& statement, Field field, Row* row) {
    row->counter = statement.Unsigned(0);
    row->fields.assign(taken_.size(), {});
    for (uint32_t i = 0; i < taken_.size(); ++i) {
      if (field && *field != i) continue;
      taken_[i].assign(statement.Text(field ? 1 : 1 + i));
      row->fields[i] = taken_[i];
    }
  }
  SqlStatus TryReadModifyWrite(const Request& request, Row* row, bool* found) {
    Statement* lock = nullptr;
    Statement* modify = nullptr;
    SqlStatus status = Prepare(sql::kLock, request.field, &lock);
    if (status.ok())
      status = Prepare(sql::kModify, request.values.field, &modify);
    if (status.ok()) status = lock->Run(std::string_view(request.key));
    *found = status.ok() && lock->Next(&status);
    if (!*found) return status;
    Take(*lock, request.field, row);
    modify->Begin();
    return ExecuteWith(modify, request);
  }

  const SqlTable& table_;
  // Connections outlive statements.
  std::unique_ptr<Connection> transactions_;
  std::unique_ptr<Connection> single_;
  mariadb::Transaction transaction_;
  RetryLoop retries_;
  std::map<std::pair<const char*, Field>, std::unique_ptr<Statement>> prepared_;
  std::vector<std::string> taken_;
};

class SqlStore : public Store {
 public:
  SqlStore(const SqlPlace& place, const DataOptions& data, int max_retries,
           const char* name)
      : data_(data), table_{place, name, sql::ColumnNames(data), max_retries} {}

  // Connects twice.
  std::unique_ptr<Session> NewSession(uint64_t seed) override {
    std::unique_ptr<Connection> transactions;
    std::unique_ptr<Connection> single;
    Status status = Connection::Open(table_.place.server, &transactions);
    if (status.ok()) status = Connection::Open(table_.place.server, &single);
    if (!status.ok()) return std::make_unique<Session>(status.message());
    return std::make_unique<SqlSession>(table_, std::move(transactions),
                                        std::move(single), seed);
  }
  // On a connection of its own, through which they stream in.
  Status ReadRows(const KeyRange& range, bool fields,
                  const VisitRow& visit) override {
    const bool ends = !range.end.empty();
    const char* text = ends     ? sql::kRowsBefore
                       : fields ? sql::kRows
                                : sql::kCounters;
    std::unique_ptr<Connection> connection;
    std::unique_ptr<Statement> rows;
    Status opened = Connection::Open(table_.place.server, &connection);
    if (opened.ok()) {
      opened = Statement::Prepare(
          connection.get(),
          sql::TextOf(text, table_.name, table_.columns, std::nullopt), &rows);
    }
    if (!opened.ok()) return opened;
    const std::string_view first = range.first;
    SqlStatus status =
        ends ? rows->Run(first, std::string_view(range.end)) : rows->Run(first);
    Row row;
    while (status.ok() && rows->Next(&status)) {
      row.counter = rows->Unsigned(1);
      row.fields.clear();
      for (size_t i = 0; fields && i < table_.columns.size(); ++i) {
        row.fields.push_back(rows->Text(2 + i));
      }
      visit(rows->Text(0), &row);
    }
    return status.ok() ? Status::Ok()
                       : mariadb::Explained(status, "check the data set");
  }

  Status Load(const ycsb::Load& load, RecordsLoaded* loaded) override {
    const SqlPlace& place = table_.place;
    std::unique_ptr<Connection> connection;
    Status status = Connection::Open(place.server, &connection);
    if (status.ok()) status = mariadb::WantEmptyDatabase(*connection);
    const mariadb::Tables tables = sql::TablesOf(data_, table_.columns);
    if (status.ok())
      status = mariadb::CreateTables(*connection, tables, place.engine);
    if (!status.ok()) return status;
    const Population population(data_, load.seed);
    const auto bulk = mariadb::BulkTables(tables);
    const auto write = [&](uint64_t chunk, Connection& own) {
      mariadb::BulkLoader rows(&own, place.engine, bulk);
      population.WriteChunk(chunk,
                            [&](std::string_view key, const Values& all) {
                              rows.BeginRow(0);
                              rows.Text(key);
                              rows.Number(uint64_t{0});
                              for (const std::string_view field : all.fields)
                                rows.Text(field);
                              rows.EndRow();
                              return rows.status().ok();
                            });
      const Status finished = rows.Finish();
      loaded->records += rows.rows(0);
      loaded->bytes += rows.bytes();
      return finished;
    };
    status = mariadb::RunParallelLoad(
        {place.server, load.threads, population.chunks(), write, load.report});
    if (!status.ok()) return status;
    return mariadb::Settle(*connection, place.engine, sql::kTable);
  }

 private:
  DataOptions data_;
  SqlTable table_;
};

}  // namespace

std::unique_ptr<Store> NewSqlStore(const SqlPlace& place,
                                   const DataOptions& data, int max_retries,
                                   bool all_nodes) {
  return std::make_unique<SqlStore>(
      place, data, max_retries,
      all_nodes ? sql::kTableOfAllNodes : sql::kTable);
}

}  // namespace waltax::ycsb
