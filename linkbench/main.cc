// linkbench: loads, runs and checks the LinkBench workload.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "linkbench/commit_check.h"
#include "linkbench/commit_log.h"
#include "linkbench/kv/loader.h"
#include "linkbench/kv/store.h"
#include "linkbench/options.h"
#include "linkbench/sql/loader.h"
#include "linkbench/sql/store.h"
#include "linkbench/workload.h"
#include "program/program.h"

namespace waltax::linkbench {
namespace {

auto Reporting(const LoadReport& report) {
  return [&report](const LoadProgress& progress) {
    report({{"links", progress.links}, {"ids", progress.ids}});
  };
}

void Report(const LoadProgress& progress, Loaded* loaded) {
  loaded->facts = {{"nodes", progress.nodes},
                   {"links", progress.links},
                   {"counts", progress.counts},
                   {"index", progress.index},
                   {"hub_degree", progress.hub_degree}};
  loaded->per_s = {{"links_per_s", progress.links},
                   {"rows_per_s", progress.links + progress.index +
                                      progress.counts + progress.nodes}};
  loaded->bytes = progress.bytes;
}

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
  Status LoadRocksdb(RocksdbEngine& rocksdb, const LoadReport& report,
                     Loaded* loaded) override {
    LoadProgress progress;
    const Status status =
        linkbench::Load(rocksdb, graph(), model_->degrees(), load_options(),
                        Reporting(report), &progress);
    Report(progress, loaded);
    return status;
  }
  Status LoadServer(const LoadReport& report, Loaded* loaded) override {
    LoadProgress progress;
    const Status status = LoadSql(place(), graph(), model_->degrees(),
                                  load_options(), Reporting(report), &progress);
    Report(progress, loaded);
    return status;
  }

  Status OpenRocksdb(RocksdbEngine& rocksdb) override {
    const Status status = VerifyMeta(rocksdb, engine.db_dir, graph(),
                                     model_->degrees().data_hash());
    if (!status.ok()) return status;
    store_ = std::make_unique<KvStore>(rocksdb, graph().maxid1, max_retries());
    return status;
  }
  Status OpenServer(mariadb::Connection& connection) override {
    store_ = std::make_unique<SqlStore>(place(), max_retries());
    return VerifySqlMeta(connection, place(), graph(),
                         model_->degrees().data_hash());
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
  [[nodiscard]] SqlPlace place() const { return {server, engine.store}; }
  [[nodiscard]] LoadOptions load_options() const {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return {run.threads, run.seed,
            static_cast<uint64_t>(
                std::chrono::duration_cast<std::chrono::milliseconds>(now)
                    .count())};
  }

  WorkloadFlags flags_;
  std::shared_ptr<const RequestModel> model_;
  std::vector<LoggedWrite> acknowledged_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<CommitLog> commits_;
};

}  // namespace
}  // namespace waltax::linkbench

int main(int argc, char** argv) {
  return waltax::linkbench::LinkbenchProgram().Main(argc, argv);
}
