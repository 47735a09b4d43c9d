#include "driver/sql/table_load.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

#include "driver/sql/load.h"
#include "driver/sql/values.h"

namespace waltax::mariadb {
namespace {

using table::As;
using table::StoredColumn;
using table::Table;

std::vector<BulkTable> BulkTables(const Tables& tables) {
  std::vector<BulkTable> all;
  for (const Table& table : tables) {
    all.push_back({std::string(table.server), ColumnNames(table)});
  }
  return all;
}

std::string_view TakePart(std::string_view* rows) {
  uint32_t bytes = 0;
  table::Take(rows, &bytes);
  const std::string_view part = rows->substr(0, bytes);
  rows->remove_prefix(bytes);
  return part;
}

// Writes all chunks, beside each other.
Status LoadRows(const SqlPlace& place, const table::Load& load,
                LoadedRows* loaded) {
  *loaded = {};
  loaded->rows.resize(load.tables->size());
  std::mutex mutex;  // of `loaded`
  const auto step = [&](uint64_t number, Connection& connection) {
    TableSink sink(*load.tables, &connection, place.engine);
    load.write(load.chunks[number], &sink);
    Status status = sink.Finish();
    if (!status.ok()) return status;
    const std::scoped_lock lock(mutex);
    ++loaded->chunks;
    for (size_t i = 0; i < loaded->rows.size(); ++i) {
      loaded->rows[i] += sink.rows()[i];
    }
    return status;
  };
  const auto report = [&] {
    std::unique_lock lock(mutex);
    const LoadedRows so_far = *loaded;
    lock.unlock();
    load.report(so_far);
  };
  return RunParallelLoad(
      {place.server, load.threads, load.chunks.size(), step, report});
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

TableSink::TableSink(const Tables& tables, Connection* connection,
                     const std::string& engine)
    : tables_(tables),
      loader_(connection, engine, BulkTables(tables)),
      rows_(tables.size()) {}

void TableSink::Put(size_t table, std::string_view key,
                    std::string_view value) {
  ++rows_[table];
  if (tables_[table].is_index()) return;
  const size_t lead = tables_[table].lead;
  if (lead == 0) return Add(table, key, value);
  std::string& held = held_[{table, PartOf(tables_[table], key, lead)}];
  for (const std::string_view part : {key, value}) {
    table::Append(static_cast<uint32_t>(part.size()), &held);
    held.append(part);
  }
}

Status TableSink::Finish() {
  Status status = loader_.Finish();
  for (auto held = held_.begin(); held != held_.end() && status.ok();
       held = held_.erase(held)) {
    std::string_view rows = held->second;
    while (!rows.empty()) {
      const std::string_view key = TakePart(&rows);
      Add(held->first.first, key, TakePart(&rows));
    }
    status = loader_.Finish();
  }
  return status;
}

void TableSink::Add(size_t table, std::string_view key,
                    std::string_view value) {
  loader_.BeginRow(table);
  for (size_t i = 0; i < tables_[table].key.size(); ++i) {
    loader_.Number(PartOf(tables_[table], key, i));
  }
  for (const StoredColumn& column : tables_[table].columns) {
    AddColumn(column, &value);
  }
  loader_.EndRow();
}

void TableSink::AddTime(uint64_t time) {
  if (time == 0) return loader_.Null();
  if (time != known_time_) {
    known_time_ = time;
    known_time_text_ = TimeText(time);
  }
  loader_.Text(known_time_text_);
}

void TableSink::AddColumn(const StoredColumn& column, std::string_view* value) {
  if (column.type.as == As::kRest) return loader_.Text(*value);
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

Status LoadTables(const SqlPlace& place, const table::Load& load,
                  bool and_lzero, LoadedRows* loaded) {
  std::unique_ptr<Connection> connection;
  Status status = Connection::Open(place.server, &connection);
  if (status.ok()) status = WantEmptyDatabase(*connection);
  if (status.ok()) {
    status = CreateTables(*connection, *load.tables, place.engine);
  }
  if (status.ok()) status = LoadRows(place, load, loaded);
  if (status.ok()) {
    status = CreateIndexes(*connection, *load.tables, place.engine);
  }
  if (!status.ok()) return status;
  return Settle(*connection, place.engine, ServerTables(*load.tables),
                and_lzero);
}

}  // namespace waltax::mariadb
