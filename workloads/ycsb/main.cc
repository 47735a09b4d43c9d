// ycsb: loads, runs and checks YCSB's core workload.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "driver/program/program.h"
#include "workloads/ycsb/check.h"
#include "workloads/ycsb/kv/store.h"
#include "workloads/ycsb/options.h"
#include "workloads/ycsb/redis/store.h"
#include "workloads/ycsb/shards/owner.h"
#include "workloads/ycsb/shards/store.h"
#include "workloads/ycsb/sql/store.h"
#include "workloads/ycsb/workload.h"

namespace waltax::ycsb {
namespace {

class YcsbProgram : public Program {
 public:
  YcsbProgram()
      : Program("ycsb",
                "YCSB's core workload on an embedded engine or on a server") {}

 private:
  void AddFlags(const Commands& commands) override {
    load_ = commands.load;
    for (CLI::App* command : {commands.load, commands.run, commands.check}) {
      AddDataFlags(command, &options_.data);
    }
    AddRequestFlags(commands.run, &options_.requests);
    AddText(commands.run, "--ack-log", &ack_log_, "a file",
            "append the number of each acknowledged insert to this file");
    AddText(commands.check, "--acks", &acks_, "a file that --ack-log wrote",
            "every insert of this file must be there");
    for (CLI::App* command : {commands.load, commands.check}) {
      AddNodeFlag(command, &shards_);
    }
    for (CLI::App* command : {commands.run, commands.check}) {
      AddRouteFlag(command, &shards_);
      places.AddTo(command);
    }
  }
  Status Prepare() override {
    Status status = Resolve(&options_);
    if (status.ok()) status = ValidatePlace();
    if (status.ok()) model_ = std::make_shared<RequestModel>(options_);
    if (!status.ok() || acks_.empty()) return status;
    return ReadAckLog(acks_, &expected_.acknowledged.emplace());
  }

  [[nodiscard]] std::vector<std::string> Tables() const override {
    return KvTableNames();
  }
  [[nodiscard]] Layouts layouts() const override {
    return {kLayoutVersion, kSqlSchemaVersion, kRedisLayoutVersion};
  }
  [[nodiscard]] nlohmann::json Record() const override {
    return ToRecord(options_.data, run.seed);
  }
  Status Accept(const nlohmann::json& record,
                const std::string& where) override {
    DataOptions data = options_.data;
    if (Nodes() > 1) data.shards.node = nodes_.own.size();  // opened so far
    return CompareRecord(record, where, data);
  }

  Status LoadRocksdb(RocksdbEngine& rocksdb, const LoadReport& report,
                     Loaded* loaded) override {
    return LoadBy(report, loaded, [&](const auto& load, auto* rows) {
      return ycsb::LoadRocksdb(rocksdb, load, rows);
    });
  }
  Status LoadServer(const LoadReport& report, Loaded* loaded) override {
    return LoadBy(report, loaded, [&](const auto& load, auto* rows) {
      return LoadSql(place(), load, rows);
    });
  }
  Status LoadRedis(bool kept, const LoadReport& report,
                   Loaded* loaded) override {
    return LoadBy(report, loaded, [&](const auto& load, auto* rows) {
      rows->records = load.data.insertcount;
      return kept ? Status::Ok() : ycsb::LoadRedis(redis(), load, rows);
    });
  }
  template <typename Loading>
  Status LoadBy(const LoadReport& report, Loaded* loaded,
                const Loading& loading) {
    const auto progress = [&](const RecordsLoaded& so_far) {
      report({{"records", so_far.records},
              {"of", options_.data.insertcount / shards_.nodes}});
    };
    RecordsLoaded rows;
    const Status status = loading(
        ycsb::Load{options_.data, run.seed, run.threads, progress}, &rows);
    loaded->facts = {{"records", rows.records}};
    AddCut(shards_, &loaded->facts);
    if (shards_.sharded()) {
      loaded->facts["bounds"] = Owner(shards_, options_.data.keys()).bounds();
    }
    loaded->per_s = {{"records_per_s", rows.records}};
    loaded->bytes = rows.bytes;
    return status;
  }

  [[nodiscard]] size_t Nodes() const override {
    return shards_.node ? 1 : shards_.nodes;
  }
  Status OpenRocksdb(RocksdbEngine& rocksdb) override {
    nodes_.own.push_back(
        std::make_unique<KvStore>(rocksdb, options_.data, max_retries()));
    return Status::Ok();
  }
  Status OpenServer(mariadb::Connection& /*connection*/) override {
    nodes_.own.push_back(
        std::make_unique<SqlStore>(place(), options_.data, max_retries()));
    if (shards_.redirects()) {
      nodes_.all.push_back(std::make_unique<SqlStore>(
          place(), options_.data, max_retries(), sql::kTableOfAllNodes));
    }
    return Status::Ok();
  }
  Status OpenRedis() override {
    nodes_.own.push_back(
        std::make_unique<RedisStore>(redis(), options_.data, max_retries()));
    return Status::Ok();
  }
  [[nodiscard]] bool Owns(std::string_view key) const override {
    return IsRedisKey(key);
  }
  Status OpenNull() override {
    if (!ack_log_.empty()) return NothingToAcknowledge();
    nodes_.own.push_back(std::make_unique<Store>());
    return Status::Ok();
  }
  Status NewWorkload(std::unique_ptr<Workload>* workload) override {
    JoinNodes();
    std::optional<Totals> before;
    if (WantsSurvey(options_.requests) && engine.store != "null") {
      const Status status = Survey(store_.get(), &before.emplace());
      if (!status.ok()) return status;
    }
    if (!ack_log_.empty()) {
      const Status status = OpenAckLog(ack_log_, &ack_file_);
      if (!status.ok()) return status;
    }
    *workload = std::make_unique<YcsbWorkload>(
        model_, store_.get(), run.threads, before, ack_file_.get());
    return Status::Ok();
  }
  Status Check(CheckResult* result) override {
    JoinNodes();
    return CheckRecords(options_.data, expected_, run.threads, store_.get(),
                        result);
  }

  // A database is one node's.
  [[nodiscard]] Status ValidatePlace() const {
    if (load_->parsed() && shards_.sharded() && !shards_.node) {
      return Status::Usage(
          fmt::format("--node: found nothing with --nodes {}, want the node "
                      "whose part to load, from 0 to {}",
                      shards_.nodes, shards_.nodes - 1));
    }
    if (!shards_.redirects() || engine.store == "myrocks" ||
        engine.store == "innodb") {
      return Status::Ok();
    }
    return Status::Usage(
        fmt::format("--route: found redirect with --store {}, want --store "
                    "myrocks or innodb",
                    engine.store));
  }
  void JoinNodes() {
    if (nodes_.own.size() == 1) {
      store_ = std::move(nodes_.own.front());
    } else {
      store_ = std::make_unique<ShardedStore>(options_.data, std::move(nodes_),
                                              run.seed);
    }
  }
  [[nodiscard]] int max_retries() const {
    return options_.requests.max_retries;
  }

  const CLI::App* load_ = nullptr;
  Options options_;
  ShardOptions& shards_ = options_.data.shards;
  std::string ack_log_;
  std::unique_ptr<AckLog> ack_file_;  // of `ack_log_`
  std::string acks_;
  Expected expected_;  // by `acks_`
  std::shared_ptr<const RequestModel> model_;
  NodeStores nodes_;              // as they are opened
  std::unique_ptr<Store> store_;  // of them all
};

}  // namespace
}  // namespace waltax::ycsb

int main(int argc, char** argv) {
  return waltax::ycsb::YcsbProgram().Main(argc, argv);
}
