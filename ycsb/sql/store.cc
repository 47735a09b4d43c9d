#include "ycsb/sql/store.h"

#include <utility>

namespace waltax::ycsb {

namespace {

using mariadb::SqlStatus;
using mariadb::Statement;

constexpr char kOperation[] = "check the data set";

// Rows as they stream in, on a connection of their own.
class SqlRows : public RowSource {
 public:
  Status Open(const SqlPlace& place, const sql::Statements& statements,
              uint32_t fields, const KeyRange& range) {
    fields_ = fields;
    const bool ends = !range.end.empty();
    Status status = mariadb::Connection::Open(place.server, &connection_);
    if (status.ok()) {
      status = Statement::Prepare(connection_.get(), statements.All(ends),
                                  &statement_);
    }
    if (!status.ok()) return status;
    const std::string_view first = range.first;
    status_ = ends ? statement_->Run(first, std::string_view(range.end))
                   : statement_->Run(first);
    return this->status();
  }

  bool Next(StoredRow* row) override {
    if (!status_.ok() || !statement_->Next(&status_)) return false;
    row->key = statement_->Text(0);
    row->row.counter = statement_->Unsigned(1);
    row->row.fields.clear();
    for (uint32_t i = 0; i < fields_; ++i) {
      row->row.fields.push_back(statement_->Text(2 + i));
    }
    return true;
  }
  [[nodiscard]] Status status() const override {
    return status_.ok() ? Status::Ok()
                        : mariadb::Explained(status_, kOperation);
  }

 private:
  std::unique_ptr<mariadb::Connection> connection_;
  std::unique_ptr<Statement> statement_;
  uint32_t fields_ = 0;
  SqlStatus status_;
};

}  // namespace

SqlStore::SqlStore(SqlPlace place, const DataOptions& data, int max_retries,
                   const std::string& table)
    : place_(std::move(place)),
      records_(data),
      table_(table),
      statements_(data.FieldNames(), table),
      max_retries_(max_retries) {}

OpenRows SqlStore::Rows() const {
  return [this](const KeyRange& range, std::unique_ptr<RowSource>* rows) {
    auto opened = std::make_unique<SqlRows>();
    const Status status =
        opened->Open(place_, statements_, records_.fields(), range);
    *rows = std::move(opened);
    return status;
  };
}

Status SqlStore::Survey(Totals* totals) {
  std::unique_ptr<mariadb::Connection> connection;
  const Status status = mariadb::Connection::Open(place_.server, &connection);
  if (!status.ok()) return status;
  std::vector<std::vector<std::string>> rows;
  const SqlStatus asked = connection->Query(
      "SELECT COUNT(*), COALESCE(SUM(ycsb_counter), 0) FROM " + table_, &rows);
  if (!asked.ok()) return mariadb::Explained(asked, kOperation);
  totals->rows = std::stoull(rows[0][0]);
  totals->counter = std::stoull(rows[0][1]);
  return Status::Ok();
}

Status SqlStore::Check(const Expected& expected, int threads,
                       CheckResult* result) {
  return CheckRecords(records_, expected, threads, Rows(), result);
}

// A statement for each field, and one for all, prepared when it is first
// wanted. Used by one thread.
class PerField {
 public:
  using Text = std::string (sql::Statements::*)(std::optional<uint32_t>) const;

  PerField(mariadb::Connection* connection, const sql::Statements& statements,
           Text text)
      : connection_(*connection), statements_(statements), text_(text) {}
  SqlStatus Get(std::optional<uint32_t> field, mariadb::Statement** statement) {
    const size_t place = field ? *field + size_t{1} : 0;
    if (prepared_.size() <= place) prepared_.resize(place + 1);
    SqlStatus status;
    if (prepared_[place] == nullptr) {
      status = Statement::TryPrepare(&connection_, (statements_.*text_)(field),
                                     &prepared_[place]);
    }
    *statement = prepared_[place].get();
    return status;
  }

 private:
  mariadb::Connection& connection_;
  const sql::Statements& statements_;
  Text text_;
  std::vector<std::unique_ptr<mariadb::Statement>> prepared_;  // all, then each
};

// One worker's access to the store: a connection for transactions of several
// statements, and one in autocommit mode. Statements and their buffers live as
// long as the session.
class SqlSession : public Session {
 public:
  static Status Open(const mariadb::ServerFlags& server,
                     const sql::Statements& statements, uint32_t fields,
                     int max_retries, uint64_t seed,
                     std::unique_ptr<SqlSession>* session) {
    std::unique_ptr<mariadb::Connection> transactions;
    std::unique_ptr<mariadb::Connection> single;
    Status status = mariadb::Connection::Open(server, &transactions);
    if (status.ok()) status = mariadb::Connection::Open(server, &single);
    if (!status.ok()) return status;
    session->reset(new SqlSession(std::move(transactions), std::move(single),
                                  statements, fields, max_retries, seed));
    SqlSession& opened = **session;
    status = Statement::Prepare(opened.single_.get(), statements.Insert(),
                                &opened.insert_);
    if (!status.ok()) return status;
    return Statement::Prepare(opened.single_.get(), statements.Replace(),
                              &opened.replace_);
  }

  Reply Read(std::string_view key, std::optional<uint32_t> field,
             Row* row) override {
    Reply reply;
    Statement* read = nullptr;
    SqlStatus status = read_.Get(field, &read);
    if (status.ok()) status = read->Run(key);
    if (status.ok() && read->Next(&status)) {
      Take(*read, field, row);
      reply.found = true;
    }
    return Ended("read", status, reply);
  }
  Reply Update(std::string_view key, const Values& values) override {
    return InOneStatement("update", [&](Reply* reply) {
      Statement* update = nullptr;
      SqlStatus status = update_.Get(values.field, &update);
      if (status.ok()) status = RunUpdate(update, key, values);
      reply->found = status.ok() && update->matched_rows() > 0;
      reply->changed = status.ok() && update->affected_rows() > 0;
      return status;
    });
  }
  Reply Replace(std::string_view key, const Values& values) override {
    return InOneStatement("blind update", [&](Reply* /*reply*/) {
      return RunInsert(replace_.get(), key, values);
    });
  }
  Reply ReadModifyWrite(std::string_view key, std::optional<uint32_t> field,
                        const Values& values, Row* row) override {
    Reply reply;
    reply.changed = true;
    const SqlStatus status = transaction_.Run(
        [&] {
          return TryReadModifyWrite(key, field, values, row, &reply.found);
        },
        &reply.conflicts);
    return Ended("read-modify-write", status, reply);
  }
  Reply Insert(std::string_view key, const Values& values) override {
    return InOneStatement("insert", [&](Reply* /*reply*/) {
      return RunInsert(insert_.get(), key, values);
    });
  }
  Reply Scan(std::string_view key, uint32_t limit,
             std::optional<uint32_t> field) override {
    Reply reply;
    Statement* scan = nullptr;
    SqlStatus status = scan_.Get(field, &scan);
    if (status.ok()) status = scan->Run(key, uint64_t{limit});
    while (status.ok() && scan->Next(&status)) ++reply.rows;
    reply.found = reply.rows > 0;
    return Ended("scan", status, reply);
  }

 private:
  SqlSession(std::unique_ptr<mariadb::Connection> transactions,
             std::unique_ptr<mariadb::Connection> single,
             const sql::Statements& statements, uint32_t fields,
             int max_retries, uint64_t seed)
      : transactions_(std::move(transactions)),
        single_(std::move(single)),
        transaction_(transactions_.get(), max_retries, seed),
        retries_(max_retries, seed),
        fields_(fields),
        read_(single_.get(), statements, &sql::Statements::Read),
        update_(single_.get(), statements, &sql::Statements::Update),
        scan_(single_.get(), statements, &sql::Statements::Scan),
        lock_(transactions_.get(), statements, &sql::Statements::Lock),
        modify_(transactions_.get(), statements, &sql::Statements::Modify),
        taken_(fields) {}

  // A statement that is its own transaction, tried again after conflicts.
  template <typename Attempt>
  Reply InOneStatement(const char* operation, const Attempt& attempt) {
    Reply reply;
    reply.changed = true;
    const SqlStatus status =
        retries_.Run([&] { return attempt(&reply); },
                     [&](const SqlStatus& failure) {
                       return mariadb::CountConflict(failure, &reply.conflicts);
                     });
    return Ended(operation, status, reply);
  }
  Reply Ended(const char* operation, const mariadb::SqlStatus& status,
              Reply reply) {
    if (status.ok()) return reply;
    return GivenUp(operation, mariadb::ToString(status),
                   mariadb::IsFatal(status), reply);
  }
  // Executes with the fields and the key, in the order of Update().
  static SqlStatus RunUpdate(mariadb::Statement* statement,
                             std::string_view key, const Values& values) {
    statement->Begin();
    for (const std::string_view field : values.fields) statement->Bind(field);
    statement->Bind(key);
    return statement->Execute();
  }
  SqlStatus RunInsert(mariadb::Statement* statement, std::string_view key,
                      const Values& values) {
    statement->Begin();
    statement->Bind(key);
    for (const std::string_view field : values.fields) statement->Bind(field);
    return statement->Execute();
  }
  // Takes the row that a statement has read: the counter, then the fields.
  // Copies: the next statement on the connection drops what was read.
  void Take(const mariadb::Statement& statement, std::optional<uint32_t> field,
            Row* row) {
    row->counter = statement.Unsigned(0);
    row->fields.assign(fields_, {});
    for (uint32_t i = 0; i < fields_; ++i) {
      if (field && *field != i) continue;
      taken_[i].assign(statement.Text(field ? 1 : 1 + i));
      row->fields[i] = taken_[i];
    }
  }
  SqlStatus TryReadModifyWrite(std::string_view key,
                               std::optional<uint32_t> field,
                               const Values& values, Row* row, bool* found) {
    Statement* lock = nullptr;
    Statement* modify = nullptr;
    SqlStatus status = lock_.Get(field, &lock);
    if (status.ok()) status = modify_.Get(values.field, &modify);
    if (status.ok()) status = lock->Run(key);
    *found = status.ok() && lock->Next(&status);
    if (!status.ok() || !*found) return status;
    Take(*lock, field, row);
    return RunUpdate(modify, key, values);
  }

  // Connections outlive statements.
  std::unique_ptr<mariadb::Connection> transactions_;
  std::unique_ptr<mariadb::Connection> single_;
  mariadb::Transaction transaction_;
  RetryLoop retries_;
  uint32_t fields_;
  PerField read_;
  PerField update_;
  PerField scan_;
  PerField lock_;
  PerField modify_;
  std::unique_ptr<mariadb::Statement> insert_;
  std::unique_ptr<mariadb::Statement> replace_;
  std::vector<std::string> taken_;
};

std::unique_ptr<Session> SqlStore::NewSession(uint64_t seed) {
  std::unique_ptr<SqlSession> session;
  const Status status =
      SqlSession::Open(place_.server, statements_, records_.fields(),
                       max_retries_, seed, &session);
  if (status.ok()) return session;
  return std::make_unique<Session>(status.message());
}

}  // namespace waltax::ycsb
