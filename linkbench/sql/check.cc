#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "linkbench/range_check.h"
#include "linkbench/sql/store.h"
#include "mariadb/connection.h"
#include "mariadb/statement.h"

namespace waltax::linkbench {

namespace {

// Both copies of the links, each by its own index. The primary key begins with
// the type: the server sorts what is read by it. `{}` takes all types, without
// which that would be a scan of the whole table.
constexpr char kLinks[] =
    "SELECT id1, link_type, id2, visibility, version, time, data "
    "FROM linktable FORCE INDEX (PRIMARY) "
    "WHERE link_type IN ({}) AND id1 BETWEEN ? AND ? "
    "ORDER BY id1, link_type, id2";

constexpr char kIndex[] =
    "SELECT id1, link_type, id2, visibility, version, time, data "
    "FROM linktable FORCE INDEX (id1_type) "
    "WHERE id1 BETWEEN ? AND ? ORDER BY id1, link_type";

constexpr char kCounts[] =
    "SELECT id, link_type, count FROM counttable FORCE INDEX (PRIMARY) "
    "WHERE id BETWEEN ? AND ? ORDER BY id, link_type";

constexpr char kOperation[] = "check the data set";

// The rows of a statement as they stream in.
class SqlRows : public RowSource {
 public:
  SqlRows(mariadb::Statement* statement, bool links, const IdRange& range)
      : statement_(*statement),
        links_(links),
        status_(statement->Run(range.first, range.last)) {}

  bool Next(CheckRow* row) override {
    if (!status_.ok() || !statement_.Next(&status_)) return false;
    row->key.id1 = statement_.Unsigned(0);
    row->key.type = statement_.Unsigned(1);
    if (!links_) {
      row->count = statement_.Unsigned(2);
      return true;
    }
    row->key.id2 = statement_.Unsigned(2);
    row->link = {statement_.Signed(3) != 0,
                 static_cast<uint32_t>(statement_.Unsigned(4)),
                 statement_.Unsigned(5), statement_.Text(6)};
    return true;
  }
  [[nodiscard]] Status status() const override {
    return status_.ok() ? Status::Ok()
                        : mariadb::Explained(status_, kOperation);
  }

 private:
  mariadb::Statement& statement_;
  bool links_;
  mariadb::SqlStatus status_;
};

// A connection and the statement that streams over it.
struct Stream {
  Status Open(const SqlPlace& place, const std::string& sql) {
    const Status status = mariadb::Connection::Open(place.server, &connection);
    if (!status.ok()) return status;
    return mariadb::Statement::Prepare(connection.get(), sql, &statement);
  }
  std::unique_ptr<RowSource> Rows(bool links, const IdRange& range) {
    return std::make_unique<SqlRows>(statement.get(), links, range);
  }

  std::unique_ptr<mariadb::Connection> connection;
  std::unique_ptr<mariadb::Statement> statement;
};

class SqlReader : public RangeReader {
 public:
  // `types`: "1, 2".
  Status Connect(const SqlPlace& place, const std::string& types) {
    Status status = links_.Open(place, fmt::format(kLinks, types));
    if (status.ok()) status = index_.Open(place, kIndex);
    if (status.ok()) status = counts_.Open(place, kCounts);
    return status;
  }
  Status Open(const IdRange& range, Findings* /*findings*/,
              RangeSources* sources) override {
    sources->links = links_.Rows(/*links=*/true, range);
    sources->index = index_.Rows(/*links=*/true, range);
    sources->counts = counts_.Rows(/*links=*/false, range);
    return Status::Ok();
  }

 private:
  Stream links_;
  Stream index_;
  Stream counts_;
};

using Rows = std::vector<std::vector<std::string>>;

// The types that the primary key knows, and the ends of the ids.
Status Survey(const SqlPlace& place, std::string* types, uint64_t* low,
              uint64_t* high) {
  std::unique_ptr<mariadb::Connection> connection;
  Status status = mariadb::Connection::Open(place.server, &connection);
  if (!status.ok()) return status;
  Rows found;
  Rows ends;
  mariadb::SqlStatus asked = connection->Query(
      "SELECT DISTINCT link_type FROM linktable FORCE INDEX (PRIMARY)", &found);
  if (asked.ok()) {
    asked = connection->Query("SELECT MIN(id), MAX(id) FROM counttable", &ends);
  }
  if (!asked.ok()) return mariadb::Explained(asked, kOperation);
  for (const auto& row : found) {
    *types += (types->empty() ? "" : ", ") + row.front();
  }
  if (types->empty()) *types = "NULL";  // which no row has
  *low = ends[0][0].empty() ? 0 : std::stoull(ends[0][0]);
  *high = ends[0][1].empty() ? 0 : std::stoull(ends[0][1]);
  return Status::Ok();
}

}  // namespace

Status CheckSqlTables(const SqlPlace& place, int threads, CheckResult* result) {
  std::string types;
  uint64_t low = 0;
  uint64_t high = 0;
  const Status status = Survey(place, &types, &low, &high);
  if (!status.ok()) return status;
  return CheckRanges(
      CutIds(low, high, threads), threads,
      [&](std::unique_ptr<RangeReader>* reader) {
        auto connected = std::make_unique<SqlReader>();
        const Status opened = connected->Connect(place, types);
        *reader = std::move(connected);
        return opened;
      },
      result);
}

}  // namespace waltax::linkbench
