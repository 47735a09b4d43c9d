// linkbench: loads, runs and checks the LinkBench workload.

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "driver/rocksdb/tables.h"
#include "linkbench/check.h"
#include "linkbench/commits.h"
#include "linkbench/graph_load.h"
#include "linkbench/kv/store.h"
#include "linkbench/options.h"
#include "linkbench/sql/store.h"
#include "linkbench/tables.h"
#include "linkbench/workload.h"
#include "driver/sql/table_load.h"
#include "driver/program/program.h"

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
    return ColumnFamilies(linkbench::Tables());
  }
  [[nodiscard]] Layouts layouts() const override {
    return {kLayoutVersion, kSqlLayoutVersion};
  }
  [[nodiscard]] nlohmann::json Record() const override {
    nlohmann::json record = RowsByTable();
    record["seed"] = run.seed;
    // The newest link time can be.
    record["loaded_at_ms"] = load_.now_ms;
    record["graph"] = ToJson(graph());
    record["data_hash"] = model_->degrees().data_hash();
    return record;
  }
  Status Accept(const nlohmann::json& record,
                const std::string& where) override {
    return CompareRecord(record, where, graph(), model_->degrees().data_hash());
  }

  Status LoadRocksdb(RocksdbEngine& rocksdb, const LoadReport& report,
                     Loaded* loaded) override {
    return Load(report, loaded, [&](const table::Load& load) {
      return LoadTables(rocksdb, load, &rows_);
    });
  }
  Status LoadServer(const LoadReport& report, Loaded* loaded) override {
    return Load(report, loaded, [&](const table::Load& load) {
      return mariadb::LoadTables(place(), load, /*and_lzero=*/false, &rows_);
    });
  }
  template <typename Loading>
  Status Load(const LoadReport& report, Loaded* loaded,
              const Loading& loading) {
    load_ = {run.threads, run.seed, NowMs()};
    GraphLoad graph_load(graph(), model_->degrees(), load_);
    table::Load load = graph_load.Plan();
    load.report = [&report](const LoadedRows& so_far) {
      // Every id has its node.
      report({{"links", RowsOf(so_far, Table::kLinks)},
              {"ids", RowsOf(so_far, Table::kNodes)}});
    };
    const Status status = loading(load);
    if (!status.ok()) return status;
    loaded->facts = RowsByTable();
    loaded->facts["hub_degree"] = graph_load.hub_degree();
    loaded->per_s = {
        {"links_per_s", RowsOf(rows_, Table::kLinks)},
        {"rows_per_s",
         std::accumulate(rows_.rows.begin(), rows_.rows.end(), uint64_t{0})}};
    loaded->bytes = rows_.bytes;
    return status;
  }
  [[nodiscard]] nlohmann::json RowsByTable() const {
    nlohmann::json rows;
    for (size_t i = 0; i < rows_.rows.size(); ++i) {
      rows[std::string(linkbench::Tables()[i].name)] = rows_.rows[i];
    }
    return rows;
  }
  static uint64_t RowsOf(const LoadedRows& rows, Table table) {
    return rows.rows[static_cast<size_t>(table)];
  }

  Status OpenRocksdb(RocksdbEngine& rocksdb) override {
    store_ = std::make_unique<KvStore>(rocksdb, graph().maxid1, max_retries());
    return Status::Ok();
  }
  Status OpenServer(mariadb::Connection& /*connection*/) override {
    store_ = std::make_unique<SqlStore>(server, max_retries());
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
    Findings findings;
    CheckGraph(*store_, graph(), run.threads, &findings);
    if (!flags_.acks.empty()) {
      CheckCommits(acknowledged_, store_->NewSession(run.seed).get(),
                   &findings);
    }
    return findings.Take(result);
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
  LoadedRows rows_;
  std::vector<LoggedWrite> acknowledged_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<CommitLog> commits_;
};

}  // namespace
}  // namespace waltax::linkbench

int main(int argc, char** argv) {
  return waltax::linkbench::LinkbenchProgram().Main(argc, argv);
}
