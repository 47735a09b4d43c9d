#include "driver/sql/load.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/sql/bulk_loader.h"
#include "driver/sql/values.h"
#include "driver/steps.h"

namespace waltax::mariadb {
namespace {

using table::As;
using table::StoredColumn;
using table::Table;

constexpr unsigned kAccessDenied = 1227;  // ER_SPECIFIC_ACCESS_DENIED_ERROR

// The rows of a chunk for the tables of driver/table/. Rows of indexes are
// counted only: the server makes its own. Those of a table with a lead wait for
// Finish(), by it: in the order of their keys they are as many stretches of the
// table as there are leads, and MyRocks takes only stretches that no other load
// reaches into.
class TableSink : public table::RowSink {
 public:
  TableSink(const Tables& tables, Connection* connection,
            const std::string& engine)
      : tables_(tables),
        loader_(connection, engine, BulkTables(tables)),
        rows_(tables.size()) {}

  void Put(size_t table, std::string_view key,
           std::string_view value) override {
    ++rows_[table];
    if (tables_[table].is_index()) return;
    const size_t lead = tables_[table].lead;
    if (lead == 0) return Add(table, key, value);
    std::string& held = held_[{table, PartOf(tables_[table], key, lead)}];
    table::Append(key, &held);
    table::Append(value, &held);
  }
  // MyRocks sorts a secondary key among the rows that came before those of
  // another table: what does not fit one round trip must be in before them.
  void EndStretch() override { (void)loader_.Finish(); }
  [[nodiscard]] bool ok() const override { return loader_.status().ok(); }
  Status Finish() {
    TRY(loader_.Finish());
    for (auto held = held_.begin(); held != held_.end();
         held = held_.erase(held)) {
      std::string_view rows = held->second;
      std::string_view key;
      std::string_view value;
      while (table::Take(&rows, &key) && table::Take(&rows, &value)) {
        Add(held->first.first, key, value);
      }
      TRY(loader_.Finish());
    }
    return Status::Ok();
  }
  [[nodiscard]] const std::vector<uint64_t>& rows() const { return rows_; }

 private:
  static std::vector<BulkTable> BulkTables(const Tables& tables) {
    std::vector<BulkTable> all;
    for (const Table& table : tables) {
      all.push_back({std::string(table.server), ColumnNames(table)});
    }
    return all;
  }
  void Add(size_t table, std::string_view key, std::string_view value) {
    loader_.BeginRow(table);
    for (size_t i = 0; i < tables_[table].key.size(); ++i) {
      loader_.Number(PartOf(tables_[table], key, i));
    }
    for (const StoredColumn& column : tables_[table].columns) {
      AddColumn(column, &value);
    }
    loader_.EndRow();
  }
  void AddTime(uint64_t time) {
    if (time == 0) return loader_.Null();
    if (time != known_time_) {
      known_time_ = time;
      known_time_text_ = TimeText(time);
    }
    loader_.Text(known_time_text_);
  }
  void AddColumn(const StoredColumn& column, std::string_view* value) {
    if (column.type.as == As::kRest) return loader_.Text(*value);
    if (column.bytes == 0) {
      std::string_view text;
      table::Take(value, &text);
      const size_t bytes = text.size() / static_cast<size_t>(column.type.parts);
      for (int i = 0; i < column.type.parts; ++i) {
        loader_.Text(text.substr(i * bytes, bytes));
      }
      return;
    }
    uint64_t number = 0;
    std::memcpy(&number, value->data(), column.bytes);
    value->remove_prefix(column.bytes);
    const size_t shift = 64 - 8 * column.bytes;
    const int64_t extended = static_cast<int64_t>(number << shift) >> shift;
    if (column.type.as == As::kTime) return AddTime(number);
    if (column.type.as == As::kDecimal) {
      return loader_.Text(DecimalText(extended, column.type.decimals));
    }
    if (column.type.as == As::kNullIfZero && number == 0) return loader_.Null();
    column.is_signed ? loader_.Number(extended) : loader_.Number(number);
  }

  const Tables& tables_;
  BulkLoader loader_;
  std::vector<uint64_t> rows_;  // by table
  // By table and lead: key, value, key, ..., each behind its length.
  std::map<std::pair<size_t, uint64_t>, std::string> held_;
  uint64_t known_time_ = 0;  // most rows have the same
  std::string known_time_text_;
};

// Writes all chunks, beside each other.
Status LoadRows(const SqlPlace& place, const table::Load& load,
                LoadedRows* loaded) {
  *loaded = {};
  loaded->rows.resize(load.tables->size());
  std::mutex mutex;  // of `loaded`
  const auto step = [&](uint64_t number, Connection& connection) {
    TableSink sink(*load.tables, &connection, place.engine);
    load.write(load.chunks[number], &sink);
    TRY(sink.Finish());
    const std::scoped_lock lock(mutex);
    ++loaded->chunks;
    for (size_t i = 0; i < loaded->rows.size(); ++i) {
      loaded->rows[i] += sink.rows()[i];
    }
    return Status::Ok();
  };
  const auto report = [&] {
    std::unique_lock lock(mutex);
    const LoadedRows so_far = *loaded;
    lock.unlock();
    load.report(so_far);
  };
  return RunParallelLoad(place.server, load.threads, load.chunks.size(), step,
                         report);
}

// "warehouse, district, ...".
std::string ServerTables(const Tables& tables) {
  std::string names;
  for (const Table& table : tables) {
    if (table.is_index()) continue;
    names += (names.empty() ? "" : ", ") + std::string(table.server);
  }
  return names;
}

}  // namespace

Status WantEmptyDatabase(Connection& connection) {
  std::vector<std::vector<std::string>> tables;
  const SqlStatus status = connection.Query("SHOW TABLES", &tables);
  if (!status.ok()) return Explained(status, "list the database's tables");
  if (tables.empty()) return Status::Ok();
  return Status::Usage(fmt::format(
      "--database: found {} tables (\"{}\") in \"{}\", want an empty database; "
      "drop it to load again",
      tables.size(), tables[0][0], connection.handle()->db));
}

Status RunParallelLoad(
    const ServerFlags& server, int threads, uint64_t steps,
    const std::function<Status(uint64_t step, Connection& connection)>& load,
    const std::function<void()>& report) {
  std::vector<std::unique_ptr<Connection>> connections(threads);
  const auto step = [&](uint64_t number, int thread) {
    std::unique_ptr<Connection>& own = connections[thread];
    if (own == nullptr) TRY(Connection::Open(server, &own));
    return load(number, *own);
  };
  return RunSteps(threads, steps, step, report);
}

Status Settle(Connection& connection, const std::string& engine,
              const std::string& tables, bool and_lzero) {
  // Table, operation, kind of message, message: an error is such a row.
  std::vector<std::vector<std::string>> said;
  SqlStatus status = connection.Query("ANALYZE TABLE " + tables, &said);
  for (const auto& row : said) {
    if (row[2] == "Error") status = {1, row[0] + ": " + row[3]};
  }
  if (!status.ok()) return Explained(status, "analyze " + tables);
  if (engine != "myrocks") return Status::Ok();
  const std::string what =
      and_lzero ? "memtable_and_lzero_now" : "memtable_now";
  status =
      connection.Execute("SET GLOBAL rocksdb_force_flush_" + what + " = ON");
  if (status.code == kAccessDenied) {
    // engines/server/account.py made it.
    const SqlStatus called =
        connection.Execute("CALL waltaxflush." + what + "()");
    if (called.ok()) return Status::Ok();
    status.message += "; " + called.message;
  }
  return status.ok() ? Status::Ok()
                     : Explained(status, "write to tables what was loaded");
}

Status LoadTables(const SqlPlace& place, const table::Load& load,
                  bool and_lzero, LoadedRows* loaded) {
  std::unique_ptr<Connection> connection;
  TRY(Connection::Open(place.server, &connection));
  TRY(WantEmptyDatabase(*connection));
  TRY(CreateTables(*connection, *load.tables, place.engine));
  TRY(LoadRows(place, load, loaded));
  TRY(CreateIndexes(*connection, *load.tables, place.engine));
  return Settle(*connection, place.engine, ServerTables(*load.tables),
                and_lzero);
}

}  // namespace waltax::mariadb
