#include "driver/sql/tables.h"

#include <fmt/format.h>
#include <mysqld_error.h>

#include <memory>

#include "driver/sql/server_engine.h"
#include "driver/sql/statement.h"
#include "driver/sql/values.h"

namespace waltax::mariadb {
namespace {

using table::As;
using table::KeyPart;
using table::StoredColumn;
using table::Table;

void AddTo(std::string* list, std::string_view text) {
  if (!list->empty()) *list += ", ";
  *list += text;
}

// Calls `each(name, type)` with each column of a value as the server has it.
template <typename Each>
void ForEachColumn(const Table& table, const Each& each) {
  for (const StoredColumn& column : table.columns) {
    for (int part = 1; part <= column.type.parts; ++part) {
      each(
          fmt::format("{}{}{}", table.prefix, column.name,
                      column.type.parts == 1 ? "" : fmt::format("{:02}", part)),
          column.type.sql);
    }
  }
}

std::string NameOf(const Table& table, const KeyPart& part) {
  return fmt::format("{}{}", table.prefix, part.name);
}

// In the server's order.
std::string KeyNames(const Table& table) {
  std::string names = NameOf(table, table.key[table.lead]);
  for (size_t i = 0; i < table.key.size(); ++i) {
    if (i != table.lead) AddTo(&names, NameOf(table, table.key[i]));
  }
  return names;
}

}  // namespace

std::string ColumnNames(const Table& table) {
  std::string names;
  for (const KeyPart& part : table.key) AddTo(&names, NameOf(table, part));
  ForEachColumn(table, [&](const std::string& name, std::string_view /*type*/) {
    AddTo(&names, name);
  });
  return names;
}

namespace {

std::string Columns(const Table& table) {
  std::string columns;
  for (const KeyPart& part : table.key) {
    const char* type = part.bytes == 0   ? "VARCHAR(255)"
                       : part.bytes == 1 ? "TINYINT UNSIGNED"
                       : part.bytes == 8 ? "BIGINT UNSIGNED"
                                         : "INT UNSIGNED";
    AddTo(&columns,
          fmt::format("{} {} NOT NULL{}", NameOf(table, part), type, part.sql));
  }
  ForEachColumn(table, [&](const std::string& name, std::string_view type) {
    AddTo(&columns, fmt::format("{} {}", name, type));
  });
  return columns;
}

// MyRocks has a column family for each key: they are what its compactions and
// statistics are by. InnoDB has none, and its tables need no such comments.
std::string Family(std::string_view name, bool reversed,
                   const std::string& engine) {
  return engine != "myrocks" ? ""
                             : fmt::format(" COMMENT 'cfname={}cf_{}'",
                                           reversed ? "rev:" : "", name);
}

std::string Key(const table::Index& index, const std::string& engine) {
  return fmt::format("KEY {} ({}){}", index.name, index.columns,
                     Family(index.name, index.reversed, engine));
}

// Without those that come after the load.
std::string Keys(const Table& table, const std::string& engine) {
  std::string keys = fmt::format("PRIMARY KEY ({}){}", KeyNames(table),
                                 Family(table.server, false, engine));
  for (const table::Index& index : table.indexes) {
    if (!index.after_load) AddTo(&keys, Key(index, engine));
  }
  return keys;
}

// The rows of a scan as RocksDB has them.
class ScannedRow {
 public:
  explicit ScannedRow(const Table& table) : table_(table) {}

  void Take(const Statement& row) {
    next_ = 0;
    key_.clear();
    value_.clear();
    for (const KeyPart& part : table_.key) TakePart(part, row);
    for (const StoredColumn& column : table_.columns) TakeColumn(column, row);
  }
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] const std::string& value() const { return value_; }

 private:
  void TakePart(const KeyPart& part, const Statement& row) {
    if (part.bytes == 0) {
      key_.append(row.Text(next_++)).push_back('\0');
      return;
    }
    uint64_t number = row.Unsigned(next_++);
    if (part.largest_first) number = ~number;
    for (size_t byte = part.bytes; byte-- > 0;) {
      key_.push_back(static_cast<char>(number >> (8 * byte)));
    }
  }
  void TakeColumn(const StoredColumn& column, const Statement& row) {
    if (column.bytes == 0) {
      std::string& text = text_;
      text.clear();
      for (int i = 0; i < column.type.parts; ++i) text += row.Text(next_++);
      column.type.as == As::kRest
          ? (void)value_.append(text)
          : table::Append(std::string_view(text), &value_);
      return;
    }
    const size_t at = next_++;
    const int64_t number =
        column.type.as == As::kDecimal
            ? ParseDecimal(row.Text(at), column.type.decimals)
        : column.type.as == As::kTime
            ? static_cast<int64_t>(ParseTime(row.Text(at)))
            : row.Signed(at);
    value_.append(reinterpret_cast<const char*>(&number), column.bytes);
  }

  const Table& table_;
  size_t next_ = 0;
  std::string key_;
  std::string value_;
  std::string text_;
};

// Takes a number off the front of `key`, with `missing` for bytes that it has
// not.
uint64_t TakeNumber(size_t bytes, char missing, std::string_view* key) {
  std::string number(key->substr(0, bytes));
  key->remove_prefix(number.size());
  number.resize(bytes, missing);
  return table::NumberOf(number);
}

// Without them a scan of some keys would be one of the whole table.
SqlStatus AskForLeads(Connection& connection, const Table& table,
                      std::string* leads) {
  std::vector<std::vector<std::string>> rows;
  SqlStatus status = connection.Query(
      fmt::format("SELECT DISTINCT {} FROM {} FORCE INDEX (PRIMARY)",
                  NameOf(table, table.key[table.lead]), table.server),
      &rows);
  for (const auto& row : rows) AddTo(leads, row.front());
  return status;
}

// Whether the server knows no such table, column or index.
bool IsOtherSchema(const SqlStatus& status) {
  return status.code == ER_NO_SUCH_TABLE || status.code == ER_BAD_FIELD_ERROR ||
         status.code == ER_KEY_DOES_NOT_EXISTS;
}

}  // namespace

Status CreateTables(Connection& connection, const Tables& tables,
                    const std::string& engine) {
  for (const Table& table : tables) {
    if (table.is_index()) continue;
    const SqlStatus status = connection.Execute(
        fmt::format("CREATE TABLE {} ({}, {}) {} DEFAULT CHARSET=latin1 "
                    "COLLATE=latin1_bin",
                    table.server, Columns(table), Keys(table, engine),
                    TableClause(engine)));
    if (!status.ok()) {
      return Explained(status, fmt::format("create table {}", table.server));
    }
  }
  return Status::Ok();
}

Status CreateIndexes(Connection& connection, const Tables& tables,
                     const std::string& engine) {
  SqlStatus status;
  for (const Table& table : tables) {
    for (const table::Index& index : table.indexes) {
      if (!index.after_load || !status.ok()) continue;
      // The rows of a buffer are sorted in a tree. In one that the processor's
      // cache can hold that takes a third of the time that the default's 64 MB
      // take.
      if (engine == "myrocks") {
        status =
            connection.Execute("SET SESSION rocksdb_merge_buf_size = 1048576");
      }
      if (!status.ok()) continue;
      status = connection.Execute(fmt::format(
          "ALTER TABLE {} ADD {}", table.server, Key(index, engine)));
    }
  }
  return status.ok() ? Status::Ok() : Explained(status, "create the indexes");
}

std::string ScanStatement(const Table& table, const table::KeyRange& range,
                          const std::string& leads) {
  std::string where;
  const auto add = [&](const KeyPart& part, const std::string& want) {
    where += fmt::format("{}{} {}", where.empty() ? " WHERE " : " AND ",
                         NameOf(table, part), want);
  };
  if (!leads.empty()) {
    add(table.key[table.lead], fmt::format("IN ({})", leads));
  }
  std::string_view first = range.first;
  std::string_view last = range.last;
  for (const KeyPart& part : table.key) {
    // What is left of the range is compared with each key.
    if (part.bytes == 0 || part.largest_first ||
        (first.empty() && last.empty()))
      break;
    const uint64_t low = TakeNumber(part.bytes, '\0', &first);
    const uint64_t high = TakeNumber(part.bytes, '\xff', &last);
    add(part, low == high ? fmt::format("= {}", low)
                          : fmt::format("BETWEEN {} AND {}", low, high));
    if (low != high) break;
  }
  return fmt::format("SELECT {} FROM {} FORCE INDEX ({}){} ORDER BY {}",
                     ColumnNames(table), table.server,
                     table.is_index() ? table.index : "PRIMARY", where,
                     KeyNames(table));
}

Status ScanTable(Connection& connection, const Tables& tables, size_t table,
                 const table::KeyRange& range, const table::Visit& visit) {
  const Table& scanned = tables[table];
  std::string leads;
  SqlStatus status;
  if (scanned.lead != 0) status = AskForLeads(connection, scanned, &leads);
  Statement rows(&connection, ScanStatement(scanned, range, leads));
  if (status.ok()) status = rows.Run();
  if (IsOtherSchema(status)) {
    return Status::Usage(
        fmt::format("--database: its tables are not those that `load` makes "
                    "({}); load another database",
                    status.message));
  }
  const std::string end = table::KeyBehind(range.last);
  ScannedRow row(scanned);
  while (status.ok() && rows.Next(&status)) {
    row.Take(rows);
    if (row.key() >= range.first && (end.empty() || row.key() < end)) {
      visit(row.key(), row.value());
    }
  }
  if (status.ok()) return Status::Ok();
  return Explained(status, fmt::format("read table {}", scanned.server));
}

}  // namespace waltax::mariadb
