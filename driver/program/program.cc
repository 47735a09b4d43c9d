#include "driver/program/program.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <utility>

#include "driver/redis/engine.h"
#include "driver/report.h"
#include "driver/rocksdb/data_set_record.h"
#include "driver/serve.h"
#include "driver/sql/data_set_record.h"
#include "driver/sql/server_engine.h"

namespace waltax {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Of the whole process so far.
double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) +
           1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Creates `db_dir`. What it holds already may be someone's data set.
Status WantEmptyDirectory(const std::string& db_dir) {
  if (db_dir.empty()) {
    return Status::Usage("--db: found nothing, want a new or empty directory");
  }
  std::error_code error;
  if (!std::filesystem::exists(db_dir, error)) {
    std::filesystem::create_directories(db_dir, error);
    if (!error) return Status::Ok();
    return Status::Usage(
        fmt::format("--db: {} cannot be created: {}", db_dir, error.message()));
  }
  if (std::filesystem::is_empty(db_dir, error) && !error) return Status::Ok();
  return Status::Usage(
      fmt::format("--db: found {} not empty, want a new or empty directory; "
                  "remove it to load again",
                  db_dir));
}

void PrintProgress(nlohmann::json facts, double seconds) {
  facts["event"] = "progress";
  facts["seconds"] = seconds;
  PrintEvent(facts);
}

void PrintLoaded(const Loaded& loaded, double seconds) {
  nlohmann::json event = loaded.facts;
  event["event"] = "loaded";
  event["seconds"] = seconds;
  for (const auto& [name, count] : loaded.per_s) {
    event[name] = static_cast<double>(count) / seconds;
  }
  event["bytes"] = loaded.bytes;
  event["cpu_s"] = CpuSeconds();
  PrintEvent(event);
}

}  // namespace

Status Program::NoSuchStore() const {
  return Status::Usage(
      fmt::format("--store: found \"{}\", which {} does not have, want another",
                  engine.store, name_));
}

int Program::Layout() const {
  const Layouts all = layouts();
  return engine.store == "rocksdb" ? all.rocksdb
         : IsRedis()               ? all.redis
         : IsNull()                ? static_cast<int>(all.null)
                                   : all.server;
}

void Program::AddAckFlags(const Commands& commands, const std::string& notes,
                          const std::string& wants) {
  AddText(commands.run, "--ack-log", &ack_log, "a file", notes);
  AddText(commands.check, "--acks", &acks, "a file that --ack-log wrote",
          wants);
}

// `load` and `check` are about data that outlives their process.
Status Program::WantLastingStore(const char* command) const {
  if (!IsNull()) return Status::Ok();
  return Status::Usage(
      fmt::format("--store: found \"{}\" with {}, want one of: rocksdb myrocks "
                  "innodb; null keeps nothing",
                  engine.store, command));
}

Status Program::PrepareAll() {
  if (Layout() == 0) return NoSuchStore();
  if (IsRedis()) {
    const Status status = ParseRedisPlace(endpoint_, allow_remote_, &redis_);
    if (!status.ok()) return status;
  }
  if (IsNull() && !ack_log.empty()) {
    return Status::Usage(
        "--ack-log: found it with --store null, which commits nothing that "
        "could be acknowledged, want another store");
  }
  return Prepare();
}

RedisDataSet Program::DataSetOfRedis() {
  return {redis_, name_, layouts().redis,
          [this](std::string_view key) { return Owns(key); },
          [this](const auto& record, const auto& where) {
            return Accept(record, where);
          }};
}

Status Program::LoadStoreOfRedis(const LoadReport& report, Loaded* loaded) {
  const RedisDataSet set = DataSetOfRedis();
  Status status = MakeRoom(set, existing_, &kept_);
  if (!status.ok() || existing_ == "remove") return status;
  status = Load(nullptr, report, loaded);
  return status.ok() && !kept_ ? WriteRecord(set, Record()) : status;
}

Status Program::LoadStore(const LoadReport& report, Loaded* loaded) {
  if (IsRedis()) return LoadStoreOfRedis(report, loaded);
  Status status;
  if (engine.store == "rocksdb") {
    std::unique_ptr<RocksdbEngine> rocksdb;
    status = WantEmptyDirectory(engine.db_dir);
    if (status.ok()) {
      status = RocksdbEngine::Open(engine, Tables(), true, &rocksdb);
    }
    if (status.ok()) status = Load(rocksdb.get(), report, loaded);
    if (status.ok()) {
      status = WriteDataSetRecord(*rocksdb, name_, Layout(), Record());
    }
    return status.ok() ? rocksdb->Close() : status;
  }
  std::unique_ptr<mariadb::ServerEngine> opened;
  status = mariadb::ServerEngine::Open(server, engine.store, &opened);
  if (status.ok()) status = Load(nullptr, report, loaded);
  if (!status.ok()) return status;
  loaded->bytes = opened->DataBytes();
  std::unique_ptr<mariadb::Connection> connection;
  status = mariadb::Connection::Open(server, &connection);
  if (!status.ok()) return status;
  return mariadb::WriteDataSetRecord(*connection, engine.store, name_, Layout(),
                                     Record());
}

Status Program::RunLoad() {
  const auto start = Clock::now();
  const LoadReport report = [start](nlohmann::json facts) {
    PrintProgress(std::move(facts), SecondsSince(start));
  };
  Loaded loaded;
  Status status = WantLastingStore("load");
  if (status.ok()) status = PrepareAll();
  if (status.ok()) status = LoadStore(report, &loaded);
  if (status.ok()) PrintLoaded(loaded, SecondsSince(start));
  return status;
}

Status Program::OpenStore() {
  Status status = PrepareAll();
  if (status.ok()) status = places.Validate(engine.store, Nodes());
  for (size_t node = 0; status.ok() && node < Nodes(); ++node) {
    places.Choose(node, &engine, &server);
    status = OpenNode();
  }
  return status;
}

Status Program::OpenNode() {
  nlohmann::json record;
  Status status;
  if (IsNull()) {
    engines_.push_back(std::make_unique<NullEngine>());
    return Open(nullptr);
  }
  if (IsRedis()) {
    status = waltax::Accept(DataSetOfRedis());
    if (status.ok()) status = Open(nullptr);
    if (!status.ok()) return status;
    auto observed = std::make_unique<RedisEngine>(redis_);
    status = observed->status();
    engines_.push_back(std::move(observed));
    return status;
  }
  if (engine.store == "rocksdb") {
    std::unique_ptr<RocksdbEngine> opened;
    status = RocksdbEngine::Open(engine, Tables(), false, &opened, locking());
    if (!status.ok()) return status;
    RocksdbEngine& rocksdb = *rocksdbs_.emplace_back(opened.get());
    engines_.push_back(std::move(opened));
    status =
        ReadDataSetRecord(rocksdb, name_, Layout(), engine.db_dir, &record);
    if (status.ok()) status = Accept(record, engine.db_dir);
    return status.ok() ? Open(&rocksdb) : status;
  }
  std::unique_ptr<mariadb::ServerEngine> opened;
  std::unique_ptr<mariadb::Connection> connection;
  status = mariadb::ServerEngine::Open(server, engine.store, &opened);
  if (status.ok()) status = mariadb::Connection::Open(server, &connection);
  if (status.ok()) {
    status = mariadb::ReadDataSetRecord(*connection, name_, Layout(), &record);
  }
  if (status.ok()) status = Accept(record, place().Name());
  if (status.ok()) status = Open(nullptr);
  engines_.push_back(std::move(opened));
  return status;
}

Status Program::CloseStore() {
  Status first;
  for (RocksdbEngine* rocksdb : rocksdbs_) {
    const Status status = rocksdb->Close();
    if (first.ok()) first = status;
  }
  return first;
}

int Program::RunSlices() {
  std::unique_ptr<Workload> workload;
  Status status = OpenStore();
  if (status.ok()) status = NewWorkload(&workload);
  if (!status.ok()) return Explain(name_, status);
  std::vector<Engine*> nodes;
  for (const auto& each : engines_) nodes.push_back(each.get());
  NodeEngines all(nodes);
  Engine& observed = nodes.size() == 1 ? *nodes.front() : all;
  const int exit_code = Serve(name_, *workload, observed, run);
  status = CloseStore();
  return status.ok() ? exit_code : Explain(name_, status);
}

// Violations are a result: they are printed, and make the exit code 1.
int Program::RunCheck() {
  const auto start = Clock::now();
  CheckResult result;
  Status status = WantLastingStore("check");
  if (status.ok()) status = OpenStore();
  if (status.ok()) status = Check(&result);
  if (status.ok()) status = CloseStore();
  if (!status.ok()) return Explain(name_, status);
  PrintEvent(CheckEvent(result, SecondsSince(start)));
  return result.violation_count == 0 ? 0 : 1;
}

int Program::Main(int argc, const char* const* argv) {
  CLI::App app(title_, name_);
  app.require_subcommand(1);
  const Commands commands = {
      app.add_subcommand("load", "fill an empty database"),
      app.add_subcommand("run", "run slices, commanded by stdin"),
      app.add_subcommand("check", "verify a data set")};
  for (CLI::App* command : {commands.load, commands.run, commands.check}) {
    AddEngineFlags(command, &engine);
    AddRunFlags(command, &run);
    mariadb::AddServerFlags(command, &server);
    if (layouts().redis == 0) continue;
    AddText(command, "--endpoint", &endpoint_, "redis:///PATH/TO/SOCKET",
            "of the store redis: a server of its owner's");
    command
        ->add_flag("--allow-remote", allow_remote_,
                   "the endpoint may be on another machine")
        ->disable_flag_override();
  }
  if (layouts().redis > 0) {
    AddChoice(commands.load, "--existing", &existing_,
              {"refuse", "keep", "replace", "remove"},
              "of the store redis: what becomes of what is there");
  }
  AddFlags(commands);
  if (const auto exit_code = ParseOrExplain(app, argc, argv)) return *exit_code;
  if (*commands.load) return Explain(name_, RunLoad());
  if (*commands.run) return RunSlices();
  return RunCheck();
}

}  // namespace waltax
