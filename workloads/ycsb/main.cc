// ycsb: loads, runs and checks YCSB's core workload.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "driver/program/program.h"
#include "workloads/ycsb/options.h"
#include "workloads/ycsb/shards/owner.h"
#include "workloads/ycsb/store.h"
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
    ycsb::AddFlags(commands.load, commands.run, commands.check, &options_);
    AddAckFlags(commands,
                "append the number of each acknowledged insert to this file",
                "every insert of this file must be there");
    places.AddTo(commands.run);
    places.AddTo(commands.check);
  }
  Status Prepare() override {
    Status status = Resolve(&options_);
    if (status.ok()) status = ValidatePlace();
    if (status.ok()) model_ = std::make_shared<RequestModel>(options_);
    if (!status.ok() || acks.empty()) return status;
    return ReadAckLog(acks, &expected_.acknowledged.emplace());
  }

  [[nodiscard]] std::vector<std::string> Tables() const override {
    return KvTableNames();
  }
  [[nodiscard]] Layouts layouts() const override {
    return {kLayoutVersion, kSqlSchemaVersion, kRedisLayoutVersion, true};
  }
  [[nodiscard]] nlohmann::json Record() const override {
    return {{"seed", run.seed}, {"data", ToJson(options_.data)}};
  }
  Status Accept(const nlohmann::json& record,
                const std::string& where) override {
    DataOptions data = options_.data;
    if (Nodes() > 1) data.shards.node = nodes_.own.size();  // opened so far
    return CompareRecord(record, where, data);
  }

  Status Load(RocksdbEngine* rocksdb, const LoadReport& report,
              Loaded* loaded) override {
    RecordsLoaded rows;
    const auto progress = [&] {
      report({{"records", rows.records.load()},
              {"of", options_.data.insertcount / shards_.nodes}});
    };
    Status status;
    if (kept()) {
      rows.records = options_.data.insertcount;
    } else {
      status =
          NewStore(rocksdb)->Load({run.seed, run.threads, progress}, &rows);
    }
    loaded->facts = {{"records", rows.records.load()}};
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
  Status Open(RocksdbEngine* rocksdb) override {
    nodes_.own.push_back(NewStore(rocksdb));
    if (shards_.redirects()) nodes_.all.push_back(NewStore(nullptr, true));
    return Status::Ok();
  }
  std::unique_ptr<Store> NewStore(RocksdbEngine* rocksdb,
                                  bool all_nodes = false) const {
    const DataOptions& data = options_.data;
    const int most = options_.requests.max_retries;
    if (rocksdb != nullptr) return NewKvStore(*rocksdb, data, most);
    if (IsRedis()) return NewRedisStore(redis(), data, most);
    if (IsNull()) return std::make_unique<Store>();
    return NewSqlStore(place(), data, most, all_nodes);
  }
  [[nodiscard]] bool Owns(std::string_view key) const override {
    return IsRedisKey(key);
  }
  Status NewWorkload(std::unique_ptr<Workload>* workload) override {
    JoinNodes();
    std::optional<Totals> before;
    if (WantsSurvey(options_.requests) && !IsNull()) {
      const Status status = Survey(store_.get(), &before.emplace());
      if (!status.ok()) return status;
    }
    const Status status = AckLog::Open(ack_log, kAcks, &ack_file_);
    *workload = NewYcsbWorkload(model_, store_.get(), run.threads, before,
                                ack_file_.get());
    return status;
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
      store_ = NewShardedStore(options_.data, std::move(nodes_), run.seed);
    }
  }
  const CLI::App* load_ = nullptr;
  Options options_;
  ShardOptions& shards_ = options_.data.shards;
  std::unique_ptr<AckLog> ack_file_;  // of `ack_log`
  Expected expected_;                 // by `acks`
  std::shared_ptr<const RequestModel> model_;
  NodeStores nodes_;              // as they are opened
  std::unique_ptr<Store> store_;  // of them all
};

}  // namespace
}  // namespace waltax::ycsb

int main(int argc, char** argv) {
  return waltax::ycsb::YcsbProgram().Main(argc, argv);
}
