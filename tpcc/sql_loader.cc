#include "tpcc/sql_loader.h"

#include <fmt/format.h>

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "mariadb/bulk_loader.h"
#include "mariadb/connection.h"
#include "mariadb/data_set_record.h"
#include "mariadb/parallel_load.h"
#include "tpcc/sql_schema.h"
#include "tpcc/sql_sink.h"

namespace waltax::tpcc {

namespace {

// A key of the data set's description: a server may have both engines.
constexpr char kEngine[] = "engine";

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
    mariadb::BulkLoader loader(&connection, engine, BulkTables());
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
  if (status.ok()) status = CreateTables(*connection, engine);
  if (!status.ok()) return status;
  status = LoadRows(flags, engine, options, threads, report, loaded);
  if (status.ok()) status = FinishTables(*connection, engine);
  if (!status.ok()) return status;
  nlohmann::json record = ToRecord(DescribeLoad(options, loaded->rows));
  record[kEngine] = engine;
  return mariadb::WriteDataSetRecord(*connection, engine,
                                     std::string(kWorkload), kSqlLayoutVersion,
                                     std::move(record));
}

Status ReadServerDataSet(mariadb::Connection& connection,
                         const std::string& engine, DataSet* data_set) {
  nlohmann::json record;
  const Status status = mariadb::ReadDataSetRecord(
      connection, std::string(kWorkload), kSqlLayoutVersion, &record);
  if (!status.ok()) return status;
  const auto found = record.find(kEngine);
  if (found == record.end() || !found->is_string() ||
      found->get<std::string>() != engine) {
    return Status::Usage(fmt::format(
        "--store: found \"{}\", but the data set was loaded with {}", engine,
        found == record.end() ? "another engine" : found->dump()));
  }
  const std::string fault = FromRecord(record, data_set);
  if (fault.empty()) return Status::Ok();
  return Status::Usage(fmt::format(
      "--database: the data set in it does not describe itself ({}): load "
      "again",
      fault));
}

}  // namespace waltax::tpcc
