#include "driver/program/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <utility>

#include "driver/serve.h"
#include "driver/sql/server_engine.h"

namespace waltax {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
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

}  // namespace

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

void Program::TakePlaces(CLI::App* command) {
  for (const char* flag : {"--db", "--wal-dir", "--socket"}) {
    command->get_option(flag)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeFirst)
        ->each([this, flag](const std::string& value) {
          places_[flag].push_back(value);
        });
  }
}

Status Program::ChooseNode(size_t node) {
  const std::pair<const char*, std::string*> flags[] = {
      {"--db", &engine.db_dir},
      {"--wal-dir", &engine.wal_dir},
      {"--socket", &server.socket}};
  for (const auto& [flag, chosen] : flags) {
    const std::vector<std::string>& named = places_[flag];
    if (named.empty() || IsNull()) continue;
    if (named.size() != Nodes()) {
      return Status::Usage(
          fmt::format("{}: found {} times, want it once for each of {} nodes, "
                      "in their order",
                      flag, named.size(), Nodes()));
    }
    *chosen = named[node];
  }
  return Status::Ok();
}

// `load` and `check` are about data that outlives their process.
Status Program::PrepareFor(const std::string& command) {
  if (Layout() == 0 || (IsNull() && command != "run")) {
    return Status::Usage(fmt::format(
        "--store: found \"{}\", which `{} {}` does not have, want another",
        engine.store, name_, command));
  }
  if (IsRedis()) TRY(ParseRedisPlace(endpoint_, &redis_));
  if (IsNull() && !ack_log.empty()) {
    return Status::Usage(
        "--ack-log: found it with --store null, which commits nothing that "
        "could be acknowledged, want another store");
  }
  return Prepare();
}

Status Program::OpenEngine(bool creates, std::unique_ptr<Engine>* opened) {
  if (IsNull()) {
    *opened = std::make_unique<NullEngine>();
  } else if (IsRedis()) {
    auto server = std::make_unique<RedisEngine>(redis_);
    TRY(server->status());
    *opened = std::move(server);
  } else if (engine.store == "rocksdb") {
    if (creates) TRY(WantEmptyDirectory(engine.db_dir));
    std::unique_ptr<RocksdbEngine> rocksdb;
    TRY(RocksdbEngine::Open(engine, Tables(), creates, &rocksdb,
                            creates ? Locking::kPessimistic : locking()));
    *opened = std::move(rocksdb);
  } else {
    std::unique_ptr<mariadb::ServerEngine> server;
    TRY(mariadb::ServerEngine::Open(place(), &server));
    *opened = std::move(server);
  }
  return Status::Ok();
}

// What is there already may be somebody's. A data set of the program's is
// kept.
Status Program::MakeRoom(RedisEngine& server) {
  nlohmann::json record;
  const Status read = ReadDataSetRecord(server, name_, Layout(), &record);
  if (!server.status().ok()) return read;
  kept_ = read.ok();
  if (kept_) return Accept(record, redis_.url);
  const bool is_empty = server.IsEmpty();
  if (is_empty || !server.status().ok()) return server.status();
  return Status::Usage(fmt::format(
      "--endpoint: {} is not empty, and holds no whole data set of this "
      "program; name another database (?db=N), or empty it",
      redis_.url));
}

Status Program::LoadStore(const LoadReport& report, Loaded* loaded) {
  std::unique_ptr<Engine> store;
  TRY(OpenEngine(/*creates=*/true, &store));
  if (IsRedis()) TRY(MakeRoom(static_cast<RedisEngine&>(*store)));
  TRY(Load(store->rocksdb(), report, loaded));
  // Of a server, by its own books.
  if (store->rocksdb() == nullptr && !IsRedis()) {
    loaded->bytes = store->DataBytes();
  }
  if (!kept_) TRY(WriteDataSetRecord(*store, name_, Layout(), Record()));
  return store->Close();
}

Status Program::RunLoad() {
  const auto start = Clock::now();
  const LoadReport report = [start](nlohmann::json facts) {
    facts["event"] = "progress";
    facts["seconds"] = SecondsSince(start);
    PrintEvent(facts);
  };
  Loaded loaded;
  TRY(PrepareFor("load"));
  TRY(LoadStore(report, &loaded));
  nlohmann::json event = std::move(loaded.facts);
  event["event"] = "loaded";
  event["seconds"] = SecondsSince(start);
  event["bytes"] = loaded.bytes;
  PrintEvent(event);
  return Status::Ok();
}

Status Program::OpenStore(const std::string& command) {
  TRY(PrepareFor(command));
  for (size_t node = 0; node < Nodes(); ++node) {
    TRY(ChooseNode(node));
    std::unique_ptr<Engine> opened;
    TRY(OpenEngine(/*creates=*/false, &opened));
    Engine& store = *engines_.emplace_back(std::move(opened));
    if (!IsNull()) {
      nlohmann::json record;
      TRY(ReadDataSetRecord(store, name_, Layout(), &record));
      TRY(Accept(record, store.Place().name));
    }
    TRY(Open(store.rocksdb()));
  }
  return Status::Ok();
}

Status Program::CloseStore() {
  Status first;
  for (const auto& each : engines_) {
    const Status status = each->Close();
    if (first.ok()) first = status;
  }
  return first;
}

int Program::RunSlices() {
  std::unique_ptr<Workload> workload;
  Status status = OpenStore("run");
  if (status.ok()) status = NewWorkload(&workload);
  if (!status.ok()) return Explain(name_, status);
  Engines nodes;
  for (const auto& each : engines_) nodes.push_back(each.get());
  const int exit_code = Serve(name_, *workload, nodes, run);
  status = CloseStore();
  return status.ok() ? exit_code : Explain(name_, status);
}

// Violations are a result: they are printed, and make the exit code 1.
int Program::RunCheck() {
  const auto start = Clock::now();
  CheckResult result;
  Status status = OpenStore("check");
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
  }
  AddFlags(commands);
  if (const auto exit_code = ParseOrExplain(app, argc, argv)) return *exit_code;
  if (*commands.load) return Explain(name_, RunLoad());
  if (*commands.run) return RunSlices();
  return RunCheck();
}

}  // namespace waltax
