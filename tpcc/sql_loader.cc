#include "tpcc/sql_loader.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "mariadb/bulk_loader.h"
#include "mariadb/connection.h"
#include "mariadb/data_set_record.h"
#include "tpcc/sql_schema.h"
#include "tpcc/sql_sink.h"

namespace waltax::tpcc {

namespace {

// A key of the data set's description: a server may have both engines.
constexpr char kEngine[] = "engine";

// What all threads of a load share.
class ServerLoad {
 public:
  ServerLoad(const mariadb::ServerFlags& flags, const std::string& engine,
             const PopulationOptions& options)
      : flags_(flags), engine_(engine), options_(options) {
    loaded_.rows.resize(kTables);
  }

  Status Run(int threads, const std::function<void(const LoadedRows&)>& report);
  [[nodiscard]] const LoadedRows& loaded() const { return loaded_; }

 private:
  void Work();
  Status WriteChunks();
  Status WriteOne(mariadb::Connection& connection, uint64_t chunk);
  void Await(int threads, const std::function<void(const LoadedRows&)>& report);

  const mariadb::ServerFlags& flags_;
  const std::string& engine_;
  const PopulationOptions& options_;
  std::atomic<uint64_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  int threads_ended_ = 0;
  LoadedRows loaded_;
  Status status_;
};

// Warehouses are alike; the items and the rest of chunk 0 are less, and come
// last.
Status ServerLoad::WriteChunks() {
  std::unique_ptr<mariadb::Connection> connection;
  Status status = mariadb::Connection::Open(flags_, &connection);
  const uint64_t chunks = PopulationChunks(options_.warehouses);
  for (uint64_t i = next_++; i < chunks && status.ok() && !failed_;
       i = next_++) {
    status = WriteOne(*connection, i + 1 < chunks ? i + 1 : 0);
  }
  return status;
}

Status ServerLoad::WriteOne(mariadb::Connection& connection, uint64_t chunk) {
  mariadb::BulkLoader loader(&connection, engine_, BulkTables());
  SqlSink sink(&loader);
  WriteChunk(options_, chunk, &sink);
  const Status status = loader.Finish();
  if (!status.ok()) return status;
  const std::scoped_lock lock(mutex_);
  ++loaded_.chunks;
  loaded_.bytes += loader.bytes();
  for (size_t i = 0; i < kTables; ++i) loaded_.rows[i] += sink.rows()[i];
  return status;
}

void ServerLoad::Work() {
  const Status status = WriteChunks();
  const std::scoped_lock lock(mutex_);
  if (!status.ok()) {
    if (status_.ok()) status_ = status;
    failed_ = true;
  }
  ++threads_ended_;
  ended_.notify_all();
}

void ServerLoad::Await(int threads,
                       const std::function<void(const LoadedRows&)>& report) {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, std::chrono::seconds(1),
                          [&] { return threads_ended_ == threads; })) {
    const LoadedRows so_far = loaded_;
    lock.unlock();
    report(so_far);
    lock.lock();
  }
}

Status ServerLoad::Run(int threads,
                       const std::function<void(const LoadedRows&)>& report) {
  std::vector<std::thread> workers;
  workers.reserve(static_cast<size_t>(threads));
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back(&ServerLoad::Work, this);
  }
  Await(threads, report);
  for (std::thread& worker : workers) worker.join();
  return status_;
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
  ServerLoad load(flags, engine, options);
  status = load.Run(threads, report);
  if (status.ok()) status = FinishTables(*connection, engine);
  if (!status.ok()) return status;
  *loaded = load.loaded();
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
