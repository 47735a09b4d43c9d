#include "tpcc/sql/loader.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "mariadb/bulk_loader.h"
#include "mariadb/connection.h"
#include "mariadb/data_set_record.h"
#include "mariadb/parallel_load.h"
#include "mariadb/settle.h"
#include "mariadb/tables.h"
#include "tpcc/keys.h"
#include "tpcc/population.h"
#include "tpcc/schema.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {

namespace {

// The row that Delivery in RocksDB seeks from; no table has it.
bool IsLowWaterMark(Table table, const rocksdb::Slice& key) {
  return table == Table::kNewOrder && NumberOf(key) == 0;
}

// Hands the rows of a chunk to a bulk loader, and counts them by table, as
// Store::Scan will show them. Rows of the two indexes are counted only: the
// server makes its own.
class SqlSink : public RowSink {
 public:
  explicit SqlSink(mariadb::BulkLoader* loader)
      : loader_(*loader), bulk_rows_(Tables(), loader) {}
  void Put(Table table, const rocksdb::Slice& key,
           const rocksdb::Slice& value) override {
    if (IsLowWaterMark(table, key)) return;
    const auto place = static_cast<size_t>(table);
    ++rows_[place];
    if (TableOf(table).is_index()) return;
    // MyRocks sorts a secondary key among the rows that came before those of
    // another table. Customers are too many for one round trip, and their names
    // are sorted by district: all of a warehouse must be in before the next
    // table.
    if (last_ == Table::kCustomer && table != last_) (void)loader_.Finish();
    last_ = table;
    bulk_rows_.Add(place, key.ToStringView(), value.ToStringView());
  }
  [[nodiscard]] const std::array<uint64_t, kTables>& rows() const {
    return rows_;
  }

 private:
  mariadb::BulkLoader& loader_;
  mariadb::BulkRows bulk_rows_;
  std::array<uint64_t, kTables> rows_{};
  Table last_ = Table::kWarehouse;
};

// "warehouse, district, ...".
std::string ServerTables() {
  std::string names;
  for (const table::Table& each : Tables()) {
    if (each.is_index()) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", each.server);
  }
  return names;
}

// Writes the whole population.
Status LoadRows(const mariadb::ServerFlags& flags, const std::string& engine,
                const PopulationOptions& options, int threads,
                const std::function<void(const LoadedRows&)>& report,
                LoadedRows* loaded) {
  const uint64_t chunks = PopulationChunks(options.warehouses);
  *loaded = {};
  loaded->rows.resize(kTables);
  std::mutex mutex;  // of `loaded`
  const auto load = [&](uint64_t step, mariadb::Connection& connection) {
    mariadb::BulkLoader loader(&connection, engine,
                               mariadb::BulkTables(Tables()));
    SqlSink sink(&loader);
    // Warehouses are alike; the items and the rest of chunk 0 are less, and
    // come last.
    WriteChunk(options, step + 1 < chunks ? step + 1 : 0, &sink);
    Status status = loader.Finish();
    if (!status.ok()) return status;
    const std::scoped_lock lock(mutex);
    ++loaded->chunks;
    for (size_t i = 0; i < kTables; ++i) loaded->rows[i] += sink.rows()[i];
    return status;
  };
  const auto report_loaded = [&] {
    std::unique_lock lock(mutex);
    const LoadedRows so_far = *loaded;
    lock.unlock();
    report(so_far);
  };
  return mariadb::RunParallelLoad(
      {flags, threads, chunks, load, report_loaded});
}

}  // namespace

Status LoadServer(const mariadb::ServerFlags& flags, const std::string& engine,
                  const PopulationOptions& options, int threads,
                  const std::function<void(const LoadedRows&)>& report,
                  LoadedRows* loaded) {
  std::unique_ptr<mariadb::Connection> connection;
  Status status = mariadb::Connection::Open(flags, &connection);
  if (status.ok()) status = mariadb::WantEmptyDatabase(*connection);
  if (status.ok()) {
    status = mariadb::CreateTables(*connection, Tables(), engine);
  }
  if (!status.ok()) return status;
  status = LoadRows(flags, engine, options, threads, report, loaded);
  if (status.ok()) {
    // No data in level 0 either, which each clone would have to write again.
    status = mariadb::Settle(*connection, engine, ServerTables(), true);
  }
  return status;
}

}  // namespace waltax::tpcc
