// linkbench: loads, runs and checks the LinkBench workload.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "linkbench/commit_check.h"
#include "linkbench/commit_log.h"
#include "linkbench/data_set.h"
#include "linkbench/kv/loader.h"
#include "linkbench/kv/store.h"
#include "linkbench/options.h"
#include "linkbench/sql/loader.h"
#include "linkbench/sql/store.h"
#include "linkbench/workload.h"
#include "program/program.h"

namespace waltax::linkbench {
namespace {

class LinkbenchProgram : public Program {
 public:
  LinkbenchProgram()
      : Program("linkbench", "LinkBench on an embedded engine or on a server") {
  }

 private:
  void AddFlags(const Commands& commands) override {
    for (CLI::App* command : {commands.load, commands.run, commands.check}) {
      AddGraphFlags(command, &flags_);
    }
    AddRequestFlags(commands.run, &flags_);
    AddCheckFlags(commands.check, &flags_);
  }
  Status Prepare() override {
    Status status = Validate(flags_.options);
    if (status.ok()) status = RequestModel::Create(flags_.options, &model_);
    if (!status.ok() || flags_.acks.empty()) return status;
    return ReadCommitLog(flags_.acks, &acknowledged_);
  }

  [[nodiscard]] std::vector<std::string> Tables() const override {
    return KvTableNames();
  }
  [[nodiscard]] Layouts layouts() const override {
    return {kLayoutVersion, kSqlSchemaVersion};
  }
  [[nodiscard]] nlohmann::json Record() const override {
    return ToRecord(
        graph(),
        {run.seed, load_.now_ms, model_->degrees().data_hash(), progress_.nodes,
         progress_.links, progress_.counts, progress_.index});
  }
  Status Accept(const nlohmann::json& record,
                const std::string& where) override {
    return CompareRecord(record, where, graph(), model_->degrees().data_hash());
  }

  Status LoadRocksdb(RocksdbEngine& rocksdb, const LoadReport& report,
                     Loaded* loaded) override {
    return Load(report, loaded, [&](const auto& reporting) {
      return linkbench::Load(rocksdb, graph(), model_->degrees(), load_,
                             reporting, &progress_);
    });
  }
  Status LoadServer(const LoadReport& report, Loaded* loaded) override {
    return Load(report, loaded, [&](const auto& reporting) {
      return LoadSql(place(), graph(), model_->degrees(), load_, reporting,
                     &progress_);
    });
  }
  template <typename Loading>
  Status Load(const LoadReport& report, Loaded* loaded,
              const Loading& loading) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    load_ = {run.threads, run.seed,
             static_cast<uint64_t>(
                 std::chrono::duration_cast<std::chrono::milliseconds>(now)
                     .count())};
    const Status status = loading([&](const LoadProgress& so_far) {
      report({{"links", so_far.links}, {"ids", so_far.ids}});
    });
    loaded->facts = {{"nodes", progress_.nodes},
                     {"links", progress_.links},
                     {"counts", progress_.counts},
                     {"index", progress_.index},
                     {"hub_degree", progress_.hub_degree}};
    loaded->per_s = {{"links_per_s", progress_.links},
                     {"rows_per_s", progress_.links + progress_.index +
                                        progress_.counts + progress_.nodes}};
    loaded->bytes = progress_.bytes;
    return status;
  }

  Status OpenRocksdb(RocksdbEngine& rocksdb) override {
    store_ = std::make_unique<KvStore>(rocksdb, graph().maxid1, max_retries());
    return Status::Ok();
  }
  Status OpenServer(mariadb::Connection& /*connection*/) override {
    store_ = std::make_unique<SqlStore>(place(), max_retries());
    return Status::Ok();
  }
  Status OpenNull() override {
    store_ = std::make_unique<Store>();
    return flags_.ack_log.empty() ? Status::Ok() : NothingToAcknowledge();
  }
  Status NewWorkload(std::unique_ptr<Workload>* workload) override {
    if (!flags_.ack_log.empty()) {
      const Status status = CommitLog::Open(flags_.ack_log, &commits_);
      if (!status.ok()) return status;
    }
    *workload = std::make_unique<LinkbenchWorkload>(
        model_, store_.get(), run.threads, commits_.get());
    return Status::Ok();
  }
  Status Check(CheckResult* result) override {
    const Status status = store_->Check(run.threads, result);
    if (!status.ok() || flags_.acks.empty()) return status;
    return CheckCommits(acknowledged_, store_->NewSession(run.seed).get(),
                        result);
  }

  [[nodiscard]] const GraphOptions& graph() const {
    return model_->options().graph;
  }
  [[nodiscard]] int max_retries() const {
    return model_->options().requests.max_retries;
  }

  WorkloadFlags flags_;
  std::shared_ptr<const RequestModel> model_;
  LoadOptions load_;
  LoadProgress progress_;
  std::vector<LoggedWrite> acknowledged_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<CommitLog> commits_;
};

}  // namespace
}  // namespace waltax::linkbench

int main(int argc, char** argv) {
  return waltax::linkbench::LinkbenchProgram().Main(argc, argv);
}
