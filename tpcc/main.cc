// tpcc: loads, runs and checks the TPC-C workload.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "driver/commands.h"
#include "driver/flags.h"
#include "driver/null_engine.h"
#include "driver/program.h"
#include "driver/rocksdb_engine.h"
#include "driver/serve.h"
#include "mariadb/connection.h"
#include "mariadb/flags.h"
#include "mariadb/server_engine.h"
#include "tpcc/check/check.h"
#include "tpcc/data_set.h"
#include "tpcc/kv/loader.h"
#include "tpcc/kv/rows.h"
#include "tpcc/kv/store.h"
#include "tpcc/memory/null_store.h"
#include "tpcc/memory/store.h"
#include "tpcc/options.h"
#include "tpcc/schema.h"
#include "tpcc/sql/loader.h"
#include "tpcc/sql/store.h"
#include "tpcc/workload.h"

namespace waltax::tpcc {
namespace {

constexpr char kProgram[] = "tpcc";

struct Flags {
  EngineFlags engine;
  mariadb::ServerFlags server;
  RunFlags run;
  WorkloadFlags workload;
};

// Its dates are those of the load (clause 4.3.3.1), so that equal seeds give
// equal rows but for them.
PopulationOptions PopulationOf(uint64_t warehouses, uint64_t seed) {
  return {static_cast<uint32_t>(warehouses), seed, Now()};
}

uint64_t SumOf(const LoadedRows& loaded) {
  return std::accumulate(loaded.rows.begin(), loaded.rows.end(), uint64_t{0});
}

// One chunk is not a warehouse, and comes last.
nlohmann::json ProgressEvent(const LoadedRows& loaded, uint64_t warehouses,
                             double seconds) {
  return {{"event", "progress"},
          {"warehouses", std::min(loaded.chunks, warehouses)},
          {"of", warehouses},
          {"rows", SumOf(loaded)},
          {"seconds", seconds}};
}

nlohmann::json LoadedEvent(const LoadedRows& loaded,
                           const PopulationOptions& population,
                           double seconds) {
  nlohmann::json rows;
  for (size_t i = 0; i < kTables; ++i) {
    rows[std::string(kTableNames[i])] = loaded.rows[i];
  }
  return {{"event", "loaded"},
          {"warehouses", population.warehouses},
          {"rows", rows},
          {"seconds", seconds},
          {"rows_per_s", static_cast<double>(SumOf(loaded)) / seconds},
          {"bytes", loaded.bytes},
          {"cpu_s", CpuSeconds()},
          {"c_last", LastNameConstant(population.seed)}};
}

using Report = std::function<void(const LoadedRows&)>;

Status LoadRocksdb(const Flags& flags, const PopulationOptions& population,
                   const Report& report, LoadedRows* loaded) {
  std::unique_ptr<RocksdbEngine> engine;
  Status status = WantEmptyDirectory(flags.engine.db_dir);
  if (status.ok()) {
    status = RocksdbEngine::Open(flags.engine, KvTableNames(), true, &engine);
  }
  if (!status.ok()) return status;
  status = Load(*engine, population, flags.run.threads, report, loaded);
  return status.ok() ? engine->Close() : status;
}

Status LoadOnServer(const Flags& flags, const PopulationOptions& population,
                    const Report& report, LoadedRows* loaded) {
  std::unique_ptr<mariadb::ServerEngine> engine;
  Status status =
      mariadb::ServerEngine::Open(flags.server, flags.engine.store, &engine);
  if (status.ok()) {
    status = LoadServer(flags.server, flags.engine.store, population,
                        flags.run.threads, report, loaded);
  }
  if (status.ok()) loaded->bytes = engine->DataBytes();
  return status;
}

Status RunLoad(const Flags& flags) {
  const auto start = std::chrono::steady_clock::now();
  const PopulationOptions population =
      PopulationOf(flags.workload.load_warehouses, flags.run.seed);
  const Report report = [&](const LoadedRows& so_far) {
    PrintEvent(
        ProgressEvent(so_far, population.warehouses, SecondsSince(start)));
  };
  LoadedRows loaded;
  Status status = WantLastingStore(flags.engine, "load");
  if (!status.ok()) return status;
  const auto load_into =
      flags.engine.store == "rocksdb" ? LoadRocksdb : LoadOnServer;
  status = load_into(flags, population, report, &loaded);
  if (status.ok()) {
    PrintEvent(LoadedEvent(loaded, population, SecondsSince(start)));
  }
  return status;
}

// What a run or a check works on.
struct OpenedData {
  std::unique_ptr<RocksdbEngine> rocksdb;         // null with another store
  std::unique_ptr<mariadb::ServerEngine> server;  // null without a server
  std::unique_ptr<Store> store;
  Options options;
  uint32_t last_name_load = 0;

  // Null when the store is none of an engine's.
  [[nodiscard]] Engine* engine() const {
    if (rocksdb) return rocksdb.get();
    return server.get();
  }
  Status Close() { return rocksdb ? rocksdb->Close() : Status::Ok(); }
};

Status OpenRocksdb(const Flags& flags, OpenedData* data) {
  DataSet data_set;
  Status status =
      RocksdbEngine::Open(flags.engine, KvTableNames(), false, &data->rocksdb);
  if (status.ok()) {
    status = ReadDataSet(*data->rocksdb, flags.engine.db_dir, &data_set);
  }
  if (status.ok()) {
    status = flags.workload.ResolveRun(flags.run, data_set.warehouses,
                                       &data->options);
  }
  if (!status.ok()) return status;
  data->last_name_load = data_set.c_last;
  data->store =
      std::make_unique<KvStore>(*data->rocksdb, data->options.max_retries);
  return Status::Ok();
}

Status OpenServer(const Flags& flags, OpenedData* data) {
  DataSet data_set;
  std::unique_ptr<mariadb::Connection> connection;
  Status status = mariadb::Connection::Open(flags.server, &connection);
  if (status.ok()) {
    status = mariadb::ServerEngine::Open(flags.server, flags.engine.store,
                                         &data->server);
  }
  if (status.ok())
    status = ReadServerDataSet(*connection, flags.engine.store, &data_set);
  if (status.ok()) {
    status = flags.workload.ResolveRun(flags.run, data_set.warehouses,
                                       &data->options);
  }
  if (!status.ok()) return status;
  data->last_name_load = data_set.c_last;
  data->store =
      std::make_unique<SqlStore>(flags.server, data->options.max_retries);
  return Status::Ok();
}

// Stores that begin anew with each process.
Status OpenTransient(const Flags& flags, OpenedData* data) {
  const uint64_t warehouses =
      std::max<uint64_t>(flags.workload.options.warehouses, 1);
  const PopulationOptions population = PopulationOf(warehouses, flags.run.seed);
  const Status status = flags.workload.ResolveRun(
      flags.run, population.warehouses, &data->options);
  if (!status.ok()) return status;
  if (flags.engine.store == "null" && !data->options.ack_log.empty()) {
    return Status::Usage(
        "--ack-log: found it with --store null, which commits nothing that "
        "could be acknowledged, want another store");
  }
  data->last_name_load = LastNameConstant(population.seed);
  if (flags.engine.store == "null") {
    data->store = std::make_unique<NullStore>();
  } else {
    data->store = std::make_unique<MemoryStore>(population, flags.run.threads);
  }
  return Status::Ok();
}

Status OpenLasting(const Flags& flags, OpenedData* data) {
  return flags.engine.store == "rocksdb" ? OpenRocksdb(flags, data)
                                         : OpenServer(flags, data);
}

int RunServe(const Flags& flags) {
  OpenedData data;
  std::unique_ptr<Ledger> ledger;
  const bool transient =
      flags.engine.store == "memory" || flags.engine.store == "null";
  Status status =
      transient ? OpenTransient(flags, &data) : OpenLasting(flags, &data);
  if (status.ok() && flags.engine.store != "null") {
    status = Ledger::Open(*data.store,
                          static_cast<uint32_t>(data.options.warehouses),
                          data.options.ack_log, &ledger);
  }
  if (!status.ok()) return Explain(kProgram, status);
  const RunPlan plan = {
      data.options, flags.run.threads,
      DrawNuRandConstants(flags.run.seed, data.last_name_load),
      data.last_name_load};
  NullEngine without(flags.engine.store);
  Engine& engine = data.engine() != nullptr ? *data.engine() : without;
  TpccWorkload workload(plan, data.store.get(), ledger.get());
  const int exit_code = Serve(kProgram, workload, engine, flags.run);
  status = data.Close();
  return status.ok() ? exit_code : Explain(kProgram, status);
}

int RunCheck(const Flags& flags) {
  const auto start = std::chrono::steady_clock::now();
  OpenedData data;
  CheckExpectations expect;
  CheckResult result;
  Status status = WantLastingStore(flags.engine, "check");
  if (status.ok() && !flags.workload.acks.empty()) {
    status = ReadAckLog(flags.workload.acks, &expect.acknowledged);
  }
  if (status.ok()) status = OpenLasting(flags, &data);
  if (status.ok()) {
    status = CheckConsistency(*data.store,
                              static_cast<uint32_t>(data.options.warehouses),
                              flags.run.threads, expect, &result);
  }
  if (status.ok()) status = data.Close();
  if (!status.ok()) return Explain(kProgram, status);
  return PrintCheck(result, SecondsSince(start));
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("TPC-C on an embedded engine or on a server", kProgram);
  const Commands commands = AddCommands(&app, &flags.engine, &flags.run);
  commands.load->description(
      "fill an empty database; equal seeds give equal rows but for the dates, "
      "which are those of the load");
  for (CLI::App* command : {commands.load, commands.run, commands.check}) {
    mariadb::AddServerFlags(command, &flags.server);
  }
  AddLoadFlags(commands.load, &flags.workload);
  AddTerminalFlags(commands.run, &flags.workload);
  AddCheckFlags(commands.check, &flags.workload);
  return Obey(app, commands,
              {[&flags] { return Explain(kProgram, RunLoad(flags)); },
               [&flags] { return RunServe(flags); },
               [&flags] { return RunCheck(flags); }},
              argc, argv);
}

}  // namespace
}  // namespace waltax::tpcc

int main(int argc, char** argv) { return waltax::tpcc::Main(argc, argv); }
