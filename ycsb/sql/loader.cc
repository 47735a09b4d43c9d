#include "ycsb/sql/loader.h"

#include <memory>
#include <mutex>

#include "mariadb/bulk_loader.h"
#include "mariadb/data_set_record.h"
#include "mariadb/parallel_load.h"
#include "mariadb/settle.h"
#include "ycsb/sql/statements.h"

namespace waltax::ycsb {

namespace {

std::string LoadedColumns(const DataOptions& data) {
  std::string columns = "ycsb_key";
  for (const std::string& name : data.FieldNames()) {
    columns += ", " + sql::Quoted(name);
  }
  return columns;
}

Status LoadRows(const SqlPlace& place, const Population& population,
                int threads, const ReportLoaded& report,
                RecordsLoaded* loaded) {
  const std::string columns = LoadedColumns(population.model().data());
  std::mutex mutex;  // of `loaded`
  const auto load = [&](uint64_t step, mariadb::Connection& connection) {
    mariadb::BulkLoader loader(&connection, place.engine,
                               {{"usertable", columns}});
    population.WriteChunk(step,
                          [&](std::string_view key, const Values& values) {
                            loader.BeginRow(0);
                            loader.Text(key);
                            for (const auto field : values.fields) {
                              loader.Text(field);
                            }
                            loader.EndRow();
                            return loader.status().ok();
                          });
    const Status status = loader.Finish();
    const std::scoped_lock lock(mutex);
    loaded->records += loader.rows(0);
    loaded->bytes += loader.bytes();
    return status;
  };
  const auto report_loaded = [&] {
    std::unique_lock lock(mutex);
    const RecordsLoaded so_far = *loaded;
    lock.unlock();
    report(so_far);
  };
  return mariadb::RunParallelLoad(
      {place.server, threads, population.chunks(), load, report_loaded});
}

}  // namespace

Status LoadSql(const SqlPlace& place, const DataOptions& data, uint64_t seed,
               int threads, const ReportLoaded& report, RecordsLoaded* loaded) {
  *loaded = {};
  std::unique_ptr<mariadb::Connection> connection;
  Status status = mariadb::Connection::Open(place.server, &connection);
  if (status.ok()) status = mariadb::WantEmptyDatabase(*connection);
  if (status.ok()) status = CreateTable(*connection, place, data);
  if (!status.ok()) return status;
  const Population population(data, seed);
  status = LoadRows(place, population, threads, report, loaded);
  if (!status.ok()) return status;
  return mariadb::Settle(*connection, place.engine, "usertable");
}

}  // namespace waltax::ycsb
