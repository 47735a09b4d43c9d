#include "mariadb/tables.h"

#include <fmt/format.h>
#include <mysqld_error.h>

#include <cstring>
#include <memory>

#include "mariadb/server_engine.h"
#include "mariadb/statement.h"
#include "mariadb/values.h"

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

std::string KeyNames(const Table& table) {
  std::string names;
  for (const KeyPart& part : table.key) {
    AddTo(&names, fmt::format("{}{}", table.prefix, part.name));
  }
  return names;
}

std::string ColumnNames(const Table& table) {
  std::string names = KeyNames(table);
  ForEachColumn(table, [&](const std::string& name, std::string_view /*type*/) {
    AddTo(&names, name);
  });
  return names;
}

std::string Columns(const Table& table) {
  std::string columns;
  for (const KeyPart& part : table.key) {
    AddTo(&columns,
          fmt::format("{}{} {}INT UNSIGNED NOT NULL{}", table.prefix, part.name,
                      part.bytes == 1 ? "TINY" : "", part.sql));
  }
  ForEachColumn(table, [&](const std::string& name, std::string_view type) {
    AddTo(&columns, fmt::format("{} {}", name, type));
  });
  return columns;
}

// MyRocks has a column family for each key: they are what its compactions and
// statistics are by. InnoDB has none, and its tables need no such comments.
std::string Keys(const Table& table, const std::string& engine) {
  const auto family = [&](std::string_view name, bool reversed) {
    return engine != "myrocks" ? ""
                               : fmt::format(" COMMENT 'cfname={}cf_{}'",
                                             reversed ? "rev:" : "", name);
  };
  std::string keys = fmt::format("PRIMARY KEY ({}){}", KeyNames(table),
                                 family(table.server, false));
  for (const table::Index& index : table.indexes) {
    AddTo(&keys, fmt::format("KEY {} ({}){}", index.name, index.columns,
                             family(index.name, index.reversed)));
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
      table::Append(std::string_view(text), &value_);
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

// An index has the smallest number first where keys have the largest: such rows
// are held back, and shown from the last to the first.
class LargestFirst {
 public:
  explicit LargestFirst(size_t bytes) : bytes_(bytes) {}
  template <typename Visit>
  void Hold(const std::string& key, const Visit& visit) {
    const size_t shared = key.size() - bytes_;
    if (!held_.empty() &&
        key.compare(0, shared, held_.back(), 0, shared) != 0) {
      Show(visit);
    }
    held_.push_back(key);
  }
  template <typename Visit>
  void Show(const Visit& visit) {
    for (; !held_.empty(); held_.pop_back()) visit(held_.back(), {});
  }

 private:
  size_t bytes_;
  std::vector<std::string> held_;
};

// Whether the server knows no such table, column or index.
bool IsOtherSchema(const SqlStatus& status) {
  return status.code == ER_NO_SUCH_TABLE || status.code == ER_BAD_FIELD_ERROR ||
         status.code == ER_KEY_DOES_NOT_EXISTS;
}

}  // namespace

std::string NeededTables(const Tables& tables) {
  std::string needed;
  for (const Table& table : tables) {
    if (table.is_index()) continue;
    needed +=
        fmt::format("{}{}: {}; {}", needed.empty() ? "" : "\n  ", table.server,
                    ColumnNames(table), Keys(table, "innodb"));
  }
  return needed;
}

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

std::vector<BulkTable> BulkTables(const Tables& tables) {
  std::vector<BulkTable> all;
  for (const Table& table : tables) {
    if (table.is_index()) continue;
    all.push_back({std::string(table.server), ColumnNames(table)});
  }
  return all;
}

BulkRows::BulkRows(const Tables& tables, BulkLoader* loader)
    : tables_(tables), loader_(*loader) {
  size_t place = 0;
  for (const Table& table : tables) {
    places_.push_back(table.is_index() ? place : place++);
  }
}

void BulkRows::Add(size_t table, std::string_view key, std::string_view value) {
  loader_.BeginRow(places_[table]);
  for (size_t i = 0; i < tables_[table].key.size(); ++i) {
    loader_.Number(uint64_t{PartOf(tables_[table], key, i)});
  }
  for (const StoredColumn& column : tables_[table].columns) {
    AddColumn(column, &value);
  }
  loader_.EndRow();
}

void BulkRows::AddTime(uint64_t time) {
  if (time == 0) return loader_.Null();
  if (time != known_time_) {
    known_time_ = time;
    known_time_text_ = TimeText(time);
  }
  loader_.Text(known_time_text_);
}

void BulkRows::AddColumn(const StoredColumn& column, std::string_view* value) {
  if (column.bytes == 0) {
    std::string_view text;
    table::Take(value, &text);
    const size_t bytes = text.size() / static_cast<size_t>(column.type.parts);
    for (int i = 0; i < column.type.parts; ++i) {
      loader_.Text(column.type.parts == 1 ? text : text.substr(0, bytes));
      text.remove_prefix(bytes);
    }
    return;
  }
  uint64_t number = 0;
  std::memcpy(&number, value->data(), column.bytes);
  value->remove_prefix(column.bytes);
  const size_t shift = 64 - 8 * column.bytes;
  const int64_t extended = static_cast<int64_t>(number << shift) >> shift;
  switch (column.type.as) {
    case As::kDecimal:
      return loader_.Text(DecimalText(extended, column.type.decimals));
    case As::kTime:
      return AddTime(number);
    case As::kNullIfZero:
      if (number == 0) return loader_.Null();
      break;
    default:
      break;
  }
  column.is_signed ? loader_.Number(extended) : loader_.Number(number);
}

std::string ScanStatement(const Table& table, std::string_view prefix) {
  std::string where;
  for (const KeyPart& part : table.key) {
    // What is left of the prefix is compared with each key.
    if (part.bytes == 0 || part.largest_first || prefix.size() < part.bytes) {
      break;
    }
    uint32_t number = 0;
    for (const char byte : prefix.substr(0, part.bytes)) {
      number = number << 8 | static_cast<uint8_t>(byte);
    }
    where += fmt::format("{}{}{} = {}", where.empty() ? " WHERE " : " AND ",
                         table.prefix, part.name, number);
    prefix.remove_prefix(part.bytes);
  }
  return fmt::format("SELECT {} FROM {} FORCE INDEX ({}){} ORDER BY {}",
                     ColumnNames(table), table.server,
                     table.is_index() ? table.index : "PRIMARY", where,
                     KeyNames(table));
}

Status ScanTable(Connection& connection, const Tables& tables, size_t table,
                 std::string_view prefix,
                 const std::function<void(std::string_view key,
                                          std::string_view value)>& visit) {
  const Table& scanned = tables[table];
  std::unique_ptr<Statement> rows;
  SqlStatus status =
      Statement::TryPrepare(&connection, ScanStatement(scanned, prefix), &rows);
  if (IsOtherSchema(status)) {
    return Status::Usage(fmt::format(
        "--database: its tables are not those that `load` makes: {}. Load "
        "another database, or add to this one what is missing of\n  {}",
        status.message, NeededTables(tables)));
  }
  if (!status.ok()) {
    return Explained(status, fmt::format("prepare to read {}", scanned.server));
  }
  const auto show = [&](std::string_view key, std::string_view value) {
    if (key.starts_with(prefix)) visit(key, value);
  };
  ScannedRow row(scanned);
  const KeyPart& last = scanned.key.back();
  LargestFirst held(last.bytes);
  status = rows->Run();
  while (status.ok() && rows->Next(&status)) {
    row.Take(*rows);
    if (last.largest_first) {
      held.Hold(row.key(), show);
    } else {
      show(row.key(), row.value());
    }
  }
  if (!status.ok()) {
    return Explained(status, fmt::format("read table {}", scanned.server));
  }
  held.Show(show);
  return Status::Ok();
}

}  // namespace waltax::mariadb
