// The program of a workload: its commands, its stores and its events. A
// workload's main.cc derives from Program, and says only what is its own.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "driver/engine.h"
#include "driver/flags.h"
#include "driver/redis/engine.h"
#include "driver/rocksdb/engine.h"
#include "driver/sql/connection.h"
#include "driver/status.h"
#include "driver/workload.h"

namespace waltax {

// The commands that take flags.
struct Commands {
  CLI::App* load = nullptr;
  CLI::App* run = nullptr;
  CLI::App* check = nullptr;
};

// What a load wrote.
struct Loaded {
  nlohmann::json facts;  // stand in the `loaded` event as they are
  uint64_t bytes = 0;    // of a RocksDB's table files
};

// The stores that a workload has: the version of what a load writes there,
// which a change of it must increase, so that older data sets are refused; 0 is
// of a store that it does not have.
struct Layouts {
  int rocksdb = 0;
  int server = 0;  // of the stores "myrocks" and "innodb"
  int redis = 0;
  bool null = false;  // it does nothing: what a run costs without a store
};

// What a load wrote so far, for a `progress` event.
using LoadReport = std::function<void(nlohmann::json facts)>;

// Prints one line on stderr for what fails. Used by one thread.
class Program {
 public:
  // `title` is what --help begins with.
  Program(const char* name, const char* title) : name_(name), title_(title) {}
  virtual ~Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Obeys a command line; returns the exit code.
  int Main(int argc, const char* const* argv);

 protected:
  EngineFlags engine;
  mariadb::ServerFlags server;  // of the stores "myrocks" and "innodb"
  [[nodiscard]] mariadb::SqlPlace place() const {
    return {server, engine.store};
  }
  // Of the store "redis", a server of its owner's.
  [[nodiscard]] const RedisPlace& redis() const { return redis_; }
  [[nodiscard]] bool IsNull() const { return engine.store == "null"; }
  [[nodiscard]] bool IsRedis() const { return engine.store == "redis"; }
  // Whether a load found the very data set.
  [[nodiscard]] bool kept() const { return kept_; }
  RunFlags run;
  // Of a workload whose runs note what is acknowledged, and whose checks look
  // for it; empty: nowhere.
  std::string ack_log;
  std::string acks;
  // Adds --ack-log and --acks with these words of what they do.
  void AddAckFlags(const Commands& commands, const std::string& notes,
                   const std::string& wants);
  // Of a workload that is dealt out to several nodes: has a command take --db,
  // --wal-dir and --socket once for each of them, in their order.
  void TakePlaces(CLI::App* command);

 private:
  // Adds the workload's own flags. The commands have those of all workloads.
  virtual void AddFlags(const Commands& commands) = 0;
  // Resolves the flags; nothing was opened or created yet.
  virtual Status Prepare() { return Status::Ok(); }

  [[nodiscard]] virtual Layouts layouts() const = 0;
  // The column families of the workload in RocksDB.
  [[nodiscard]] virtual std::vector<std::string> Tables() const { return {}; }
  // How many nodes the store of a run or a check is dealt out to.
  [[nodiscard]] virtual size_t Nodes() const { return 1; }
  // What a run's transactions are on RocksDB.
  [[nodiscard]] virtual Locking locking() const {
    return Locking::kPessimistic;
  }
  // The program keeps the records of data sets. A load ends with Record() of
  // what it wrote, and is whole only then; a run or a check begins with
  // Accept() of what it finds, where `where` says.
  [[nodiscard]] virtual nlohmann::json Record() const { return {}; }
  virtual Status Accept(const nlohmann::json& /*record*/,
                        const std::string& /*where*/) {
    return Status::Ok();
  }

  // Fills the empty store that `engine` names, or tells alone of one that is
  // kept(). `rocksdb`, opened with Tables(), is null for a server.
  virtual Status Load(RocksdbEngine* rocksdb, const LoadReport& report,
                      Loaded* loaded) = 0;
  // Opens the store of a run or a check, whose data set fits the flags; what is
  // handed over outlives the workload. Of several nodes, it is called for each
  // in their order, and the flags name its places.
  virtual Status Open(RocksdbEngine* rocksdb) = 0;

  // Both REQUIRE that a store was opened.
  virtual Status NewWorkload(std::unique_ptr<Workload>* workload) = 0;
  virtual Status Check(CheckResult* result) = 0;

  // The layout of the store that the flags name.
  [[nodiscard]] int Layout() const;
  Status PrepareFor(const std::string& command);
  // Opens the store that the flags name; with `creates` an empty one.
  Status OpenEngine(bool creates, std::unique_ptr<Engine>* opened);
  Status MakeRoom(RedisEngine& server);
  Status LoadStore(const LoadReport& report, Loaded* loaded);
  Status OpenStore(const std::string& command);
  // Has the flags name the places of a node.
  Status ChooseNode(size_t node);
  Status CloseStore();
  Status RunLoad();
  int RunSlices();
  int RunCheck();

  RedisPlace redis_;
  std::string endpoint_;  // of `redis_`
  bool kept_ = false;
  const char* name_;
  const char* title_;
  std::map<std::string, std::vector<std::string>> places_;  // by flag
  std::vector<std::unique_ptr<Engine>> engines_;            // a node each
};

}  // namespace waltax
