// linkbench: loads, runs and checks the LinkBench workload.

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "driver/commands.h"
#include "driver/flags.h"
#include "driver/null_engine.h"
#include "driver/program.h"
#include "driver/rocksdb_engine.h"
#include "driver/serve.h"
#include "linkbench/data_set.h"
#include "linkbench/flags.h"
#include "linkbench/kv_store.h"
#include "linkbench/loader.h"
#include "linkbench/memory_store.h"
#include "linkbench/null_store.h"
#include "linkbench/workload.h"

namespace waltax::linkbench {
namespace {

constexpr char kProgram[] = "linkbench";

struct Flags {
  EngineFlags engine;
  RunFlags run;
  WorkloadFlags workload;
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

Status RunLoad(const Flags& flags) {
  const auto start = std::chrono::steady_clock::now();
  Options options;
  std::unique_ptr<OutDegrees> degrees;
  std::unique_ptr<RocksdbEngine> engine;
  Status status = flags.workload.Resolve(&options);
  if (status.ok()) status = OutDegrees::Create(options.graph, &degrees);
  if (status.ok()) status = WantRocksdb(flags.engine, "load");
  if (status.ok()) status = WantEmptyDirectory(flags.engine.db_dir);
  if (status.ok()) {
    status = RocksdbEngine::Open(flags.engine, KvTableNames(), true, &engine);
  }
  if (!status.ok()) return status;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const LoadOptions load = {
      flags.run.threads, flags.run.seed,
      static_cast<uint64_t>(
          std::chrono::duration_cast<std::chrono::milliseconds>(now).count())};
  LoadProgress loaded;
  status = Load(
      *engine, options.graph, *degrees, load,
      [start](const LoadProgress& progress) {
        PrintEvent(ProgressEvent(progress, SecondsSince(start)));
      },
      &loaded);
  if (status.ok()) status = engine->Close();
  if (status.ok()) PrintEvent(LoadedEvent(loaded, SecondsSince(start)));
  return status;
}

// Opens a loaded data set that fits the flags.
Status OpenData(const Flags& flags, const RequestModel& model,
                std::unique_ptr<RocksdbEngine>* engine,
                std::unique_ptr<Store>* store) {
  Status status =
      RocksdbEngine::Open(flags.engine, KvTableNames(), false, engine);
  if (!status.ok()) return status;
  const GraphOptions& graph = model.options().graph;
  status = VerifyMeta(**engine, flags.engine.db_dir, graph,
                      model.degrees().data_hash());
  if (!status.ok()) return status;
  *store = std::make_unique<KvStore>(**engine, graph.maxid1,
                                     model.options().requests.max_retries);
  return Status::Ok();
}

Status Prepare(const Flags& flags, std::shared_ptr<const RequestModel>* model) {
  Options options;
  const Status status = flags.workload.Resolve(&options);
  return status.ok() ? RequestModel::Create(options, model) : status;
}

int RunServe(const Flags& flags) {
  std::shared_ptr<const RequestModel> model;
  std::unique_ptr<RocksdbEngine> rocksdb;
  NullEngine without(flags.engine.store);
  std::unique_ptr<Store> store;
  Status status = Prepare(flags, &model);
  if (!status.ok()) return Explain(kProgram, status);
  if (flags.engine.store == "null") {
    store = std::make_unique<NullStore>();
  } else if (flags.engine.store == "memory") {
    store = std::make_unique<MemoryStore>(model->options().graph.maxid1);
  } else {
    status = OpenData(flags, *model, &rocksdb, &store);
  }
  if (!status.ok()) return Explain(kProgram, status);
  Engine& engine = rocksdb ? static_cast<Engine&>(*rocksdb) : without;
  LinkbenchWorkload workload(model, store.get(), flags.run.threads);
  const int exit_code = Serve(kProgram, workload, engine, flags.run);
  if (rocksdb) status = rocksdb->Close();
  return status.ok() ? exit_code : Explain(kProgram, status);
}

int RunCheck(const Flags& flags) {
  const auto start = std::chrono::steady_clock::now();
  std::shared_ptr<const RequestModel> model;
  std::unique_ptr<RocksdbEngine> engine;
  std::unique_ptr<Store> store;
  CheckResult result;
  Status status = WantRocksdb(flags.engine, "check");
  if (status.ok()) status = Prepare(flags, &model);
  if (status.ok()) status = OpenData(flags, *model, &engine, &store);
  if (status.ok()) status = store->Check(flags.run.threads, &result);
  if (status.ok()) status = engine->Close();
  if (!status.ok()) return Explain(kProgram, status);
  return PrintCheck(result, SecondsSince(start));
}

int Main(int argc, char** argv) {
  Flags flags;
  CLI::App app("LinkBench on an embedded engine", kProgram);
  const Commands commands = AddCommands(&app, &flags.engine, &flags.run);
  for (CLI::App* command : {commands.load, commands.run, commands.check}) {
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
