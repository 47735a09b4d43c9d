#include "workloads/mix/sql/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <memory>
#include <type_traits>

#include "driver/sql/bulk_loader.h"
#include "driver/sql/load.h"
#include "driver/sql/server_engine.h"
#include "driver/sql/text_read.h"

namespace waltax::mix {
namespace {

using mariadb::SqlStatus;

constexpr uint64_t kRowsOfStep = 16'384;

Status WritePart(const Values& values, const LoadParts& parts, uint64_t step,
                 mariadb::Connection* connection, mariadb::BulkLoader* loader) {
  // Of foreign keys, all values are right, and their tables may come later.
  const SqlStatus free =
      connection->Execute("SET SESSION foreign_key_checks = 0");
  if (!free.ok()) return mariadb::Explained(free, "load the data set");
  const size_t table = parts[step].table;
  const std::vector<Column>& columns = values.mix().tables[table].columns;
  const auto take = [loader](auto value) {
    if constexpr (std::is_same_v<decltype(value), int64_t>) {
      loader->Number(value);
    } else {
      loader->Text(value);
    }
  };
  std::string id;
  parts.ForAll(parts[step], [&](uint64_t number, const Row& row) {
    loader->BeginRow(table);
    TakeId(values, table, number, &id, take);
    for (size_t i = 0; i < columns.size(); ++i) {
      row.cells[i].Give(columns[i], take);
    }
    loader->EndRow();
    return loader->status().ok();
  });
  return loader->Finish();
}

int64_t Number(std::string_view text) {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

Status SqlStore::Scan(size_t table, size_t index, const Visit& visit) {
  const Table& of = values_.mix().tables[table];
  std::unique_ptr<mariadb::Connection> connection;
  const Status opened = mariadb::Connection::Open(place_.server, &connection);
  if (!opened.ok()) return opened;
  std::vector<size_t> columns;
  for (size_t i = 0; i < of.columns.size(); ++i) columns.push_back(i);
  if (index != kNone) columns = of.indexes[index].columns;
  // As text, so that an index is read alone.
  mariadb::TextRead rows(connection.get(), of.sql.scans[index + 1]);
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
        cell.number = Number(cell.text);
      }
    }
    visit(number.value_or(0), number ? &row : nullptr);
  }
  return status.ok() ? Status::Ok()
                     : mariadb::Explained(status, "check the data set");
}

Status SqlStore::Load(int threads, const RowReport& report, uint64_t* rows,
                      uint64_t* /*bytes*/) {
  std::unique_ptr<mariadb::Connection> connection;
  Status status = mariadb::Connection::Open(place_.server, &connection);
  if (status.ok()) status = mariadb::WantEmptyDatabase(*connection);
  if (!status.ok()) return status;
  SqlStatus created = connection->Execute("SET SESSION foreign_key_checks = 0");
  std::vector<std::string> names;
  for (const Table& table : values_.mix().tables) {
    if (!created.ok()) break;
    created = connection->Execute(
        fmt::format("{} {} DEFAULT CHARSET=latin1 COLLATE=latin1_bin",
                    table.sql.create.at(place_.engine),
                    mariadb::TableClause(place_.engine)));
    names.push_back(table.sql.name);
  }
  if (!created.ok()) {
    return mariadb::Explained(created,
                              "create the tables in the " + place_.Name());
  }
  const Codec codec(values_);
  LoadParts parts(values_, codec);
  std::vector<mariadb::BulkTable> bulk;
  for (const Table& table : values_.mix().tables) {
    // A bulk load of MyRocks writes files of the indexes, too: those of two
    // parts of a table would overlap, which it refuses.
    const bool whole = place_.engine == "myrocks" && !table.indexes.empty();
    parts.Add(bulk.size(), kNone, whole ? UINT64_MAX : kRowsOfStep);
    bulk.push_back({table.sql.name, table.sql.columns});
  }
  std::atomic<uint64_t> loaded = 0;
  const auto write = [&](uint64_t step, mariadb::Connection& own) {
    mariadb::BulkLoader loader(&own, place_.engine, bulk);
    const Status written = WritePart(values_, parts, step, &own, &loader);
    loaded += parts[step].end - parts[step].first;
    return written;
  };
  status = mariadb::RunParallelLoad(
      {place_.server, threads, parts.size(), write, [&] { report(loaded); }});
  *rows = loaded;
  if (!status.ok()) return status;
  return mariadb::Settle(*connection, place_.engine,
                         fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace waltax::mix
