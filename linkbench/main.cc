// linkbench: loads, runs and checks the LinkBench workload.

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "driver/commands.h"
#include "driver/flags.h"
#include "driver/null_engine.h"
#include "driver/program.h"
#include "driver/rocksdb_engine.h"
#include "driver/serve.h"
#include "linkbench/data_set.h"
#include "linkbench/kv/loader.h"
#include "linkbench/kv/store.h"
#include "linkbench/memory/null_store.h"
#include "linkbench/memory/store.h"
#include "linkbench/options.h"
#include "linkbench/sql/loader.h"
#include "linkbench/sql/store.h"
#include "linkbench/workload.h"
#include "mariadb/flags.h"
#include "mariadb/server_engine.h"

namespace waltax::linkbench {
namespace {

constexpr char kProgram[] = "linkbench";

struct Flags {
  EngineFlags engine;
  mariadb::ServerFlags server;
  RunFlags run;
  WorkloadFlags workload;

  [[nodiscard]] bool OnServer() const {
    return engine.store == "myrocks" || engine.store == "innodb";
  }
  [[nodiscard]] SqlPlace Place() const { return {server, engine.store}; }
};

// A store, what is observed of its engine, and what both borrow.
struct Opened {
  std::unique_ptr<RocksdbEngine> rocksdb;
  std::unique_ptr<Engine> other;
  std::unique_ptr<Store> store;

  [[nodiscard]] Engine& engine() const { return rocksdb ? *rocksdb : *other; }
  Status Close() { return rocksdb ? rocksdb->Close() : Status::Ok(); }
};

nlohmann::json ProgressEvent(const LoadProgress& progress, double seconds) {
  return {{"event", "progress"},
          {"links", progress.links},
          {"ids", progress.ids},
          {"seconds", seconds}};
}

nlohmann::json LoadedEvent(const LoadProgress& loaded, double seconds) {
  const auto links = static_cast<double>(loaded.links);
  const auto rows = static_cast<double>(loaded.links + loaded.index +
                                        loaded.counts + loaded.nodes);
  return {{"event", "loaded"},
          {"nodes", loaded.nodes},
          {"links", loaded.links},
          {"counts", loaded.counts},
          {"index", loaded.index},
          {"seconds", seconds},
          {"links_per_s", links / seconds},
          {"rows_per_s", rows / seconds},
          {"bytes", loaded.bytes},
          {"cpu_s", CpuSeconds()},
          {"hub_degree", loaded.hub_degree}};
}

using Report = std::function<void(const LoadProgress&)>;

Status LoadRocksdb(const Flags& flags, const GraphOptions& graph,
                   const OutDegrees& degrees, const LoadOptions& options,
                   const Report& report, LoadProgress* loaded) {
  std::unique_ptr<RocksdbEngine> engine;
  Status status = WantEmptyDirectory(flags.engine.db_dir);
  if (status.ok()) {
    status = RocksdbEngine::Open(flags.engine, KvTableNames(), true, &engine);
  }
  if (status.ok()) {
    status = Load(*engine, graph, degrees, options, report, loaded);
  }
  return status.ok() ? engine->Close() : status;
}

Status LoadServer(const Flags& flags, const GraphOptions& graph,
                  const OutDegrees& degrees, const LoadOptions& options,
                  const Report& report, LoadProgress* loaded) {
  std::unique_ptr<mariadb::ServerEngine> engine;
  Status status =
      mariadb::ServerEngine::Open(flags.server, flags.engine.store, &engine);
  if (status.ok()) {
    status = LoadSql(flags.Place(), graph, degrees, options, report, loaded);
  }
  if (status.ok()) loaded->bytes = engine->DataBytes();
  return status;
}

Status RunLoad(const Flags& flags) {
  const auto start = std::chrono::steady_clock::now();
  Options options;
  std::unique_ptr<OutDegrees> degrees;
  Status status = flags.workload.Resolve(&options);
  if (status.ok()) status = OutDegrees::Create(options.graph, &degrees);
  if (status.ok()) status = WantLastingStore(flags.engine, "load");
  if (!status.ok()) return status;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const LoadOptions load = {
      flags.run.threads, flags.run.seed,
      static_cast<uint64_t>(
          std::chrono::duration_cast<std::chrono::milliseconds>(now).count())};
  const Report report = [start](const LoadProgress& progress) {
    PrintEvent(ProgressEvent(progress, SecondsSince(start)));
  };
  LoadProgress loaded;
  const auto load_into = flags.OnServer() ? LoadServer : LoadRocksdb;
  status = load_into(flags, options.graph, *degrees, load, report, &loaded);
  if (status.ok()) PrintEvent(LoadedEvent(loaded, SecondsSince(start)));
  return status;
}

Status OpenRocksdb(const Flags& flags, const RequestModel& model,
                   Opened* opened) {
  Status status = RocksdbEngine::Open(flags.engine, KvTableNames(), false,
                                      &opened->rocksdb);
  if (!status.ok()) return status;
  const Options& options = model.options();
  status = VerifyMeta(*opened->rocksdb, flags.engine.db_dir, options.graph,
                      model.degrees().data_hash());
  if (!status.ok()) return status;
  opened->store = std::make_unique<KvStore>(
      *opened->rocksdb, options.graph.maxid1, options.requests.max_retries);
  return Status::Ok();
}

Status OpenServer(const Flags& flags, const RequestModel& model,
                  Opened* opened) {
  std::unique_ptr<mariadb::ServerEngine> engine;
  std::unique_ptr<mariadb::Connection> connection;
  const Options& options = model.options();
  Status status =
      mariadb::ServerEngine::Open(flags.server, flags.engine.store, &engine);
  if (status.ok())
    status = mariadb::Connection::Open(flags.server, &connection);
  if (status.ok()) {
    status = VerifySqlMeta(*connection, flags.Place(), options.graph,
                           model.degrees().data_hash());
  }
  if (!status.ok()) return status;
  opened->other = std::move(engine);
  opened->store =
      std::make_unique<SqlStore>(flags.Place(), options.requests.max_retries);
  return Status::Ok();
}

// Opens a loaded data set that fits the flags.
Status OpenData(const Flags& flags, const RequestModel& model, Opened* opened) {
  return flags.OnServer() ? OpenServer(flags, model, opened)
                          : OpenRocksdb(flags, model, opened);
}

Status OpenStore(const Flags& flags, const RequestModel& model,
                 Opened* opened) {
  if (flags.engine.store == "null") {
    opened->store = std::make_unique<NullStore>();
  } else if (flags.engine.store == "memory") {
    opened->store = std::make_unique<MemoryStore>(model.options().graph.maxid1);
  } else {
    return OpenData(flags, model, opened);
  }
  opened->other = std::make_unique<NullEngine>(flags.engine.store);
  return Status::Ok();
}

Status Prepare(const Flags& flags, std::shared_ptr<const RequestModel>* model) {
  Options options;
  const Status status = flags.workload.Resolve(&options);
  return status.ok() ? RequestModel::Create(options, model) : status;
}

int RunServe(const Flags& flags) {
  std::shared_ptr<const RequestModel> model;
  Opened opened;
  Status status = Prepare(flags, &model);
  if (status.ok()) status = OpenStore(flags, *model, &opened);
  if (!status.ok()) return Explain(kProgram, status);
  LinkbenchWorkload workload(model, opened.store.get(), flags.run.threads);
  const int exit_code = Serve(kProgram, workload, opened.engine(), flags.run);
  status = opened.Close();
  return status.ok() ? exit_code : Explain(kProgram, status);
}

int RunCheck(const Flags& flags) {
  const auto start = std::chrono::steady_clock::now();
  std::shared_ptr<const RequestModel> model;
  Opened opened;
  CheckResult result;
  Status status = WantLastingStore(flags.engine, "check");
  if (status.ok()) status = Prepare(flags, &model);
  if (status.ok()) status = OpenData(flags, *model, &opened);
  if (status.ok()) status = opened.store->Check(flags.run.threads, &result);
  if (status.ok()) status = opened.Close();
  if (!status.ok()) return Explain(kProgram, status);
  return PrintCheck(result, SecondsSince(start));
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("LinkBench on an embedded engine or on a server", kProgram);
  const Commands commands = AddCommands(&app, &flags.engine, &flags.run);
  for (CLI::App* command : {commands.load, commands.run, commands.check}) {
    mariadb::AddServerFlags(command, &flags.server);
    AddGraphFlags(command, &flags.workload);
  }
  AddRequestFlags(commands.run, &flags.workload);
  return Obey(app, commands,
              {[&flags] { return Explain(kProgram, RunLoad(flags)); },
               [&flags] { return RunServe(flags); },
               [&flags] { return RunCheck(flags); }},
              argc, argv);
}

}  // namespace
}  // namespace waltax::linkbench

int main(int argc, char** argv) { return waltax::linkbench::Main(argc, argv); }
