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
#include "driver/rocksdb/engine.h"
#include "driver/status.h"
#include "driver/workload.h"
#include "driver/sql/connection.h"
#include "driver/program/nodes.h"
#include "driver/redis/data_set.h"

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
  // Stand there divided by the seconds of the load: {"rows_per_s": rows}.
  std::map<std::string, uint64_t> per_s;
  uint64_t bytes = 0;  // of a RocksDB's table files
};

// The versions of what a load writes, which a change of it must increase: older
// data sets are then refused.
struct Layouts {
  int rocksdb = 0;
  int server = 0;
  int redis = 0;
};

// What a load wrote so far, for a `progress` event.
using LoadReport = std::function<void(nlohmann::json facts)>;

// Prints one line on stderr for what fails. A store that a workload does not
// override is one that it does not have. Used by one thread.
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
  RunFlags run;
  Places places;  // of a workload that can be dealt out to several nodes

 private:
  // Adds the workload's own flags. The commands have those of all workloads.
  virtual void AddFlags(const Commands& commands) = 0;
  // Resolves the flags; nothing was opened or created yet.
  virtual Status Prepare() { return Status::Ok(); }

  // The column families of the workload in RocksDB; none: it has no store
  // there.
  [[nodiscard]] virtual std::vector<std::string> Tables() const { return {}; }
  // How many nodes the store of a run or a check is dealt out to.
  [[nodiscard]] virtual size_t Nodes() const { return 1; }
  // What a run's transactions are on RocksDB.
  [[nodiscard]] virtual Locking locking() const {
    return Locking::kPessimistic;
  }
  // A workload with layouts leaves the records of its data sets to the program.
  // A load ends with Record() of what it wrote, and is whole only then; a run
  // or a check begins with Accept() of what it finds, where `where` says.
  [[nodiscard]] virtual Layouts layouts() const { return {}; }
  [[nodiscard]] virtual nlohmann::json Record() const { return {}; }
  virtual Status Accept(const nlohmann::json& record, const std::string& where);

  // Each fills a store that is empty, or that it finds not to be. `rocksdb` was
  // opened with Tables().
  virtual Status LoadRocksdb(RocksdbEngine& rocksdb, const LoadReport& report,
                             Loaded* loaded);
  virtual Status LoadServer(const LoadReport& report, Loaded* loaded);

  // Each opens the store of a run or a check, whose data set must fit the
  // flags; what is handed over outlives the workload. Of several nodes, one is
  // called for each in their order, and the flags name its places.
  virtual Status OpenRocksdb(RocksdbEngine& rocksdb);
  virtual Status OpenServer(mariadb::Connection& connection);
  // The same of the store "redis", which is that of a program with such a
  // layout. `kept`: the data set is there, and is told alone. A load wrote what
  // it owns.
  virtual Status LoadRedis(bool kept, const LoadReport& report, Loaded* loaded);
  virtual Status OpenRedis();
  [[nodiscard]] virtual bool Owns(std::string_view key) const;
  // The store "null" does nothing: what a run costs without one.
  virtual Status OpenNull();

  // Both REQUIRE that a store was opened.
  virtual Status NewWorkload(std::unique_ptr<Workload>* workload) = 0;
  virtual Status Check(CheckResult* result);

  [[nodiscard]] Status NoSuchStore() const;
  [[nodiscard]] bool IsTransient() const;
  [[nodiscard]] bool IsRedis() const { return engine.store == "redis"; }
  [[nodiscard]] RedisDataSet DataSetOfRedis();
  Status LoadStoreOfRedis(const LoadReport& report, Loaded* loaded);
  Status WantLastingStore(const char* command) const;
  Status LoadStore(const LoadReport& report, Loaded* loaded);
  Status OpenStore();
  Status OpenNode();
  Status AcceptRocksdb(RocksdbEngine& rocksdb);
  Status AcceptServer(mariadb::Connection& connection);
  Status CloseStore();
  Status RunLoad();
  int RunSlices();
  int RunCheck();

  Status PrepareAll();

  RedisPlace redis_;
  std::string endpoint_;  // of `redis_`
  bool allow_remote_ = false;
  std::string existing_ = "refuse";
  const char* name_;
  const char* title_;
  // What is observed of the store that was opened, a node each.
  std::vector<std::unique_ptr<Engine>> engines_;
  std::vector<RocksdbEngine*> rocksdbs_;  // those of them that are to be closed
};

}  // namespace waltax
